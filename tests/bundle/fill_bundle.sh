#!/bin/sh
# fill_bundle.sh SOURCE_FOLDER BUNDLE - adds to the programs in BUNDLE the libraries that they load, the script that
# checks it, the tests' files and the examples; drops debug symbols.
set -e
source_folder=$1
bundle=$2

# libkiln.so is there already; glibc and the driver are the other machine's own.
ldd "$bundle/bin/kiln" "$bundle/libexec/kiln-tests" |
    awk '$2 == "=>" && $3 ~ /^\// { print $3 }' | sort -u |
    grep -v '/\(ld-linux[^/]*\|lib\(kiln\|c\|m\|mvec\|pthread\|dl\|rt\|util\|resolv\|cuda\|nvidia[^/]*\)\)\.so' |
    while read -r library; do
        cp -L "$library" "$bundle/lib/"
    done

for program in "$bundle"/bin/kiln "$bundle"/libexec/kiln-tests "$bundle"/lib/*; do
    chmod u+w "$program"
    ${STRIP:-strip} --strip-debug "$program"
done

cp "$source_folder/tests/bundle/kiln-check" "$bundle/bin/"
chmod +x "$bundle/bin/kiln-check"

mkdir -p "$bundle/share/tests"
for folder in "$source_folder"/tests/*/; do
    case $(basename "$folder") in
        bundle | mutations) ;;
        *) cp -R "$folder" "$bundle/share/tests/" ;;
    esac
done
cp "$source_folder"/tests/*.sh "$source_folder"/tests/*_tests.txt "$bundle/share/tests/"
rm -f "$bundle"/share/tests/check_*.sh
# Sources of the tests are in the program; a library that a script builds for itself is not.
find "$bundle/share/tests" \( -name '*.[cho]' -o -name '*.cu' -o -name '*.am' \) \
    ! -name clock_jump.c ! -name stepped_clock.c ! -name nvml_stand_in.c -exec rm -f {} +
find "$bundle/share/tests" -type d -empty -exec rmdir {} + 2>/dev/null || true
# python/kiln/VERSION is a link.
cp -RL "$source_folder/input" "$source_folder/docs" "$source_folder/python" "$bundle/share/"
for file in README.md CHANGELOG.md CITATION.cff LICENSE; do
    cp "$source_folder/$file" "$bundle/"
done
