# KILN_HDF5: --with-hdf5=DIR|no|auto, for kiln export.
#
# auto asks pkg-config, then looks where Debian and others have the serial library, and goes without where there is
# none; a DIR (with include and lib), or "yes", must work.
AC_DEFUN([KILN_HDF5], [
    AC_ARG_WITH([hdf5],
        [AS_HELP_STRING([--with-hdf5=DIR|no], [HDF5, for kiln export (default: where the library is found)])],
        [], [with_hdf5=auto])
    HDF5_CPPFLAGS=
    HDF5_LIBS=
    kiln_hdf5=no
    kiln_saved_cppflags=$CPPFLAGS
    kiln_saved_libs=$LIBS
    AS_CASE([$with_hdf5],
        [no], [kiln_hdf5_choices=],
        [yes|auto], [kiln_hdf5_choices="pkg plain serial"],
        [kiln_hdf5_choices=dir])
    AS_IF([test -n "$kiln_hdf5_choices"], [AC_MSG_CHECKING([for HDF5])])
    for choice in $kiln_hdf5_choices; do
        AS_IF([test $kiln_hdf5 = yes], [break])
        AS_CASE([$choice],
            [pkg], [kiln_flags=`pkg-config --cflags hdf5 2>/dev/null` && kiln_libs=`pkg-config --libs hdf5 2>/dev/null` ||
                    continue],
            [plain], [kiln_flags= kiln_libs=-lhdf5],
            [serial], [kiln_flags=-I/usr/include/hdf5/serial kiln_libs=-lhdf5_serial],
            [dir], [kiln_flags=-I$with_hdf5/include
                    kiln_libs="-L$with_hdf5/lib -Wl,-rpath,$with_hdf5/lib -lhdf5"])
        CPPFLAGS="$kiln_saved_cppflags $kiln_flags"
        LIBS="$kiln_libs $kiln_saved_libs"
        AC_LINK_IFELSE([AC_LANG_PROGRAM([#include <hdf5.h>], [return H5open();])],
            [kiln_hdf5=yes
             HDF5_CPPFLAGS=$kiln_flags
             HDF5_LIBS=$kiln_libs])
    done
    CPPFLAGS=$kiln_saved_cppflags
    LIBS=$kiln_saved_libs
    AS_IF([test -n "$kiln_hdf5_choices"], [AC_MSG_RESULT([$kiln_hdf5])])
    AS_IF([test $kiln_hdf5 = no && test "x$with_hdf5" != xno && test "x$with_hdf5" != xauto],
        [AC_MSG_ERROR([--with-hdf5=$with_hdf5: $CC cannot compile and link with HDF5 (see config.log).  On Debian and Ubuntu: apt-get install libhdf5-dev])])
    AC_SUBST([HDF5_CPPFLAGS])
    AC_SUBST([HDF5_LIBS])
    AM_CONDITIONAL([HDF5], [test $kiln_hdf5 = yes])
])
