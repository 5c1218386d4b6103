#!/bin/sh
# make_pictures.sh KILN - remakes report.svg, watch.svg and example_report.html beside this script with the program
# KILN: runs input/quickstart.yaml in a folder of its own (minutes on two cores), writes the page of kiln watch during
# the run, and the report of the finished ensemble, and prints its status, which README.md quotes.
docs=$(cd "$(dirname "$0")" && pwd) || exit 1
kiln=$(cd "$(dirname "${1:?usage: docs/make_pictures.sh KILN}")" && pwd)/$(basename "$1") || exit 1
seen=50        # trajectories when the page is taken

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
mkdir "$work/input" && cp "$docs/../input/quickstart.yaml" "$work/input/" && cd "$work" || exit 1

GOMP_SPINCOUNT=${GOMP_SPINCOUNT:-1000} "$kiln" run input/quickstart.yaml --quiet &
run=$!
while kill -0 $run 2>/dev/null && [ "$(cat ensembles/quickstart/run.jsonl 2>/dev/null | wc -l)" -lt $seen ]; do
    sleep 1
done
COLUMNS=104 LINES=42 "$kiln" watch ensembles/quickstart --picture "$docs/watch.svg" </dev/null || exit 1
wait $run || exit 1
"$kiln" report ensembles/quickstart --picture "$docs/report.svg" || exit 1
"$kiln" report ensembles/quickstart --output - >"$docs/example_report.html" || exit 1
echo "written: $docs/watch.svg $docs/report.svg $docs/example_report.html"
"$kiln" status ensembles/quickstart
