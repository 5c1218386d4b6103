# mpirun.sh - for tests with ranks that are processes: source it after facts.sh.
#
#     $no_mpi      why there are none here; empty if there are
#     $mpirun      the words before "-n N PROGRAM"

mpirun=mpirun
no_mpi=
if ! "${KILN_PROGRAM:-kiln}" version | grep -q '^ *MPI  *[^ n]'; then
    no_mpi="this program was built without MPI"
elif ! command -v mpirun >/dev/null 2>&1; then
    no_mpi="there is no mpirun"
elif mpirun --version 2>/dev/null | grep -q 'Open MPI\|OpenRTE'; then
    mpirun="mpirun --oversubscribe"
fi

# Open MPI asks for these; leaks of the MPI library are not ours.
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMP_NUM_THREADS=1
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMP_NUM_THREADS ASAN_OPTIONS
