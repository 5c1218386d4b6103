# KILN_NCCL: --with-nccl=DIR|no|auto.  It is only looked for: HAVE_NCCL, NCCL_CPPFLAGS, NCCL_LIBS.  After KILN_CUDA.
AC_DEFUN([KILN_NCCL], [
    AC_ARG_WITH([nccl],
        [AS_HELP_STRING([--with-nccl=DIR|no], [NCCL, for GPUs of many nodes (default: where nccl.h is found)])],
        [], [with_nccl=auto])
    NCCL_CPPFLAGS=
    NCCL_LIBS=
    kiln_nccl=no
    AS_IF([test "x$with_nccl" = xno], [kiln_nccl_summary="no: not wanted"],
          [test -z "$NVCC"], [kiln_nccl_summary="no: no CUDA"], [
        AS_CASE([$with_nccl], [yes|auto], [],
            [NCCL_CPPFLAGS="-I$with_nccl/include"; NCCL_LIBS="-L$with_nccl/lib"])
        kiln_saved_cppflags=$CPPFLAGS
        kiln_saved_libs=$LIBS
        CPPFLAGS="$CPPFLAGS $CUDA_CPPFLAGS $NCCL_CPPFLAGS"
        NCCL_LIBS="$NCCL_LIBS -lnccl"
        LIBS="$NCCL_LIBS $LIBS"
        AC_MSG_CHECKING([for NCCL])
        AC_LINK_IFELSE([AC_LANG_PROGRAM([#include <nccl.h>], [int v; return (int)ncclGetVersion(&v);])],
            [kiln_nccl=yes])
        AC_MSG_RESULT([$kiln_nccl])
        CPPFLAGS=$kiln_saved_cppflags
        LIBS=$kiln_saved_libs
        AS_IF([test $kiln_nccl = yes],
            [AC_DEFINE([HAVE_NCCL], [1], [NCCL is there])
             kiln_nccl_summary="found, not used yet"],
            [AS_IF([test "x$with_nccl" != xauto],
                [AC_MSG_ERROR([--with-nccl=$with_nccl: no nccl.h and libnccl there])])
             NCCL_CPPFLAGS=
             NCCL_LIBS=
             kiln_nccl_summary="no: no nccl.h and libnccl"])
    ])
    AC_SUBST([NCCL_CPPFLAGS])
    AC_SUBST([NCCL_LIBS])
])
