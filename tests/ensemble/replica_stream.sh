# replica_stream.sh - what tests share of streams of parallel tempering: fields_stream.sh, and the record of swaps.
. ./tests/ensemble/fields_stream.sh

# The part of the record that tells of swaps.
swaps_of() {
    sed 's/.*"tempering": //; s/, "unitarity".*//' "$1/run.jsonl"
}
same_rest() {
    swaps_of "$1" >swaps.1
    swaps_of "$2" >swaps.2
    cmp swaps.1 swaps.2
}
