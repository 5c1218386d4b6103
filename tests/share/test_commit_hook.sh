#!/bin/sh
# The hook for commit messages accepts the form that CONTRIBUTING.md asks for, and refuses others.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
hook=$(pwd)/share/git_hooks
quickstart=$(pwd)/quickstart
if ! [ -e "$hook/commit-msg" ] || ! command -v git >/dev/null 2>&1; then
    skip "commit messages" "the source tree is not here"
    facts_end
fi
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 99
unset GIT_DIR GIT_INDEX_FILE GIT_WORK_TREE
git init -q . && git config user.name nobody && git config user.email nobody@there

# quickstart, in a clone without and with the setting; HOME is empty, so that a user's own settings are not seen.
HOME=$scratch/home XDG_CONFIG_HOME=$scratch/home
export HOME XDG_CONFIG_HOME
offer() {
    (say() { printf '%s\n' "$*"; } && eval "$(sed -n '/^offer_hook()/,/^}/p' "$quickstart")" && offer_hook)
}
offered=$(offer)
holds "quickstart prints the command that turns the hook on" \
    expr "$offered" : '.*: git config core.hooksPath share/git_hooks$'
holds "and does not run it" sh -c '! git config core.hooksPath'
git config core.hooksPath "$hook"
none "it is silent where the hook is on" "$(offer)"
holds "git can run the hook" [ -x "$hook/commit-msg" ]

# commits FILE MESSAGE: whether a change of the file may be committed with the message.
commits() {
    mkdir -p "$(dirname "$1")" && echo "$2" >>"$1" && git add "$1" && git commit -q -m "$2"
}
refuses() {
    ! commits "$@" && git reset -q
}

x36=xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
why='

Because of something.'
holds "a document needs a subject only" commits docs/page.md "A page"
holds "a subject may have 72 columns" commits docs/page.md "$x36$x36"
holds "in any language" commits docs/page.md "$(echo "$x36$x36" | sed 's/x/ü/g')"
holds "but not 73" refuses docs/page.md "x$x36$x36"
holds "the second line is empty" refuses docs/page.md "A page
and more"
holds "the program changes with a reason" commits src/a.c "A file$why"
holds "and not without" refuses src/a.c "A file"
holds "a name is no reason" refuses gpu/a.cu "A file

Signed-off-by: Nobody <nobody@there>"
holds "a merge is git's own" commits src/a.c "Merge branch 'a'"
git checkout -q . && git reset -q
echo more >>src/a.c && git add src/a.c
echo "# a comment that is longer than a subject may be, which git takes out of the message" >comment
{ echo "A file"; cat comment; } >message
holds "comments are no body" sh -c "! '$hook/commit-msg' message"
{ cat message; echo "$why"; } >with_body
holds "and no subject" "$hook/commit-msg" with_body
facts_end
