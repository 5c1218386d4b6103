#!/bin/sh
# join_tests.sh FOLDER OBJECT... - prepares one program of many test programs: into FOLDER goes each object with its
# main() renamed, and kiln-tests.c, which calls one of them by name.
set -e
folder=$1
shift
rm -rf "$folder"
mkdir -p "$folder"

names=
for object in "$@"; do
    name=$(basename "$object" | sed 's/\.[^.]*$//')
    names="$names $name"
    ${OBJCOPY:-objcopy} --redefine-sym "main=main_$name" "$object" "$folder/$name.o"
done

{
    echo '/* kiln-tests.c - the test programs in one: kiln-tests NAME runs a test, no name lists them. */'
    echo '#include <stdio.h>'
    echo '#include <string.h>'
    for name in $names; do
        echo "int main_$name(int argc, char **argv);"
    done
    echo 'static const struct { const char *name; int (*main)(int, char **); } tests[] = {'
    for name in $names; do
        echo "    { \"$name\", main_$name },"
    done
    cat <<'END'
};

int main(int argc, char **argv)
{
    for (unsigned i = 0; i < sizeof tests / sizeof tests[0]; i++)
        if (argc < 2)
            puts(tests[i].name);
        else if (strcmp(argv[1], tests[i].name) == 0)
            return tests[i].main(argc - 1, argv + 1);
    return argc < 2 ? 0 : 2;
}
END
} >"$folder/kiln-tests.c"
