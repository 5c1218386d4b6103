# KILN_MPI: --with-mpi=DIR|no|auto, for runs of many processes.
#
# The flags are those of mpicc (Open MPI, MPICH and its relatives); the compiler stays CC.  auto takes mpicc from PATH
# and goes without where it is missing or does not work; a DIR (or "yes") that was asked for must work.

# KILN_NO_MPI(why): stop where MPI was asked for, go without where it was not.
AC_DEFUN([KILN_NO_MPI], [
    AS_IF([test "x$with_mpi" != xauto], [AC_MSG_ERROR([--with-mpi=$with_mpi: $1])])
    kiln_mpi_summary="no: $1"
    MPICC=
])

AC_DEFUN([KILN_MPI], [
    AC_ARG_WITH([mpi],
        [AS_HELP_STRING([--with-mpi=DIR|no], [MPI, for runs of many processes (default: where mpicc is found)])],
        [], [with_mpi=auto])
    AC_ARG_VAR([MPICC], [compiler command of MPI, which is asked for its flags])
    MPI_CPPFLAGS=
    MPI_LIBS=
    AS_CASE([$with_mpi],
        [no], [MPICC=; kiln_mpi_summary="no: not wanted"],
        [yes|auto], [AC_PATH_PROG([MPICC], [mpicc])
                     AS_IF([test -z "$MPICC"], [KILN_NO_MPI([no mpicc on PATH])])],
        [AC_PATH_PROG([MPICC], [mpicc], [], [$with_mpi/bin])
         AS_IF([test -z "$MPICC"], [KILN_NO_MPI([no mpicc in $with_mpi/bin])])])

    AS_IF([test -n "$MPICC"], [
        AC_MSG_CHECKING([for the flags of $MPICC])
        # Open MPI tells them apart; MPICH shows the whole command, of which the first word is its compiler.
        AS_IF([kiln_mpi_compile=`$MPICC --showme:compile 2>/dev/null`],
            [kiln_mpi_link=`$MPICC --showme:link 2>/dev/null`],
            [kiln_mpi_compile=`$MPICC -show 2>/dev/null | sed 's/^@<:@^ @:>@*//'`
             kiln_mpi_link=$kiln_mpi_compile])
        for word in $kiln_mpi_compile; do
            AS_CASE([$word], [-I*|-D*], [MPI_CPPFLAGS="$MPI_CPPFLAGS $word"])
        done
        for word in $kiln_mpi_link; do
            AS_CASE([$word], [-L*|-l*|-Wl,*|*.a|*.so|-pthread], [MPI_LIBS="$MPI_LIBS $word"])
        done
        AC_MSG_RESULT([$MPI_CPPFLAGS$MPI_LIBS])

        AC_MSG_CHECKING([whether $CC links with MPI])
        kiln_saved_cppflags=$CPPFLAGS
        kiln_saved_libs=$LIBS
        CPPFLAGS="$CPPFLAGS $MPI_CPPFLAGS"
        LIBS="$MPI_LIBS $LIBS"
        AC_LINK_IFELSE([AC_LANG_PROGRAM([#include <mpi.h>
#if MPI_VERSION < 3
#error
#endif
                                        ], [MPI_Request r; return MPI_Ibarrier(MPI_COMM_WORLD, &r);])],
            [AC_MSG_RESULT([yes])],
            [AC_MSG_RESULT([no])
             KILN_NO_MPI([$CC cannot link with the flags of $MPICC, or its MPI is older than 3.0 (see config.log).  On Debian and Ubuntu: apt-get install libopenmpi-dev openmpi-bin])])
        CPPFLAGS=$kiln_saved_cppflags
        LIBS=$kiln_saved_libs
    ])

    AS_IF([test -n "$MPICC"], [
        kiln_mpi_version=`$MPICC --showme:version 2>/dev/null | sed 's/^@<:@^:@:>@*: *//; s/ *(.*//'`
        AS_IF([test -z "$kiln_mpi_version"], [kiln_mpi_version=`$MPICC -v 2>/dev/null | sed -n 's/^mpicc for //p'`])
        AS_IF([test -z "$kiln_mpi_version"], [kiln_mpi_version=yes])
        kiln_mpi_summary="$kiln_mpi_version, flags of $MPICC"
        AC_DEFINE([HAVE_MPI], [1], [runs of many processes are compiled in])
    ], [
        kiln_mpi_version=
        MPI_CPPFLAGS=
        MPI_LIBS=
    ])
    MPI_VERSION=$kiln_mpi_version
    AC_SUBST([MPI_VERSION])
    AC_SUBST([MPI_CPPFLAGS])
    AC_SUBST([MPI_LIBS])
    AM_CONDITIONAL([MPI], [test -n "$MPICC"])
])
