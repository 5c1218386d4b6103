"""The Markdown of Kiln's documents as HTML: headings, paragraphs, lists, tables, code, links, images, bold.

Raw HTML is not known: every `<` is text.  Headings get the anchors that GitHub gives them, so that links between
documents work in both places.
"""

import html
import re

ITEM = re.compile(r"( *)([-*]|\d+\.) +(.*)")
HEADING = re.compile(r"(#{1,6}) +(.*)")
INLINE = re.compile(
    r"(?P<code>(?P<ticks>`+)(?P<inner>.+?)(?P=ticks))"
    r"|(?P<image>!\[(?P<alt>[^\]]*)\]\((?P<source>[^)\s]+)\))"
    r"|(?P<link>\[(?P<words>(?:`[^`]*`|[^\]`])+)\]\((?P<target>[^)\s]+)\))"
    r"|(?P<bold>\*\*(?P<strong>.+?)\*\*)"
    r"|(?P<slant>(?<![\w*])\*(?P<em>[^\s*](?:[^*]*[^\s*])?)\*(?![\w*]))"
    r"|(?P<escape>\\(?P<sign>[\\`*_{}\[\]()#+.!|<>-]))", re.S)


class Anchors:
    """Anchors of one page; a repeated heading gets -1, -2, ..."""

    def __init__(self):
        self.seen = {}

    def make(self, heading):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        name = "".join(c for c in words if c.isalnum() or c in " _-").replace(" ", "-")
        n = self.seen.get(name, 0)
        self.seen[name] = n + 1
        return f"{name}-{n}" if n else name


def inline(words, link):
    """Words of a paragraph; link(target) gives the address of a link, or None for one that is left out."""
    out, at = [], 0
    for m in INLINE.finditer(words):
        out.append(html.escape(words[at:m.start()], quote=False))
        at = m.end()
        if m["code"]:
            inner = m["inner"][1:-1] if re.fullmatch(r" .*` *| *`.* ", m["inner"], re.S) else m["inner"]
            inner = " ".join(inner.split()) if "\n" in inner else inner
            out.append(f"<code>{html.escape(inner, quote=False)}</code>")
        elif m["image"]:
            out.append(f'<img src="{html.escape(link(m["source"]) or "")}" alt="{html.escape(m["alt"])}">')
        elif m["link"]:
            address = link(m["target"])
            inner = inline(m["words"], link)
            out.append(f'<a href="{html.escape(address)}">{inner}</a>' if address else inner)
        elif m["bold"]:
            out.append(f"<strong>{inline(m['strong'], link)}</strong>")
        elif m["slant"]:
            out.append(f"<em>{inline(m['em'], link)}</em>")
        else:
            out.append(html.escape(m["sign"], quote=False))
    out.append(html.escape(words[at:], quote=False))
    return "".join(out)


def plain(words):
    """The words without marks, for titles and the search."""
    return re.sub(r"<[^>]*>", "", inline(words, lambda target: None))


def indent_of(line):
    return len(line) - len(line.lstrip(" "))


def cells_of(row):
    """The cells of a table row; `|` in code or behind a backslash is text."""
    row = row.strip().strip("|") if not row.rstrip().endswith("\\|") else row.strip()[1:]
    cells, cell, ticks, i = [], "", False, 0
    while i < len(row):
        if row.startswith("\\|", i):
            cell += "|"
            i += 2
            continue
        ticks ^= row[i] == "`"
        if row[i] == "|" and not ticks:
            cells.append(cell)
            cell = ""
        else:
            cell += row[i]
        i += 1
    return [c.strip() for c in cells + [cell]]


def is_rule(line):
    return bool(re.fullmatch(r"\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*", line)) and "-" in line


