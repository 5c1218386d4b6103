# KILN_LIME: --with-lime=DIR|bundled|auto.  c-lime where it is installed, else lime/ of this tree; both have the same
# interface, <lime.h>.
AC_DEFUN([KILN_LIME], [
    AC_ARG_WITH([lime],
        [AS_HELP_STRING([--with-lime=DIR|bundled|auto],
            [c-lime under DIR, the implementation in this tree, or (default) c-lime where it is installed])],
        [], [with_lime=auto])
    AS_CASE([$with_lime], [no], [with_lime=bundled], [yes], [with_lime=auto])
    LIME_CPPFLAGS=
    kiln_lime=bundled
    AS_IF([test "x$with_lime" != xbundled], [
        kiln_saved_cppflags=$CPPFLAGS
        kiln_saved_ldflags=$LDFLAGS
        AS_IF([test "x$with_lime" != xauto], [
            CPPFLAGS="$CPPFLAGS -I$with_lime/include"
            LDFLAGS="$LDFLAGS -L$with_lime/lib"
        ])
        kiln_lime=installed
        AC_CHECK_HEADER([lime.h], [], [kiln_lime=bundled], [#include <stdio.h>])
        AS_IF([test $kiln_lime = installed],
            [AC_SEARCH_LIBS([limeCreateReader], [lime], [], [kiln_lime=bundled])])
        AS_IF([test $kiln_lime = bundled], [
            CPPFLAGS=$kiln_saved_cppflags
            LDFLAGS=$kiln_saved_ldflags
            AS_IF([test "x$with_lime" != xauto],
                [AC_MSG_ERROR([--with-lime=$with_lime: no lime.h and liblime there (bundled takes the one in this tree)])])
        ])
    ])
    AS_IF([test $kiln_lime = bundled],
        [LIME_CPPFLAGS='-I$(srcdir)/lime'; kiln_lime_summary="the implementation in this tree"],
        [kiln_lime_summary="installed c-lime"])
    AC_SUBST([LIME_CPPFLAGS])
    AM_CONDITIONAL([BUNDLED_LIME], [test $kiln_lime = bundled])
])
