# KILN_SANITIZERS: --enable-sanitizers builds everything under AddressSanitizer and UBSan.
# It stands before AC_PROG_CC, since it sets the default of CFLAGS.
AC_DEFUN([KILN_SANITIZERS], [
    AC_ARG_ENABLE([sanitizers],
        [AS_HELP_STRING([--enable-sanitizers], [AddressSanitizer and UBSan in host code and single-precision CPU kernels])],
        [], [enable_sanitizers=no])
    AS_IF([test "x$enable_sanitizers" != xno], [
        : ${CFLAGS="-g1 -O1"}
        SANITIZER_FLAGS="-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer"
        KERNEL_SANITIZER_FLAGS="-fno-sanitize=null,alignment,object-size,pointer-overflow"
    ], [
        : ${CFLAGS="-g1 -O3"}
        SANITIZER_FLAGS=
        KERNEL_SANITIZER_FLAGS=
    ])
    AC_SUBST([SANITIZER_FLAGS])
    AC_SUBST([KERNEL_SANITIZER_FLAGS])
])
