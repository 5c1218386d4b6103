#!/usr/bin/env python3
"""Make a site of the documents, which needs no network: build_site.py [--with WAY] [--program KILN] FOLDER

Pages are README.md, CONTRIBUTING.md, docs/*.md and docs/decisions/*.md.  WAY is `mkdocs` (a program that must be
installed), `plain` (HTML by this script, with a search in the browser), or `auto`, the default: mkdocs where it is
installed.  Pages, pictures and search work from files: open FOLDER/index.html in a browser.  With the program KILN,
a gallery of reports is one of the pages (gallery.py).
"""

import argparse
import html
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

from gallery import TITLE, make_gallery
from markdown_html import Page

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
# A link, as groups 1 to 3; code, in which nothing is a link, has none.
LINK = re.compile(r"^```.*?^```|^ {4}[^\n]*|`[^`]*`|(!?\[(?:`[^`]*`|[^\]`])*\]\()([^)\s]+)(\))", re.M | re.S)
OUTSIDE = re.compile(r"[a-z]+:")
MARK = "made by build_site.py"      # in the file that shows that a folder may be replaced
MARK_FILE = "search_index.js"


def documents():
    """Page names by path below TOP, in the order of the navigation: that of the tables of the index pages."""
    pages = {"README.md": "index", "docs/README.md": "documents"}
    for folder in ("docs", "docs/decisions"):
        targets = re.findall(r"\]\(([^)#]+\.md)\)", read(folder + "/README.md"))
        targets += sorted(name for name in os.listdir(os.path.join(TOP, folder)) if name.endswith(".md"))
        for target in targets:
            path = os.path.normpath(os.path.join(folder, target))
            name = os.path.splitext(os.path.basename(path))[0].lower()
            pages.setdefault(path, os.path.basename(os.path.dirname(path)) if name == "readme" else name)
    return pages


class Links:
    """Addresses of links of a page: of pages, and of files, which are copied into the site."""

    def __init__(self, pages, ending, folder):
        self.pages, self.ending, self.folder = pages, ending, folder

    def address(self, path, target):
        """What `target` in the document `path` becomes; None for a folder of the sources."""
        if OUTSIDE.match(target) or target.startswith("#"):
            return target
        file, _, anchor = target.partition("#")
        there = os.path.normpath(os.path.join(os.path.dirname(path), file))
        anchor = "#" + anchor if anchor else ""
        if there in self.pages:
            return self.pages[there] + self.ending + anchor
        full = os.path.join(TOP, there)
        if not os.path.isfile(full):
            if os.path.isdir(full):
                return None
            sys.exit(f"{path}: {target}: no such file")
        copy = os.path.join("files", there.replace("..", ""))
        os.makedirs(os.path.dirname(os.path.join(self.folder, copy)), exist_ok=True)
        shutil.copyfile(full, os.path.join(self.folder, copy))
        return copy + anchor


def read(path):
    with open(os.path.join(TOP, path), encoding="utf-8") as page:
        return page.read()


def write(folder, name, content):
    with open(os.path.join(folder, name), "w", encoding="utf-8") as page:
        page.write(content)


def navigation(titles, here):
    rows = []
    for name, title in titles:
        now = ' class="here"' if name == here else ""
        rows.append(f'<li{now}><a href="{name}.html">{html.escape(title, quote=False)}</a></li>')
    return "<ul>\n" + "\n".join(rows) + "\n</ul>"


def build_plain(folder, program):
    pages = documents()
    links = Links(pages, ".html", folder)
    made = {path: Page(read(path), lambda target, path=path: links.address(path, target)) for path in pages}
    if program:
        pages[TITLE] = "gallery"
        made[TITLE] = Page(make_gallery(program, os.path.join(TOP, "input"), os.path.join(folder, "gallery")),
                           lambda target: target)
    titles = [(name, made[path].title) for path, name in pages.items()]
    frame = read(os.path.relpath(os.path.join(HERE, "page.html"), TOP))
    sections = []
    for path, name in pages.items():
        page = made[path]
        write(folder, name + ".html", frame.replace("@TITLE@", html.escape(page.title, quote=False))
              .replace("@NAVIGATION@", navigation(titles, name)).replace("@BODY@", page.body))
        for anchor, heading, words in page.sections:
            sections.append([f"{name}.html#{anchor}", page.title, html.unescape(heading),
                             html.unescape(" ".join(" ".join(words).split()))])
    write(folder, MARK_FILE, f"/* {MARK}: address, page, heading, words */\nconst SECTIONS = "
          + json.dumps(sections, ensure_ascii=False, indent=0) + ";\n")
    for name in ("search.js", "style.css"):
        shutil.copyfile(os.path.join(HERE, name), os.path.join(folder, name))
    return len(pages)


def build_with_mkdocs(folder, program):
    pages = documents()
    with tempfile.TemporaryDirectory() as work:
        source = os.path.join(work, "source")
        os.makedirs(source)
        links = Links(pages, ".md", source)
        rows = []
        for path, name in pages.items():
            text = LINK.sub(lambda m, path=path: m[1] + (links.address(path, m[2]) or "#") + m[3] if m[1] else m[0],
                            read(path))
            write(source, name + ".md", text)
            rows.append(f"  - {json.dumps(Page(text, lambda target: None).title)}: {name}.md\n")
        if program:
            write(source, "gallery.md", make_gallery(program, os.path.join(TOP, "input"),
                                                     os.path.join(source, "gallery")))
            rows.append(f"  - {json.dumps(TITLE)}: gallery.md\n")
        write(work, "mkdocs.yml", "site_name: Kiln\nsite_url: ''\nuse_directory_urls: false\ndocs_dir: source\n"
              "theme: { name: readthedocs, highlightjs: false }\nplugins: [search]\nnav:\n" + "".join(rows))
        status = subprocess.call(["mkdocs", "build", "--quiet", "--config-file", os.path.join(work, "mkdocs.yml"),
                                  "--site-dir", os.path.abspath(folder)])
        if status != 0:
            sys.exit(f"mkdocs ended with status {status}")
    write(folder, MARK_FILE, f"/* {MARK}, with mkdocs */\n")
    return len(pages) + (program is not None)


def prepare_folder(folder):
    """An empty folder, in place of an older site; any other folder is left alone."""
    if os.path.isdir(folder) and os.listdir(folder):
        mark = os.path.join(folder, MARK_FILE)
        if not os.path.isfile(mark) or MARK not in open(mark, encoding="utf-8").readline():
            sys.exit(f"{folder}: is not empty and no site of build_site.py; choose another folder")
        shutil.rmtree(folder)
    os.makedirs(folder, exist_ok=True)


def main():
    about = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    about.add_argument("--with", dest="way", choices=["auto", "mkdocs", "plain"], default="auto")
    about.add_argument("folder", metavar="FOLDER")
    about.add_argument("--program", metavar="KILN", type=os.path.abspath)
    options = about.parse_args()
    mkdocs = options.way == "mkdocs" or (options.way == "auto" and shutil.which("mkdocs"))
    if options.way == "mkdocs" and not shutil.which("mkdocs"):
        sys.exit("there is no program mkdocs; --with plain needs none")
    prepare_folder(options.folder)
    count = (build_with_mkdocs if mkdocs else build_plain)(options.folder, options.program)
    print(f"{options.folder}/index.html: {count} pages{' by mkdocs' if mkdocs else ''}")


if __name__ == "__main__":
    main()
