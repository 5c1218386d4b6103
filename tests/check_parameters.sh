#!/bin/sh
# Functions have few parameters: what belongs together comes in a struct with named members.  Inner functions of kernels
# are free: they are inlined, and their registers are tuned.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh

most=7          # parameters

sources() {
    find src gpu actions integrators lime tests -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' | sort
}

# The parameter lists in files (or standard input) that are too long: declarations, definitions, and types of functions.
# Read are declarations of files and of structs; bodies, initializers and what macros make are passed over.
long_lists() {
    LC_ALL=C awk -v most="$most" '
        # A line without comments; a string or a character is 0.
        function code(line,   out, quote) {
            out = ""
            while (line != "") {
                if (comment) {
                    if (!index(line, "*/"))
                        return out
                    line = substr(line, index(line, "*/") + 2)
                    comment = 0
                    out = out " "
                }
                if (!match(line, /\/[*\/]|["\047]/))
                    return out line
                out = out substr(line, 1, RSTART - 1)
                quote = substr(line, RSTART, RLENGTH)
                line = substr(line, RSTART + RLENGTH)
                if (quote == "//")
                    return out
                if (quote == "/*") {
                    comment = 1
                    continue
                }
                while (line != "" && substr(line, 1, 1) != quote)
                    line = substr(line, substr(line, 1, 1) == "\\" ? 3 : 2)
                line = substr(line, 2)
                out = out "0"
            }
            return out
        }
        function next_declaration() { text = ""; assigned = parens = square = angle = 0 }
        function begin_file() { next_declaration(); body = records = comment = directive = 0 }
        function end_file() {
            if (file != "" && (body || records || parens || comment))
                print file ": braces or parentheses do not match"
        }
        # "KERNEL(name, ...)" is a macro at work, not a function; a body may follow, or a declaration, or another macro.
        function open_list() {
            is_macro = text ~ /^[( \t]*[A-Za-z_0-9]*$/
            match(text, /[A-Za-z_0-9]*[ \t]*$/)
            name = substr(text, RSTART)
            begins_at = FNR
            parameters = 1
            angle = 0
        }
        function close_list(   inner) {
            angle = 0
            inner = file ~ /^(src\/kernels|src\/site|gpu)\// && text ~ /[A-Z]_(FN|PART) |__device__/
            if (parameters > most && !assigned && !is_macro && !inner)
                print file ":" begins_at ": " name ": " parameters " parameters"
            if (is_macro)
                text = "("
        }
        function open_brace() {
            if (assigned || text ~ /\(/ || text ~ /(^|[^A-Za-z_0-9])enum([^A-Za-z_0-9]|$)/) {
                body = 1
                body_ends = !assigned
            } else {
                records++
                next_declaration()
            }
        }
        function read_sign(c) {
            if (c == "[" || c == "]")
                square += c == "[" ? 1 : -1
            else if (square)
                return
            else if (c == "(" || (c == "{" && parens)) {
                if (!parens++)
                    open_list()
            } else if (c == ")" || (c == "}" && parens)) {
                if (!--parens)
                    close_list()
            } else if (c == "<" || c == ">") {
                if (parens < 2)
                    angle += c == "<" ? 1 : -1
            } else if (c == "," && parens == 1 && !angle)
                parameters++
            else if (parens)
                return
            else if (c == "=" && !angle)
                assigned = 1
            else if (c == "{")
                open_brace()
            else if (c == "}") {
                records--
                next_declaration()
            } else if (c == ";")
                next_declaration()
        }
        FNR == 1 { end_file(); file = FILENAME == "" ? "-" : FILENAME; begin_file() }
        {
            line = code($0)
            if (directive || line ~ /^[ \t]*#/) {
                directive = line ~ /\\$/
                next
            }
            while (match(line, body ? "[{}]" : "[][(){};,=<>]")) {
                at = RSTART
                c = substr(line, at, 1)
                if (body) {
                    body += c == "{" ? 1 : -1
                    if (!body && body_ends)
                        next_declaration()
                } else {
                    text = text substr(line, 1, at - 1)
                    read_sign(c)
                    if (c == "(")
                        text = text c
                }
                line = substr(line, at + 1)
            }
            if (!body)
                text = text line " "
        }
        END { end_file() }' "$@"
}

# Three are too long; what only looks like them is not.
sample() {
    cat <<'END'
#define MACRO(a, b, c, d, e, f, g, h) \
    static void made(int a, int b, int c, int d, int e, int f, int g, int h);
/* void in_comment(int a, int b, int c, int d, int e, int f, int g, int h); */
MACRO(a, b, c, d, e, f, g, h)
MACRO(a, b, c, d, e, f, g, h)
KERNEL(a, b, c, d, e, f, g, h) { return inner(1, 2, 3, 4, 5, 6, 7, 8); }
static const char *const words = "void f(int a, int b, int c, int d, int e, int f, int g, int h)", brace = '{';
static const int numbers[] = { F(1, 2, 3, 4, 5, 6, 7, 8) };
int seven(int a, /* b, */ int b, int c[F(1, 2)], void (*d)(int, int), int e, int f, // g,
          int g) { return eight(1, 2, 3, 4, 5, 6, 7, 8); }
static struct record *eight(int a, int b, int c, int d,
                            int e, int f, /* in "two
                            lines */ int g,
                            int h)
{
    local(1, 2, 3, 4, 5, 6, 7, 8);
}
struct kind {
    const char *name;
    int (*member)(int a, int b, int c, int d, int e, int f, int g, int h);
};
template <class A, class B, class C, class D, class E, class F, class G, class H = int>
void of_types(map<A, B> a, map<C, D> b, map<E, F> c, map<G, H> d);
extern "C" {
typedef void type(int a, int b, int c, int d, int e, int f, int g, int h);
}
END
}
found=$(sample | long_lists | cut -d: -f 3-)
holds "long lists are found in definitions, members and types, and nowhere else" [ "$found" = " eight: 8 parameters
 member: 8 parameters
 type: 8 parameters" ]

none "no function has more than $most parameters, save inner functions of kernels" "$(long_lists $(sources))"

facts_end
