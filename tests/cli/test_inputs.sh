#!/bin/sh
# Every input of input/ passes kiln check without a warning, writes to its own folder of ../ensembles, and is in the
# table of the README.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh

if [ ! -e input ] || [ ! -e README.md ]; then
    skip "the inputs" "the source tree is not here"
    facts_end
fi
for input in input/*.yaml; do
    name=$(basename "$input" .yaml)
    said=$("$KILN_PROGRAM" check "$input" 2>&1 >/dev/null)
    holds "$name passes kiln check: ${said:-no warning}" test $? = 0 -a -z "$said"
    holds "$name writes to ../ensembles/$name" grep -q "^  directory: \.\./ensembles/$name\$" "$input"
    holds "$name is in the table of the README" grep -q "^| .* | \`$name.yaml\` | .* |\$" README.md
done
facts_end
