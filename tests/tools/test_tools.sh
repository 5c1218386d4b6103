#!/bin/sh
# What make tidy looks at, and the table of make coverage.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
tools=$(pwd)/tests/tools
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 99
unset GIT_DIR GIT_INDEX_FILE GIT_WORK_TREE
HOME=$scratch/home XDG_CONFIG_HOME=$scratch/home
export HOME XDG_CONFIG_HOME

if command -v git >/dev/null 2>&1; then
    mkdir -p source/src && cd source && git init -q .
    for name in same source header; do touch "src/$name.c" "src/$name.h"; done
    git add . && git -c user.name=n -c user.email=n@n commit -q -m begin
    echo changed >>src/source.c && echo changed >>src/header.h && touch src/new.c && git rm -q src/same.h
    all='src/header.c src/new.c src/same.c src/source.c'
    changed() { echo "$all" | tr ' ' '\n' | sh "$tools/changed.sh" . "$1" | tr '\n' ' '; }
    listed=$(changed HEAD)
    holds "tidy looks at changed and new sources, and at those of changed headers: $listed" \
        [ "$listed" = 'src/header.c src/new.c src/source.c ' ]
    git add . && git -c user.name=n -c user.email=n@n commit -q -m end
    holds "at none where nothing has changed" [ -z "$(changed HEAD)" ]
    listed=$(changed HEAD~1)
    holds "at those since an earlier commit: $listed" [ "$listed" = 'src/header.c src/new.c src/source.c ' ]
    holds "at all where no commit is given" [ "$(changed '')" = "$all " ]
    holds "a commit that is not there is an error" sh -c '! sh "$1/changed.sh" . none </dev/null' - "$tools"
    cd ..
else
    skip "the sources that tidy looks at" "there is no git"
fi

if command -v gcc >/dev/null 2>&1 && command -v gcov >/dev/null 2>&1 && command -v python3 >/dev/null 2>&1; then
    mkdir -p code/src code/tests build && cd build
    cat >../code/src/a.c <<'END'
int twice(int x);
int twice(int x)
{
    if (x < 0)
        return 0;
    return 2 * x;
}
END
    printf 'int twice(int x);\nint main(void)\n{\n    return twice(1) - 2;\n}\n' >../code/tests/t.c
    gcc --coverage -o t ../code/src/a.c ../code/tests/t.c && ./t
    python3 "$tools/coverage_table.py" . ../code >../table 2>&1
    holds "the table has files, lines, lines that were run, and their part, by folder" \
        grep -qxE 'src +1 +4 +3 +75.0' ../table
    none "it has no tests" "$(grep tests ../table)"
    holds "and the sum" grep -qxE 'all +1 +4 +3 +75.0' ../table
    mkdir ../empty
    holds "without counters there is no table" sh -c '! python3 "$1/coverage_table.py" ../empty ../code' - "$tools"
    cd ..
else
    skip "the table of make coverage" "there is no gcc with gcov, or no python3"
fi
facts_end
