#!/bin/sh
# Which tests make check-changed runs, for lists of files and for a commit.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
tool=$(pwd)/tests/tools/changed_tests.py
command -v python3 >/dev/null 2>&1 || { skip "the tests for changed files" "there is no python3"; facts_end; }
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 99
unset GIT_DIR GIT_INDEX_FILE GIT_WORK_TREE
HOME=$scratch/home XDG_CONFIG_HOME=$scratch/home
export HOME XDG_CONFIG_HOME

mkdir -p source/src/io source/tests/io source/tests/hmc source/tests/cli source/tests/mutations && cd source || exit 99
echo '#include "src/io/npy.h"' >tests/io/test_npy.c
echo '#include "tests/hmc/toy.h"' >tests/hmc/test_toy.c
echo '#include "src/io/npy.h"' >tests/hmc/test_state.c
echo '#include "tests/hmc/deep.h"' >tests/hmc/toy.h
touch src/io/npy.c src/io/npy.h tests/io/test_xml.c tests/hmc/toy.c tests/hmc/deep.c tests/hmc/deep.h
echo '. ./tests/hmc/stream.sh' >tests/cli/test_run.sh
touch tests/hmc/unused.h tests/hmc/stream.sh tests/cli/test_reference.sh tests/cli/test_documents.sh tests/check_text.sh

all='tests/check_text.sh tests/cli/test_run.sh tests/cli/test_reference.sh tests/cli/test_documents.sh
tests/io/test_npy tests/io/test_xml tests/hmc/test_toy tests/hmc/test_state'
# selected FILE...: the tests for these files, without the one that always runs
selected() { echo "$all" | python3 "$tool" . --files "$@" | sed 's|tests/||g; s|check_text.sh *||'; }
# selects "FILES" "TESTS" SENTENCE
selects() {
    # shellcheck disable=SC2086  # a list of files
    found=$(selected $1)
    holds "$3: $1: $found" [ "$found" = "$2" ]
}

holds "the checks of the whole source always run" \
    [ "$(echo "$all" | python3 "$tool" . --files)" = tests/check_text.sh ]
selects src/io/xml.c 'cli/test_reference.sh io/test_npy io/test_xml' "a source has the tests of its folder"
selects src/io/npy.c 'cli/test_reference.sh io/test_npy io/test_xml hmc/test_state' \
    "and those elsewhere that include its header"
selects src/io/deep/npy.h 'cli/test_reference.sh io/test_npy io/test_xml' "a folder in a folder has those of the outer"
selects lime/lime.c 'io/test_npy io/test_xml' "a folder without tests of its name has those of the list"
selects src/cli/bench/a.c cli/test_reference.sh "a folder of the list has no others"
selects src/options/options.c 'cli/test_run.sh cli/test_reference.sh cli/test_documents.sh' "also one in src"
selects tests/hmc/test_toy.c hmc/test_toy "a test has itself"
selects tests/cli/test_run.sh cli/test_run.sh "also one that is a script"
selects tests/hmc/stream.sh cli/test_run.sh "what a script reads has that script"
selects tests/hmc/deep.c hmc/test_toy "what tests share has those that use it through others"
selects tests/hmc/unused.h 'hmc/test_toy hmc/test_state' "and those of its folder if none does"
selects docs/a.md 'cli/test_reference.sh cli/test_documents.sh' "a document has the tests of documents"
selects README.md 'cli/test_reference.sh cli/test_documents.sh' "wherever it is"
selects tests/mutations/a.patch '' "a mutation has none"
selects 'tests/hmc/test_toy.c tests/io/test_xml.c' 'io/test_xml hmc/test_toy' "several files have all theirs, in order"

if command -v git >/dev/null 2>&1; then
    commit() { git add . && git -c user.name=n -c user.email=n@n commit -q -m "$1"; }
    # since [COMMIT]: the same for what differs from a commit
    since() { echo "$all" | python3 "$tool" . "$@" 2>../said | sed 's|tests/||g; s|check_text.sh *||'; }
    git init -q . && commit begin
    holds "without a commit there must be origin/main or a tag" sh -c '! python3 "$1" . </dev/null 2>said' - "$tool"
    holds "and this is said" grep -q "give SINCE=COMMIT" said
    rm said
    holds "where nothing has changed no test is selected" [ -z "$(since HEAD)" ]
    git tag v1 && echo changed >>tests/io/test_xml.c && commit next && echo '/* */' >>tests/hmc/test_state.c
    holds "changes of the working tree count" [ "$(since HEAD)" = hmc/test_state ]
    holds "and those of commits" [ "$(since HEAD~1)" = 'io/test_xml hmc/test_state' ]
    holds "the last tag is the usual commit" [ "$(since)" = 'io/test_xml hmc/test_state' ]
    holds "and the message names it" grep -q '^2 files differ from v1$' ../said
    git update-ref refs/remotes/origin/main HEAD
    holds "unless there is origin/main" [ "$(since)" = hmc/test_state ]
    touch docs.md && git rm -q src/io/npy.c
    holds "new files count, and files that were removed" [ "$(since)" = \
        'cli/test_reference.sh cli/test_documents.sh io/test_npy io/test_xml hmc/test_state' ]
    holds "a commit that is not there is an error" sh -c '! python3 "$1" . none </dev/null 2>../said' - "$tool"
    holds "and the message names it" grep -q "git cannot compare with none" ../said
else
    skip "the tests for what differs from a commit" "there is no git"
fi
facts_end
