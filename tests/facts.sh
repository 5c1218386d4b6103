# facts.sh - TAP for tests that are shell scripts, as facts.h is for C: source it, state facts, end with facts_end.
#
#     holds SENTENCE COMMAND...      a fact when the command succeeds; its output is shown when it does not
#     none SENTENCE OFFENDERS        a fact when the text is empty; the offenders are shown when it is not
#     skip SENTENCE WHY
#     facts_end                      prints the plan and ends the script

facts=0
failed=0

emit() {
    facts=$((facts + 1))
    [ "$1" = ok ] || failed=1
    echo "$1 $facts - $2"
    [ -z "$3" ] || printf '%s\n' "$3" | sed 's/^/# /'
}

holds() {
    sentence=$1
    shift
    if output=$("$@" 2>&1); then
        emit ok "$sentence"
    else
        emit 'not ok' "$sentence" "$output"
    fi
}

none() {
    if [ -z "$2" ]; then
        emit ok "$1"
    else
        emit 'not ok' "$1" "$2"
    fi
}

skip() {
    emit ok "$1 # SKIP $2"
}

facts_end() {
    echo "1..$facts"
    exit $failed
}
