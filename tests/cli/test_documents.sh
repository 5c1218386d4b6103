#!/bin/sh
# test_documents.sh - the commands that the documents show: each subcommand and each option of kiln is one of --help.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
docs=$(pwd)/docs
readme=$(pwd)/README.md
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 99
"$KILN_PROGRAM" --help=names >names

# Commands of kiln, one a line: indented by four spaces or more, or in a block of code; without comments, what is in
# quotes, and what comes before (mpirun -n 4) or after (&& sbatch chain.sh).
commands_of() {
    awk '/^```/ { fenced = !fenced; next } fenced || /^    / { print }' "$@" |
        sed "s/\\\\\$//; s/'[^']*'/QUOTED/g; s/\"[^\"]*\"/QUOTED/g; s/ #.*//; s/&&/\\n/g; s/|/\\n/g; s/;/\\n/g" |
        sed -n 's/^ *\(mpirun -n [0-9]* \|ssh [a-z]* \|srun [^k]*\)\{0,1\}\(kiln [a-z-].*\)$/\2/p'
}

# The longest name of a manual page that a command begins with.
page_of() {
    name=kiln
    shift
    while [ $# -gt 0 ]; do
        if grep -qxF -e "$name $1" names; then
            name="$name $1"
        elif grep -qxF -e "$name $1 $2" names; then           # --operator hisq
            name="$name $1 $2"
            shift
        else
            break
        fi
        shift
    done
    echo "$name"
}

# Options that --help lists, of a page and of those above it.
options_of() {
    file=$(echo "$*" | tr ' ' '_').options
    [ -f "$file" ] || {
        shift
        while :; do
            "$KILN_PROGRAM" "$@" --help 2>/dev/null
            [ $# -gt 1 ] || break
            set -- $(echo "$*" | sed 's/ [^ ]*$//')
        done | sed -n 's/^  \(--[a-zA-Z][a-zA-Z0-9-]*\).*/\1/p' >"$file"
        printf '%s\n' --help --version >>"$file"
    }
    cat "$file"
}

# What is wrong with the commands of a document.
faults_of() {
    commands_of "$1" >commands
    while read -r line; do
        set -f
        page=$(page_of $line)
        [ "$page" != kiln ] || case $line in
        "kiln --"*) ;;
        *) echo "$(basename "$1"): no such command: $line" && continue ;;
        esac
        for word in $line; do
            case $word in
            --*) options_of $page | grep -qxF -e "${word%%=*}" ||
                echo "$(basename "$1"): $page has no ${word%%=*}: $line" ;;
            esac
        done
        set +f
    done <commands
}

none "each command of the documents is one of kiln --help, with options that it has" "$(
    for document in "$docs"/*.md "$readme"; do faults_of "$document"; done)"
commands_of "$docs/operations.md" >commands
holds "operations.md shows seventy commands of kiln or more" [ "$(wc -l <commands)" -ge 70 ]
none "and every subcommand" "$(sed -n 's/^kiln \([a-z]*\)$/\1/p' names | while read -r name; do
    grep -q "^kiln $name\b" commands || echo "$name"
done)"

none "no pattern for kiln measure matches checkpoints, whose names are NAME.checkpoint.000010.lime, too" "$(
    grep -n 'kiln measure.*[/.]\*\.lime' "$docs"/*.md "$readme"
    "$KILN_PROGRAM" measure --help | grep -n '\.\*\.lime')"

# A workflow is a section of the third order before the rules of a run.
sed '/^## Rules of a run/,$d' "$docs/operations.md" >workflows.md
holds "it has forty workflows or more" [ "$(grep -c '^### ' workflows.md)" -ge 40 ]
none "each with its commands" "$(awk '/^### / { if (title && !shown) print title; title = $0; shown = 0 }
    /^    [a-z]/ { shown = 1 } END { if (!shown) print title }' workflows.md)"
none "each in the list at the beginning" "$(sed -n 's/^### //p' workflows.md | while read -r title; do
    anchor=$(echo "$title" | tr 'A-Z' 'a-z' | tr ' ' '-' | tr -cd 'a-z0-9-')
    sed '/^## /,$d' workflows.md | tr '\n' ' ' | grep -qF "(#$anchor)" || echo "$title"
done)"
facts_end
