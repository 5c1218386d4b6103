# KILN_CPU_ARCH: --with-cpu-arch, the instruction set that the CPU kernels are compiled for.
# Host code keeps to the compiler's default, so that only the kernels decide which machines a program runs on.
AC_DEFUN([KILN_CPU_ARCH], [
    AC_ARG_WITH([cpu-arch],
        [AS_HELP_STRING([--with-cpu-arch=ARCH],
            [instruction set of the CPU kernels: native (default), x86-64-v3, ..., or generic for the compiler's own])],
        [kiln_cpu_arch=$withval], [kiln_cpu_arch=native])
    AS_CASE([$kiln_cpu_arch],
        [yes], [kiln_cpu_arch=native], [no], [kiln_cpu_arch=generic])
    CPU_ARCH_FLAGS=
    AS_IF([test "x$kiln_cpu_arch" != xgeneric], [
        for flag in "-march=$kiln_cpu_arch" "-mcpu=$kiln_cpu_arch"; do
            AS_IF([test -z "$CPU_ARCH_FLAGS"], [
                AC_MSG_CHECKING([whether $CC accepts $flag])
                kiln_saved=$CFLAGS
                CFLAGS="$CFLAGS $flag -Werror"
                AC_COMPILE_IFELSE([AC_LANG_SOURCE([int answer;])],
                    [CPU_ARCH_FLAGS=$flag; AC_MSG_RESULT([yes])], [AC_MSG_RESULT([no])])
                CFLAGS=$kiln_saved
            ])
        done
        AS_IF([test -z "$CPU_ARCH_FLAGS"],
            [AC_MSG_ERROR([--with-cpu-arch=$kiln_cpu_arch: $CC knows no such instruction set (generic asks for none)])])
    ])
    # A matrix of vectors is half a kilobyte; GCC copies such with `rep movs`, which costs more than a product of two.
    kiln_flag="-mmemcpy-strategy=vector_loop:4096:noalign,libcall:-1:noalign"
    AC_MSG_CHECKING([whether $CC copies by vectors when asked])
    kiln_saved=$CFLAGS
    CFLAGS="$CFLAGS $kiln_flag -Werror"
    AC_COMPILE_IFELSE([AC_LANG_SOURCE([int answer;])],
        [CPU_ARCH_FLAGS="$CPU_ARCH_FLAGS $kiln_flag"; AC_MSG_RESULT([yes])], [AC_MSG_RESULT([no])])
    CFLAGS=$kiln_saved
    AC_SUBST([CPU_ARCH_FLAGS])
])
