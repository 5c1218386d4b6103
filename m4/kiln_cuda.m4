# KILN_CUDA: --with-cuda=DIR|no|auto and --with-cuda-arch="90 80".
#
# auto takes nvcc from PATH or /usr/local/cuda and goes without where it is missing, too old or cannot compile;
# a DIR (or "yes") that was asked for must work.
m4_define([KILN_CUDA_MAJOR], [12])
m4_define([KILN_CUDA_MINOR], [4])

# KILN_NO_CUDA(why): stop where CUDA was asked for, warn and go without where it was not.
AC_DEFUN([KILN_NO_CUDA], [
    AS_IF([test "x$with_cuda" != xauto],
        [AC_MSG_ERROR([--with-cuda=$with_cuda: $1])],
        [AC_MSG_WARN([$1; going on without CUDA])])
    kiln_cuda_summary="no: $1"
    NVCC=
])

# The compute capabilities to compile for, and the flags that say so: machine code for each, PTX for the highest.
AC_DEFUN([KILN_CUDA_ARCH], [
    AC_ARG_WITH([cuda-arch],
        [AS_HELP_STRING([--with-cuda-arch="90 80"],
            [compute capabilities (default: those of the GPUs of this machine, else 90)])],
        [kiln_cuda_arch=$withval], [kiln_cuda_arch=])
    AS_IF([test -z "$kiln_cuda_arch"],
        [kiln_cuda_arch=`nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null |
                         tr -d '. ' | grep -x '@<:@0-9@:>@@<:@0-9@:>@*' | sort -un`])
    AS_IF([test -z "$kiln_cuda_arch"], [kiln_cuda_arch=90])
    kiln_cuda_arch=`echo "$kiln_cuda_arch" | sed 's/sm_//g' | tr ',. ' '\n \n' | tr -d ' ' | sort -un`
    CUDA_ARCH_FLAGS=
    for arch in $kiln_cuda_arch; do
        CUDA_ARCH_FLAGS="$CUDA_ARCH_FLAGS -gencode arch=compute_$arch,code=sm_$arch"
    done
    CUDA_ARCH_FLAGS="$CUDA_ARCH_FLAGS -gencode arch=compute_$arch,code=compute_$arch"
    kiln_cuda_arch=`echo $kiln_cuda_arch`
])

AC_DEFUN([KILN_CUDA], [
    AC_ARG_WITH([cuda],
        [AS_HELP_STRING([--with-cuda=DIR|no|auto], [CUDA toolkit, 12.4 or later (default: where nvcc is found)])],
        [], [with_cuda=auto])
    AC_ARG_VAR([NVCC], [CUDA compiler])
    AC_ARG_VAR([NVCCFLAGS], [further flags of the CUDA compiler, such as -ccbin g++-13])
    CUDA_DIR=
    AS_CASE([$with_cuda],
        [no], [NVCC=; kiln_cuda_summary="no: not wanted"],
        [yes|auto], [AC_PATH_PROG([NVCC], [nvcc], [], [$PATH:/usr/local/cuda/bin])
                     AS_IF([test -z "$NVCC"], [KILN_NO_CUDA([no nvcc on PATH or in /usr/local/cuda/bin])])],
        [AC_PATH_PROG([NVCC], [nvcc], [], [$with_cuda/bin])
         AS_IF([test -z "$NVCC"], [KILN_NO_CUDA([no nvcc in $with_cuda/bin])])])

    AS_IF([test -n "$NVCC"], [
        AC_MSG_CHECKING([the version of $NVCC])
        kiln_cuda_version=`$NVCC --version | sed -n 's/.*release \(@<:@0-9@:>@*\.@<:@0-9@:>@*\).*/\1/p'`
        AC_MSG_RESULT([$kiln_cuda_version])
        AS_VERSION_COMPARE([$kiln_cuda_version], [KILN_CUDA_MAJOR.KILN_CUDA_MINOR],
            [KILN_NO_CUDA([$NVCC is of CUDA $kiln_cuda_version but KILN_CUDA_MAJOR.KILN_CUDA_MINOR or later is needed])])
    ])

    AS_IF([test -n "$NVCC"], [
        KILN_CUDA_ARCH
        # nvcc knows its toolkit, also where the compiler is a link or a wrapper.
        CUDA_DIR=`$NVCC -dryrun -x cu /dev/null 2>&1 | sed -n 's/^#\$ TOP=//p'`
        CUDA_DIR=`cd "$CUDA_DIR" 2>/dev/null && pwd -P`
        CUDA_LIBDIR=
        for dir in "$CUDA_DIR/lib64" "$CUDA_DIR"/targets/*/lib /usr/lib/*-linux-gnu; do
            AS_IF([test -z "$CUDA_LIBDIR" && test -f "$dir/libcudart_static.a"], [CUDA_LIBDIR=$dir])
        done
        AS_IF([test -z "$CUDA_LIBDIR"], [KILN_NO_CUDA([no libcudart_static.a below $CUDA_DIR])])
    ])

    AS_IF([test -n "$NVCC"], [
        AC_MSG_CHECKING([whether $NVCC compiles for$CUDA_ARCH_FLAGS])
        echo '__global__ void set(int *x) { *x = 1; }' >conftest.cu
        AS_IF([$NVCC $NVCCFLAGS $CUDA_ARCH_FLAGS -c -o conftest.o conftest.cu >&AS_MESSAGE_LOG_FD 2>&1],
            [AC_MSG_RESULT([yes])],
            [AC_MSG_RESULT([no])
             KILN_NO_CUDA([nvcc cannot compile for compute capability $kiln_cuda_arch (config.log has its message)])])
        rm -f conftest.cu conftest.o
    ])

    AS_IF([test -n "$NVCC"], [
        AC_DEFINE([HAVE_CUDA], [1], [the CUDA backend is compiled in])
        CUDA_CPPFLAGS="-isystem $CUDA_DIR/include"
        CUDA_LIBS="-L$CUDA_LIBDIR -lcudart_static -lstdc++ -ldl -lrt -lpthread"
        kiln_cuda_summary="$kiln_cuda_version in $CUDA_DIR, compute capability $kiln_cuda_arch"
    ])
    AC_SUBST([CUDA_CPPFLAGS])
    AC_SUBST([CUDA_LIBS])
    AC_SUBST([CUDA_ARCH_FLAGS])
    AM_CONDITIONAL([CUDA], [test -n "$NVCC"])
])
