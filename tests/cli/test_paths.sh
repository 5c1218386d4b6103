#!/bin/sh
# What an input names does not depend on where the command is given, nor an ensemble on where its folder lies.
cd "${srcdir:-.}" || exit 99
top=$PWD
. ./tests/facts.sh
. ./tests/ensemble/stream.sh
here=$(pwd -P)

# in_folder FOLDER COMMAND...: what it says is in the files `said` and `put_out`.
in_folder() {
    folder=$1
    shift
    (cd "$folder" && "$@") >"$here/put_out" 2>"$here/said"
}
kiln_run() {
    "$KILN_PROGRAM" run "$@" --device "${KILN_DEVICE:-auto}"
}
mkdir inputs elsewhere
sed 's/directory: unnamed/directory: ..\/ensembles\/one/' run.yaml >inputs/one.yaml

holds "an input is run beside its folder" ends 0 in_folder . kiln_run inputs/one.yaml --trajectories 1
holds "in its folder" ends 0 in_folder inputs kiln_run one.yaml --trajectories 1
holds "and elsewhere" ends 0 in_folder elsewhere kiln_run ../inputs/one.yaml --trajectories 1
holds "all three made the same stream, which lies where the input says" \
    [ "$(grep -c trajectory ensembles/one/run.jsonl)" = 3 ]
holds "and nothing else" [ "$(ls -d ./*/ | tr '\n' ' ')" = \
    "./elsewhere/ ./ensembles/ ./inputs/ " -a -z "$(ls elsewhere)" ]
holds "the log names the input and the ensemble by their absolute paths, the same from everywhere" \
    [ "$(grep -c "input $here/inputs/one.yaml, ensemble $here/ensembles/one\$" ensembles/one/run.log)" = 3 ]

# What --set says counts from the working directory, whichever key it is over.
in_folder elsewhere kiln_run ../inputs/one.yaml --set output.directory=two --trajectories 1
holds "an output.directory of --set counts from the working directory" [ -e elsewhere/two/run.jsonl ]
in_folder elsewhere kiln_run ../inputs/one.yaml --set output='{ directory: three, name: c }' --trajectories 1
holds "so it does inside a mapping of --set" [ -e elsewhere/three/run.jsonl ]
cp ensembles/one/c.000002.lime elsewhere/start.lime
holds "and so does start.file" ends 0 in_folder elsewhere kiln_run ../inputs/one.yaml --trajectories 1 \
    --set start='{ from: file, file: start.lime }' --set output.directory=four
holds "as the log says" grep -q "start from $here/elsewhere/start.lime" said
holds "a start.file that is not there" ends 2 in_folder . kiln_run inputs/one.yaml --set start.from=file \
    --set start.file=start.lime --set output.directory=five
holds "is named by the path that was looked for" grep -q "$here/start.lime: cannot be opened" said

# What an ensemble says of itself holds wherever its folder lies.
(cd inputs && kiln_run one.yaml --set output.directory=../moved --trajectories 3 --quiet)
holds "the same parameters are the same file, wherever the command is given and the ensemble lies" \
    cmp ensembles/one/parameters.yaml moved/parameters.yaml
mkdir far
mv ensembles/one far/one
holds "an ensemble that was moved is whole" ends 0 in_folder elsewhere "$KILN_PROGRAM" audit ../far/one
holds "its own parameters continue it where it is now" ends 0 in_folder elsewhere kiln_run ../far/one/parameters.yaml
holds "as the stream that it is" ends 0 in_folder . kiln_run inputs/one.yaml --set output.directory=moved
holds "bit for bit" same_stream far/one moved
holds "and nothing appears where it was" [ ! -e ensembles/one ]

# A new segment: the files of both parameters are the same as well.
for folder in far/one moved; do
    in_folder elsewhere kiln_run ../inputs/one.yaml --set output.directory=../$folder --trajectories 1 \
        --set hmc.levels.0.steps=4 --new-segment --reason paths
done
none "a new segment writes the same files, wherever" "$(
    for file in parameters.yaml parameters.000006.yaml; do cmp far/one/$file moved/$file; done
    sed 's/"time".*//' far/one/segments.jsonl >segments.1
    sed 's/"time".*//' moved/segments.jsonl | diff segments.1 -)"

# Scripts for SLURM run in the folder in which they were asked for.
(cd elsewhere && "$KILN_PROGRAM" submit ../inputs/one.yaml --gpus 0 --cpus 1 --output job.sh 2>/dev/null)
holds "a script of kiln submit makes the input's ensemble from anywhere" ends 0 in_folder / \
    sh "$here/elsewhere/job.sh"
holds "where the input says" [ "$(grep -c trajectory ensembles/one/run.jsonl)" = 6 ]

# The folder of an ensemble in place of its input.
holds "a folder is no input" ends 2 in_folder / kiln_run "$here/ensembles/one"
holds "but if it is that of an ensemble, Kiln names its input" \
    grep -q "ensembles/one is the folder of an ensemble; its input is .*/ensembles/one/parameters.yaml" said
holds "which continues it" ends 0 in_folder / kiln_run "$here/ensembles/one/parameters.yaml"

# An input that is no file lies in no folder.
from_pipe() {
    cat "$here/inputs/one.yaml" | "$KILN_PROGRAM" "$@" /dev/stdin
}
holds "a relative path in an input from a pipe is a fault" ends 2 in_folder elsewhere from_pipe check
holds "that says where and what to do" says "^/dev/stdin:[0-9]*:[0-9]*: output.directory: .*with --set"
holds "with an absolute one it is read" ends 0 in_folder elsewhere from_pipe check --set output.directory=/nowhere/five

holds "the inputs of Kiln make ensembles/NAME beside their folder" [ \
    "$("$KILN_PROGRAM" check "$top/input/quenched_8x8x8x8.yaml" | sed -n 's/^  directory: //p')" \
    = "\"$(cd "$top" && pwd -P)/ensembles/quenched_8x8x8x8\"" ]
facts_end
