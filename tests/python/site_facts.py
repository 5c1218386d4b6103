"""Facts about a site made of the documents: python3 site_facts.py FACT SITE TOP; prints offenders, one a line."""

import json
import os
import re
import sys
from html.parser import HTMLParser

EMPTY = {"meta", "link", "input", "img", "br", "hr"}


class Reader(HTMLParser):
    """Words, ids, links and counts of a page, and tags that are not closed in order."""

    def __init__(self, path):
        super().__init__(convert_charrefs=True)
        self.open, self.faults, self.ids, self.links, self.words, self.count = [], [], [], [], [], {}
        with open(path, encoding="utf-8") as page:
            self.feed(page.read())
        self.close()
        self.faults += [f"<{tag}> is not closed" for tag in self.open]

    def handle_starttag(self, tag, attributes):
        named = dict(attributes)
        self.ids += [named["id"]] if "id" in named else []
        self.links += [named[key] for key in ("href", "src") if key in named]
        self.count[tag] = self.count.get(tag, 0) + ("main" in self.open)
        if tag == "img":
            self.words += re.findall(r"\w+", named["alt"])
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> at {self.getpos()}")

    def handle_data(self, data):
        if "main" in self.open:
            self.words += re.findall(r"\w+", data)


def pages(site):
    if not os.path.isfile(os.path.join(site, "index.html")):
        sys.exit("there is no site")
    return {name: Reader(os.path.join(site, name)) for name in sorted(os.listdir(site)) if name.endswith(".html")}


def source_of(name, top):
    known = {"index.html": "README.md", "documents.html": "docs/README.md", "contributing.html": "CONTRIBUTING.md",
             "decisions.html": "docs/decisions/README.md"}
    page = name[:-5] + ".md"
    folder = next(f for f in ("docs", "docs/decisions") if name in known or os.path.exists(os.path.join(top, f, page)))
    return os.path.join(top, known.get(name, os.path.join(folder, page)))


def prose_and_code(markdown):
    """Lines outside fences and indented code, and all words, by rules that are simpler than those of the site."""
    prose, words, fenced = [], [], False
    for line in markdown.split("\n"):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif fenced or line.startswith("    "):
            words.append(line)
        else:
            prose.append(line)
            words.append(without_marks(line))
    return prose, words


def without_marks(line):
    """The line without the number of an item, and without the targets of links, which are no code."""
    parts = re.split(r"(`[^`]*`)", re.sub(r"^(\s*)\d+\. ", r"\1", line))
    return "".join(part if part.startswith("`") else re.sub(r"\]\([^)\s]+\)", " ", part) for part in parts)


def is_rule(line):
    return bool(re.fullmatch(r"(\| *:?-{3,}:? *)+\|", line))


def table_rows(prose):
    """Rows with a word in them: of blocks of lines that begin with |, if the second line is a rule."""
    count, block = 0, []
    for line in [line.strip() for line in prose] + [""]:
        if line.startswith("|"):
            block.append(line)
            continue
        if len(block) > 1 and is_rule(block[1]):
            count += sum(bool(re.search(r"[^\s|]", row)) for row in block) - 1
        block = []
    return count


def well_formed(site, top):
    for name, page in pages(site).items():
        for fault in page.faults:
            print(f"{name}: {fault}")
        for anchor in {a for a in page.ids if page.ids.count(a) > 1}:
            print(f"{name}: two elements have the id {anchor}")


def links(site, top):
    there = pages(site)
    for name, page in there.items():
        for link in page.links:
            if re.match(r"[a-z]+:", link):
                continue
            file, _, anchor = link.partition("#")
            if file and not os.path.isfile(os.path.join(site, file)):
                print(f"{name}: {link}: no such file in the site")
            elif anchor and (file or name) in there and anchor not in there[file or name].ids:
                print(f"{name}: {link}: no such heading")


def words(site, top):
    """Each word of a document is in its page, in the same order."""
    for name, page in pages(site).items():
        with open(source_of(name, top), encoding="utf-8") as file:
            _, lines = prose_and_code(file.read())
        mine = re.findall(r"\w+", "\n".join(lines))
        if mine != page.words:
            at = next((i for i, (a, b) in enumerate(zip(mine, page.words)) if a != b), min(len(mine), len(page.words)))
            print(f"{name}: word {at}: {mine[at:at + 6]} became {page.words[at:at + 6]}")


