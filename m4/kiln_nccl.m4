# KILN_NCCL: --with-nccl=DIR|no|auto, for GPUs of many nodes.  After KILN_CUDA.
#
# NCCL is opened when a run needs it, so that a build needs nothing of it: NCCL_LIBRARY is what it opens, a name that the
# loader looks up, or a file below DIR.  Where nccl.h is found, gpu/nccl.c compares its own declarations.
AC_DEFUN([KILN_NCCL], [
    AC_ARG_WITH([nccl],
        [AS_HELP_STRING([--with-nccl=DIR|no],
            [NCCL, for GPUs of many nodes (default: libnccl.so.2 of the machine that a run is on)])],
        [], [with_nccl=auto])
    NCCL_CPPFLAGS=
    kiln_nccl=no
    kiln_nccl_library=libnccl.so.2
    AS_IF([test "x$with_nccl" = xno], [kiln_nccl_summary="no: not wanted"],
          [test -z "$NVCC"], [kiln_nccl_summary="no: no CUDA"],
          [kiln_nccl=yes])
    AS_IF([test $kiln_nccl = yes], [
        AS_CASE([$with_nccl], [yes|auto], [], [
            kiln_nccl_library=
            for dir in "$with_nccl/lib" "$with_nccl/lib64"; do
                AS_IF([test -z "$kiln_nccl_library" && test -f "$dir/libnccl.so.2"],
                    [kiln_nccl_library=`cd "$dir" && pwd -P`/libnccl.so.2])
            done
            AS_IF([test -z "$kiln_nccl_library"],
                [AC_MSG_ERROR([--with-nccl=$with_nccl: no lib/libnccl.so.2 there])])
            NCCL_CPPFLAGS="-I$with_nccl/include"])
        kiln_saved_cppflags=$CPPFLAGS
        CPPFLAGS="$CPPFLAGS $NCCL_CPPFLAGS $CUDA_CPPFLAGS"
        AC_CHECK_HEADERS([nccl.h])
        CPPFLAGS=$kiln_saved_cppflags
        AC_DEFINE_UNQUOTED([NCCL_LIBRARY], ["$kiln_nccl_library"], [what a run opens as NCCL])
        kiln_nccl_summary="$kiln_nccl_library, opened when a run needs it"
    ])
    AS_IF([test $kiln_nccl = no], [kiln_nccl_library=])
    AC_SUBST([NCCL_NAME], [$kiln_nccl_library])
    AC_SUBST([NCCL_CPPFLAGS])
    AM_CONDITIONAL([NCCL], [test $kiln_nccl = yes])
])
