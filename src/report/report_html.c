/* report_html.c - HTML elements, style sheet and tables of a report. */
#include "src/report/report_html.h"

#include "src/report/plot_svg.h"

#include <string.h>

/* Narrow screens have one column.  Wide tables scroll sideways, the page does not. */
static const char style[] =
    ":root{color-scheme:light dark;--back:#ffffff;--card:#f6f8fa;--text:#24292f;--soft:#57606a;--edge:#d8dee4;\n"
    "--good:#1a7f37;--look:#9a6700;--bad:#c9251a}\n"
    "@media(prefers-color-scheme:dark){:root{--back:#0d1117;--card:#161b22;--text:#e6edf3;--soft:#9aa4af;\n"
    "--edge:#30363d;--good:#3fb950;--look:#d29922;--bad:#f85149}}\n"
    "*{box-sizing:border-box}body{margin:0;background:var(--back);color:var(--text);\n"
    "font:15px/1.5 system-ui,-apple-system,'Segoe UI',Helvetica,Arial,sans-serif}\n"
    "main{max-width:1280px;margin:0 auto;padding:20px 24px 40px}\n"
    "h1{font-size:26px;margin:8px 0 2px;overflow-wrap:anywhere}\n"
    "h2{font-size:19px;margin:34px 0 10px;padding-bottom:4px;border-bottom:1px solid var(--edge)}\n"
    "p{margin:4px 0}.soft{color:var(--soft)}a{color:inherit}\n"
    ".facts{display:grid;grid-template-columns:repeat(auto-fill,minmax(250px,1fr));gap:2px 24px;margin:10px 0}\n"
    ".facts div{overflow-wrap:anywhere}.facts b{font-weight:600;color:var(--soft);margin-right:6px}\n"
    ".verdict{border:1px solid var(--edge);border-left:6px solid var(--good);background:var(--card);\n"
    "border-radius:6px;padding:12px 16px;margin:16px 0}.verdict.look{border-left-color:var(--look)}\n"
    ".verdict.bad{border-left-color:var(--bad)}.verdict strong{font-size:17px}\n"
    ".verdict ul{list-style:none;margin:8px 0 0;padding:0}.verdict li{padding-left:24px;text-indent:-24px}\n"
    ".verdict li::before{content:'\\2713';display:inline-block;width:24px;text-indent:0;color:var(--good);\n"
    "font-weight:700}\n"
    ".verdict li.look::before{content:'!';color:var(--look)}\n"
    ".verdict li.bad::before{content:'\\2717';color:var(--bad)}\n"
    ".figures{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(340px,100%),1fr));gap:14px}\n"
    "figure{margin:0;border:1px solid var(--edge);border-radius:6px;overflow:hidden;background:var(--back)}\n"
    "figure svg{display:block;width:100%;height:auto}\n"
    ".scroll{overflow-x:auto}\n"
    "table{border-collapse:collapse;width:100%;font-size:14px;font-variant-numeric:tabular-nums}\n"
    "th,td{text-align:left;padding:5px 14px 5px 0;border-bottom:1px solid var(--edge);vertical-align:top}\n"
    "th{color:var(--soft);font-weight:600;white-space:nowrap}td{white-space:nowrap}td.words{white-space:normal;\n"
    "min-width:240px}td.lines{white-space:pre-line}\n"
    ".bar{display:inline-block;width:calc(var(--share)*180px);height:10px;border-radius:2px;\n"
    "background:var(--c0);vertical-align:middle}\n"
    "details{border:1px solid var(--edge);border-radius:6px;padding:8px 14px;margin:12px 0}summary{cursor:pointer}\n"
    "pre{overflow-x:auto;font:13px/1.45 ui-monospace,Menlo,Consolas,monospace;margin:8px 0}\n"
    "footer{margin-top:36px;color:var(--soft);font-size:13px}\n"
    "@media(max-width:600px){main{padding:12px 14px 30px}h1{font-size:22px}th,td{padding-right:10px;font-size:13px}\n"
    "td.words{min-width:160px}.bar{width:calc(var(--share)*70px)}}\n"
    "@media print{figure,.verdict{break-inside:avoid}}\n"
    ":root{--c0:#0b62b0}@media(prefers-color-scheme:dark){:root{--c0:#6cb2f5}}\n";

void html_text(text *out, const char *words)
{
    for (; *words; words++) {
        const unsigned char c = (unsigned char)*words;
        if (c == '<' || c == '>' || c == '&' || c == '"' || c == '\'')
            text_add(out, "&#%d;", c);
        else if ((c < ' ' && c != '\n' && c != '\t') || c == 0x7f)
            text_add(out, "&#65533;");
        else
            text_add_bytes(out, words, 1);
    }
}

void html_element(text *out, const char *tag, const char *words)
{
    text_add(out, "<%s>", tag);
    html_text(out, words);
    text_add(out, "</%.*s>", (int)strcspn(tag, " "), tag);
}

void html_begin(text *out, const char *title)
{
    text_add(out, "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                  "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n" HTML_MARK "\n");
    html_element(out, "title", title);
    text_add(out, "\n<style>\n%s%s</style></head>\n<body><main>\n", style, plot_style_sheet());
}

void html_end(text *out)
{
    text_add(out, "</main></body></html>\n");
}

void html_section(text *out, const char *heading, bool figures)
{
    text_add(out, "<section>");
    html_element(out, "h2", heading);
    text_add(out, "<div%s>\n", figures ? " class=\"figures\"" : "");
}

void html_section_end(text *out)
{
    text_add(out, "</div></section>\n");
}

void html_table(text *out, const char *const head[])
{
    text_add(out, "<div class=\"scroll\"><table><thead><tr>");
    for (int i = 0; head[i]; i++)
        html_element(out, "th", head[i]);
    text_add(out, "</tr></thead><tbody>\n");
}

void html_row(text *out, const char *const cell[], int count)
{
    text_add(out, "<tr>");
    for (int i = 0; i < count; i++)
        html_element(out, strlen(cell[i]) > 40 ? "td class=\"words\"" : "td", cell[i]);
    text_add(out, "</tr>\n");
}

void html_table_end(text *out)
{
    text_add(out, "</tbody></table></div>\n");
}
