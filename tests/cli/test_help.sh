#!/bin/sh
# Manual pages and completions, which the program writes from the tables of its commands: each command and each option
# of --help is there.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
completion=$(pwd)/tests/cli/completion
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 99

kiln() { "$KILN_PROGRAM" "$@"; }

# options_of WORD...: the options that the help of a command lists, sorted.
options_of() { kiln "$@" --help | sed -n 's/^  \(--[a-zA-Z][a-zA-Z0-9-]*\).*/\1/p' | sort; }
# commands_of [GROUP]: those that the overview of a group lists.
commands_of() { kiln "$@" --help | sed -n 's/^  \([a-z][a-z-]*\)  *[^ ].*/\1/p'; }

kiln --help=names >names
none "each command of the overviews has a page" "$({
    echo kiln
    commands_of | sed 's/^/kiln /'
    commands_of probe | sed 's/^/kiln probe /'
} | grep -vxF -f names)"
none "so has each operator of kiln probe" "$(
    for what in apply solve; do
        kiln probe $what --operator x 2>&1 | sed -n 's/.*is not one of \(.*\)/\1/p' | tr -d ',' | tr ' ' '\n' |
            sed "s/^/kiln probe $what --operator /"
    done | grep -vxF -f names)"
holds "and kiln bench solver" grep -qx 'kiln bench solver' names
none "no page is listed twice" "$(sort names | uniq -d)"

mkdir pages
while read -r program words; do
    page=pages/$(echo "$words" | tr ' ' '_')
    kiln $words --help=man >"$page.1" || echo "$program $words" >>failed
    options_of $words >"$page.options"
done <names
none "each page is written" "$(cat failed 2>/dev/null)"
none "with the options of --help, and no others" "$(
    for page in pages/*.1; do
        sed -n 's/^\\fB\\-\\-\(.*\)\\fR\( .*\)*$/--\1/p' "$page" | sed 's/\\-/-/g; s/\\fR.*//' | sort |
            diff - "${page%.1}.options" | sed "s|^[<>]|$page: &|" | grep '^pages'
    done)"
none "its head names the date of the release" "$(
    grep -LE '^\.TH "[^"]+" 1 "[0-9]{4}-[01][0-9]-[0-3][0-9]" "kiln ' pages/*.1)"
if command -v mandoc >/dev/null 2>&1; then
    none "mandoc has no warning about a page" "$(mandoc -man -Tlint -Wwarning pages/*.1 2>&1)"
else
    skip "mandoc has no warning about a page" "there is no mandoc"
fi
none "its lines are text, or one of the requests used" "$(
    grep -n "^[.']" pages/*.1 | grep -vE ':\.(TH|SH|TP|PP|EX|EE|BR|\\")' | head)"
none "nothing is left that roff would take apart" "$(
    grep -nE '(^|[^\\])\\[^-e"(f&]' pages/*.1 | grep -v '\.\\"' | head)"
holds "examples and formulas stay as they are" \
    sh -c 'sed -n "/^.EX/,/^.EE/p" pages/submit.1 | grep -q "kiln submit INPUT.yaml"'
holds "rows of tables become paragraphs with a tag" grep -qxF '\fBplaquette\fR' pages/measure.1
none "sections are those of a manual page, in order" "$(
    for page in pages/*.1; do
        echo "$page: $(sed -n 's/^\.SH //p' "$page" | tr '\n' ',')"
    done | grep -vE ': NAME,SYNOPSIS,DESCRIPTION,(OPTIONS|COMMANDS),EXIT STATUS,(SEE ALSO,)?$')"
if man --version 2>/dev/null | grep -q "^man "; then     # small containers have a stub of this name
    none "man formats each page without a warning" "$(
        for page in pages/*.1; do
            LC_ALL=C.UTF-8 man --warnings -E UTF-8 -l -Tutf8 -Z "$page" 2>&1 >/dev/null | sed "s|^|$page: |"
        done)"
    holds "and shows the words of --help" sh -c \
        'MANWIDTH=120 man -l pages/run.1 | tr -s " \n" " " | grep -q "of the input) \[0 to 4294967295\]"'
else
    skip "man formats each page" "there is no man"
fi

# Bash: the options and commands that are offered, by the functions themselves.
kiln --help=bash >completion.bash
kiln --help=zsh >_kiln
mkdir -p folder/inner
: >folder/a.yaml
: >folder/b.txt
bash() { command bash "$completion.bash" completion.bash "$@"; }
# Commands whose options are those of their page: all but groups, and those that depend on an operator.
one_table() { grep -vxE 'kiln|kiln probe|kiln probe (apply|solve)( .*)?' names; }
none "bash offers the options of each command" "$(
    one_table | while read -r program words; do
        bash kiln $words -- | sort >offered
        diff offered "pages/$(echo "$words" | tr ' ' '_').options" >differs || echo "$program $words: $(cat differs)"
    done)"
none "for kiln probe apply and solve those of all operators" "$(
    for what in apply solve; do
        cat pages/probe_"$what"_*.options "pages/probe_$what.options" | sort -u >wanted
        bash kiln probe $what -- | sort | diff - wanted
    done)"
says() {        # SENTENCE WANTED WORD...
    sentence=$1
    wanted=$2
    shift 2
    found=$(bash "$@" | sort | tr '\n' ' ')
    holds "bash: $sentence: $found" [ "$found" = "$wanted" ]
}
says "commands" "rational replay report run " kiln r
says "commands within a command" "gauge-force " kiln probe g
says "what kiln bench does" "kernels solver trajectory " kiln bench ''
says "choices of an option" "apply " kiln probe ap
says "choices after =" "cpu cuda " kiln run --device = c
says "choices of an option of a choice" "domain-wall " kiln probe solve --operator d
says "inputs and folders" "folder/a.yaml folder/inner " kiln run folder/
says "folders alone" "folder/inner " kiln status folder/
says "any file" "folder/a.yaml folder/b.txt folder/inner " kiln verify folder/
says "families of an input" "hisq-2+1 hisq-2+1+1 " kiln new --family hisq
says "observables" "parallelogram plaquette polyakov polyakov_directions " kiln measure --what p
says "bits" "32 64 " kiln convert --precision ''
says "no file where a number is wanted" "" kiln run --threads ''

# Zsh: the same, from the arguments of _arguments and _describe.
if command -v zsh >/dev/null 2>&1; then
    zsh() { command zsh -f "$completion.zsh" "$PWD/_kiln" "$@"; }
    none "zsh offers the options of each command" "$(
        one_table | while read -r program words; do
            zsh kiln $words -- | sed -n 's/^\**\(--[a-zA-Z0-9-]*\).*/\1/p' | sort >offered
            page=pages/$(echo "$words" | tr ' ' '_')
            diff offered "$page.options" >differs || echo "$program $words: $(cat differs)"
        done)"
    holds "zsh: commands, with what they do" sh -c \
        "command zsh -f '$completion.zsh' '$PWD/_kiln' kiln '' | grep -q '^run:start or continue the ensemble'"
    holds "zsh: choices of an option" sh -c \
        "command zsh -f '$completion.zsh' '$PWD/_kiln' kiln run -- | grep -q ':(auto cpu cuda)\$'"
else
    skip "completion for zsh" "there is no zsh"
fi
facts_end
