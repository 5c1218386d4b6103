# KILN_LIBRARIES: OpenMP, GSL, libyaml, zlib and MPFR with its GMP.  All that is missing is told at once, with Debian's
# package names.

# KILN_LIBRARY(name, header, function, libraries to try, package)
AC_DEFUN([KILN_LIBRARY], [
    kiln_found=yes
    AC_CHECK_HEADER([$2], [], [kiln_found=no])
    AS_IF([test $kiln_found = yes], [AC_SEARCH_LIBS([$3], [$4], [], [kiln_found=no])])
    AS_IF([test $kiln_found = no], [
        kiln_missing="$kiln_missing $1"
        kiln_packages="$kiln_packages $5"
    ])
])

AC_DEFUN([KILN_LIBRARIES], [
    kiln_missing=
    kiln_packages=
    AS_IF([test -z "$OPENMP_CFLAGS" && test "x$ac_cv_prog_c_openmp" != "xnone needed"], [
        kiln_missing="$kiln_missing OpenMP"
        AS_CASE([$CC], [*clang*], [kiln_packages="$kiln_packages libomp-dev"], [kiln_packages="$kiln_packages gcc"])
    ])
    AC_SEARCH_LIBS([sqrt], [m])
    AC_SEARCH_LIBS([dlopen], [dl])
    AC_SEARCH_LIBS([cblas_dgemm], [gslcblas])
    KILN_LIBRARY([GSL], [gsl/gsl_version.h], [gsl_sf_ellint_Kcomp], [gsl], [libgsl-dev])
    KILN_LIBRARY([libyaml], [yaml.h], [yaml_parser_initialize], [yaml], [libyaml-dev])
    KILN_LIBRARY([zlib], [zlib.h], [crc32_combine], [z], [zlib1g-dev])
    AC_SEARCH_LIBS([__gmpz_init], [gmp])
    KILN_LIBRARY([MPFR], [mpfr.h], [mpfr_init2], [mpfr], [libmpfr-dev])
    AS_IF([test -n "$kiln_missing"],
        [AC_MSG_ERROR([not found:$kiln_missing.  On Debian and Ubuntu: apt-get install$kiln_packages])])
])