def structure(site, top):
    """Headings, rows of tables and items of lists are as many as their lines."""
    for name, page in pages(site).items():
        with open(source_of(name, top), encoding="utf-8") as file:
            prose, _ = prose_and_code(file.read())
        rows = table_rows(prose)
        items = sum(bool(re.match(r" *([-*]|\d+\.) ", line)) for line in prose)
        heads = sum(bool(re.match(r"#+ ", line)) for line in prose)
        got = {"table rows": page.count.get("tr", 0), "items": page.count.get("li", 0),
               "headings": sum(page.count.get(f"h{n}", 0) for n in range(1, 7))}
        for what, want in {"table rows": rows, "items": items, "headings": heads}.items():
            if want != got[what]:
                print(f"{name}: {want} {what} became {got[what]}")


def index(site, top):
    """The search index has every heading of every page."""
    with open(os.path.join(site, "search_index.js"), encoding="utf-8") as file:
        text = file.read()
    sections = json.loads(text[text.index("["):text.rindex("]") + 1])
    known = {section[0] for section in sections}
    for name, page in pages(site).items():
        for anchor in page.ids:
            if anchor not in ("search", "results") and f"{name}#{anchor}" not in known:
                print(f"{name}#{anchor} is not in the search index")
    if not any(section[0].startswith("input.html#") and "trajectory_length" in section[3] for section in sections):
        print("the key trajectory_length is not in the search index")


FRAGMENT = """# A `title`

## Same

## Same

| key | meaning |
|---|---|
| `a|b` | one \\| two, **bold** [there](x.md#same) |

1. first
   - inner `<tag>`

         code  here
2. second
"""
PIECES = ['<h1 id="a-title">A <code>title</code></h1>', '<h2 id="same">', '<h2 id="same-1">',
          "<tr><td><code>a|b</code></td><td>one | two, <strong>bold</strong> ",
          '<a href="to x.md#same">there</a></td></tr>', "<ol>\n<li>first\n<ul>\n<li>inner <code>&lt;tag&gt;</code>\n",
          "</code>\n<pre><code>code  here</code></pre></li>\n</ul></li>",
          "<li>second</li>\n</ol>"]


def fragment(site, top):
    """A document with what those of today may lack."""
    sys.path.insert(0, os.path.join(top, "python", "site"))
    from markdown_html import Page
    page = Page(FRAGMENT, lambda target: "to " + target)
    for piece in PIECES:
        if piece not in page.body:
            print(f"{piece!r} is not in {page.body!r}")
    if page.title != "A title" or [section[1] for section in page.sections] != ["A title", "Same", "Same"]:
        print(f"title {page.title!r}, sections {page.sections!r}")


def section(path, anchor):
    """The text below the heading with this anchor, to the next heading of its order or above."""
    found, order = [], 0
    with open(path, encoding="utf-8") as file:
        for line in file:
            heading = re.match(r"(#+) (.*)", line)
            if heading and order and len(heading[1]) <= order:
                break
            if heading and re.sub(r"[^a-z0-9 _-]", "", heading[2].strip().lower()).replace(" ", "-") == anchor:
                order = len(heading[1])
            elif order:
                found.append(line)
    return "".join(found)


def copies(site, top):
    """The numbers in a link's text of docs/seeds.md that the linked section lacks.

    Lattice extents such as 24^3x48 are not compared."""
    folder, seen = os.path.join(top, "docs"), 0
    with open(os.path.join(folder, "seeds.md"), encoding="utf-8") as file:
        linked = re.findall(r"\[([^\]]*)\]\(([a-z_]*\.?m?d?)#([^)]*)\)", file.read())
    for text, page, anchor in linked:
        words = section(os.path.join(folder, page or "seeds.md"), anchor)
        for number in re.findall(r"(?<![\w^.:])\d+(?:\.\d+)?(?:e-\d+)?(?![\w^.])", text):
            seen += 1
            if not re.search(r"(?<![\d.])" + re.escape(number) + r"(?!\d)", words):
                print(f"[{text}]({page}#{anchor}): {number}")
    if seen < 60:
        print(f"only {seen} numbers are in links")


if __name__ == "__main__":
    {"copies": copies, "fragment": fragment, "index": index, "links": links, "structure": structure,
     "well_formed": well_formed, "words": words}[sys.argv[1]](sys.argv[2], sys.argv[3])