class Page:
    """A page as HTML: `body`, `title`, and `sections`, a list of (anchor, heading, words) for the search."""

    def __init__(self, markdown, link):
        self.link = link
        self.anchors = Anchors()
        self.title = ""
        self.sections = []
        self.body = self.blocks(markdown.expandtabs(4).split("\n"))

    def note(self, words):
        if self.sections:
            self.sections[-1][2].append(plain(words))

    def blocks(self, lines):
        out, i = [], 0
        while i < len(lines):
            line = lines[i]
            if not line.strip():
                i += 1
                continue
            for rule in (self.fence, self.indented, self.heading, self.table, self.items):
                end, text = rule(lines, i)
                if end > i:
                    break
            else:
                end, text = self.paragraph(lines, i)
            out.append(text)
            i = end
        return "\n".join(out)

    def code(self, lines):
        while lines and not lines[-1].strip():
            lines = lines[:-1]
        if self.sections:
            self.sections[-1][2].append(" ".join(" ".join(lines).split()))
        return "<pre><code>" + html.escape("\n".join(lines), quote=False) + "</code></pre>"

    def fence(self, lines, i):
        if not lines[i].lstrip().startswith("```"):
            return i, ""
        depth, end = indent_of(lines[i]), i + 1
        while end < len(lines) and not lines[end].lstrip().startswith("```"):
            end += 1
        return end + 1, self.code([line[min(depth, indent_of(line)):] for line in lines[i + 1:end]])

    def indented(self, lines, i):
        end = i
        while end < len(lines) and (indent_of(lines[end]) >= 4 or not lines[end].strip()):
            end += 1
        return (end, self.code([line[4:] for line in lines[i:end]])) if end > i else (i, "")

    def heading(self, lines, i):
        m = HEADING.fullmatch(lines[i].rstrip())
        if not m:
            return i, ""
        level, words = len(m[1]), m[2]
        anchor = self.anchors.make(words)
        self.title = self.title or plain(words)
        self.sections.append((anchor, plain(words), []))
        return i + 1, f'<h{level} id="{html.escape(anchor)}">{inline(words, self.link)}</h{level}>'

    def row(self, cells, tag):
        for cell in cells:
            self.note(cell)
        return "<tr>" + "".join(f"<{tag}>{inline(cell, self.link)}</{tag}>" for cell in cells) + "</tr>"

    def table(self, lines, i):
        if "|" not in lines[i] or i + 1 >= len(lines) or not is_rule(lines[i + 1]):
            return i, ""
        end = i + 2
        while end < len(lines) and "|" in lines[end]:
            end += 1
        rows = [self.row(cells_of(line), "td") for line in lines[i + 2:end]]
        cells = cells_of(lines[i])
        head = f"<thead>{self.row(cells, 'th')}</thead>" if any(cells) else ""
        return end, f"<table>{head}<tbody>\n" + "\n".join(rows) + "\n</tbody></table>"

    def items(self, lines, i):
        first = ITEM.fullmatch(lines[i])
        if not first:
            return i, ""
        depth, out = len(first[1]), []
        tag = "ol" if first[2][0].isdigit() else "ul"
        while i < len(lines):
            m = ITEM.fullmatch(lines[i])
            if not m or len(m[1]) != depth or (m[2][0].isdigit()) != (tag == "ol"):
                break
            inside = indent_of(lines[i]) + len(m[2]) + 1
            own, i = [m[3]], i + 1
            while i < len(lines) and (not lines[i].strip() or indent_of(lines[i]) > depth):
                own.append(lines[i][min(inside, indent_of(lines[i])):])
                i += 1
            out.append(self.item(own))
        return i, f"<{tag}>\n" + "\n".join(out) + f"\n</{tag}>"

    def item(self, lines):
        body = self.blocks(lines)
        return "<li>" + re.sub(r"^<p>(.*?)</p>", r"\1", body, count=1, flags=re.S) + "</li>"

    def paragraph(self, lines, i):
        end = i + 1
        while end < len(lines) and lines[end].strip() and not HEADING.fullmatch(lines[end]) \
                and not ITEM.fullmatch(lines[end]) and not lines[end].lstrip().startswith("```") \
                and not (end + 1 < len(lines) and "|" in lines[end] and is_rule(lines[end + 1])):
            end += 1
        words = "\n".join(line.strip() for line in lines[i:end])
        self.note(words)
        return end, f"<p>{inline(words, self.link)}</p>"
