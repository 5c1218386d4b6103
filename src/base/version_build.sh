#!/bin/sh
# version_build.sh - writes the header that tells a program how it was built; touches it only when that changes.
#
#     version_build.sh SOURCE_FOLDER RELEASE OUTPUT
#     in the build folder, with CC, CFLAGS, CPU_ARCH_FLAGS, LIME, MPI, NCCL, NVCC, NVCC_FLAGS in the environment
#
#   KILN_RELEASE      "0.1.0"
#   KILN_COMMIT       "1a2b3c4", as version_commit.sh tells it
#   KILN_DATE         date of the release, as CITATION.cff has it: "2026-01-31"
#   KILN_CONFIGURE    options of configure: "'--with-cuda=no'"
#   KILN_COMPILER     "gcc (Debian 12.2.0-14) 12.2.0"
#   KILN_FLAGS        flags of the C compiler
#   KILN_KERNEL_FLAGS what CPU kernels get beyond those
#   KILN_VECTOR_BITS  width of the vectors of the CPU kernels, as src/site/real_vector.h chooses it
#   KILN_FUSED        whether their multiply-adds are fused, as src/site/real_vector.h chooses it: 1 or 0
#   KILN_LIME         which implementation of LIME is linked
#   KILN_MPI          which MPI is linked, or ""
#   KILN_NCCL         what a run opens as NCCL, or ""
#   KILN_NVCC         "Cuda compilation tools, release 13.0, V13.0.88", or "" without CUDA
#   KILN_NVCC_FLAGS   flags of nvcc, or "" without CUDA
source_folder=$1
release=$2
output=$3

# The text as a C string.
quoted() {
    printf '"%s"' "$(printf '%s' "$*" | tr '\n\t' '  ' | sed 's/  */ /g; s/[\\"]/\\&/g; s/^ //; s/ $//')"
}

commit=$("$SHELL" "$(dirname "$0")/version_commit.sh" "$source_folder" "$release")
date=$(sed -n 's/^date-released: *\([0-9-]*\).*/\1/p' "$source_folder/CITATION.cff" 2>/dev/null)

# The bits of a vector instruction that the kernels' flags allow.
macros=$($CC $CFLAGS $CPU_ARCH_FLAGS -dM -E -x c /dev/null 2>/dev/null)
case $macros in
*__AVX512F__*) vector_bits=512 ;;
*__AVX__*) vector_bits=256 ;;
*) vector_bits=128 ;;
esac
case $macros in
*__FMA__\ * | *__FP_FAST_FMA\ *) fused=1 ;;
*) fused=0 ;;
esac

{
    echo "/* version_build.h - how this program was built; written by make. */"
    echo "#ifndef KILN_CLI_VERSION_BUILD_H"
    echo "#define KILN_CLI_VERSION_BUILD_H"
    echo
    echo "#define KILN_RELEASE      $(quoted "$release")"
    echo "#define KILN_COMMIT       $(quoted "$commit")"
    echo "#define KILN_DATE         $(quoted "$date")"
    echo "#define KILN_CONFIGURE    $(quoted "$($SHELL ./config.status --config 2>/dev/null)")"
    echo "#define KILN_COMPILER     $(quoted "$($CC --version 2>/dev/null | head -n 1)")"
    echo "#define KILN_FLAGS        $(quoted "$CFLAGS")"
    echo "#define KILN_KERNEL_FLAGS $(quoted "$CPU_ARCH_FLAGS")"
    echo "#define KILN_VECTOR_BITS  $vector_bits"
    echo "#define KILN_FUSED        $fused"
    echo "#define KILN_LIME         $(quoted "$LIME")"
    echo "#define KILN_MPI          $(quoted "$MPI")"
    echo "#define KILN_NCCL         $(quoted "$NCCL")"
    echo "#define KILN_NVCC         $(quoted "$(${NVCC:-:} --version 2>/dev/null | sed -n '/release/p')")"
    echo "#define KILN_NVCC_FLAGS   $(quoted "${NVCC:+$NVCC_FLAGS}")"
    echo
    echo "#endif"
} >"$output.new"

if cmp -s "$output.new" "$output"; then
    rm -f "$output.new"
else
    mv -f "$output.new" "$output"
fi
