#!/bin/sh
# Holds the code to docs/layers.txt: arrows only downward and never in a circle, kernels that know kernels alone, CUDA
# at the edge.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh

sources() {
    find src gpu actions integrators lime -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' | sort
}

# The include lines "file:line:#include ..." that match $1.
includes() {
    sources | xargs grep -Hn "^ *# *include *$1"
}

none "every source file has its layer, and every include points to its own folder or below" "$({
    sources
    includes '"'
} | awk '
    BEGIN {
        while ((getline line < "docs/layers.txt") > 0) {
            n = split(line, word, " ")
            for (i = 2; i <= n && line !~ /^#/; i++) {
                layer[word[i]] = word[1]
                row[word[i]] = word[2]
            }
        }
    }
    function home(path,   best, p) {
        best = ""
        for (p in layer)
            if (index(path, p) == 1 && substr(path, length(p) + 1, 1) ~ /[\/.]/ && length(p) > length(best))
                best = p
        return best
    }
    !/include/ { if (home($0) == "") print $0 " is in no layer"; next }
    {
        split($0, part, ":"); split($0, quoted, "\"")
        from = part[1]; to = quoted[2]
        if (to == "config.h")
            next
        a = home(from); b = home(to)
        if (b == "")
            print from ":" part[2] ": \"" to "\" is in no layer (is the path from the top?)"
        else if (row[a] != row[b] && layer[b] >= layer[a])
            print from ":" part[2] ": \"" to "\" (layer " layer[b] ") is not below " a " (layer " layer[a] ")"
    }')"

# A header and the sources of its name are one module.
none "no two modules include each other, directly or by way of others" "$(
    includes '"' | awk -F'"' '
    function module(path) { sub(/\.(c|h|cu|cuh)$/, "", path); return path }
    function visit(m, depth,   used, n, i, at, circle) {
        state[m] = "open"
        path[depth] = m
        n = split(uses[m], used, " ")
        for (i = 1; i <= n; i++)
            if (state[used[i]] == "open") {
                circle = used[i]
                for (at = depth; path[at] != used[i]; at--)
                    circle = path[at] " -> " circle
                print used[i] " -> " circle
            } else if (!state[used[i]])
                visit(used[i], depth + 1)
        state[m] = "done"
    }
    {
        split($1, part, ":")
        from = module(part[1]); to = module($2)
        if (from != to && !((from, to) in seen)) {
            seen[from, to] = 1
            uses[from] = uses[from] " " to
        }
    }
    END {
        for (m in uses)
            if (!state[m])
                visit(m, 1)
    }')"

none "kernels include kernels, src/site and the compiler's own headers only" "$(
    includes '' | grep '^src/\(kernels\|site\)/' | grep -v 'include *"src/\(kernels\|site\)/' |
    grep -v 'include *<\(math\|stdint\|stddef\|stdbool\|float\|limits\|string\|omp\|immintrin\)\.h>' |
    grep -v 'include *<cuda_\(runtime\|fp16\)\.h>')"

none "the LIME interface is used in src/io alone" "$(includes '[<"]lime' | grep -v '^\(src/io\|lime\)/')"

none "yyjson is used through src/base/json_read.h, but for its version" "$(
    includes '[<"]yyjson' | grep -v '^src/base/\(json_read\.h\|version\.c\):')"

none "where a parity and its first and last time slice begin is known in src/site and the geometry alone" "$(
    sources | xargs grep -nE '(->|\.)(padded|first_time_ends|last_time_begins)\b|lattice_padded_half\(' |
    grep -v '^src/site/' |
    grep -v -e '^src/lattice/\(lattice\|field\|shape\|ghosts\|neighbors\|regions\)\.[ch]:' \
        -e '^src/halo/\(ghost_messages\|peers\|peer_pieces\)\.[ch]:')"

none "one file asks whether nvcc compiles, and has all words of CUDA that src needs" "$(
    sources | grep -v '^src/site/target\.h$' | xargs grep -nE '__(CUDACC|CUDA_ARCH|NVCC)__'
    sources | grep '^\(src\|actions\|integrators\)/' | grep -v '^src/site/target\.h$' | xargs grep -nE \
        -e '__(device|global|host|shared|forceinline|launch_bounds|grid_constant)__|__(shfl|sync(threads|warp))' \
        -e '\b(cuda[A-Z][A-Za-z]*|dim3|atomic(Add|Max|CAS|Exch)|(thread|block)Idx|(block|grid)Dim)\b|<<<')"

none "HAVE_CUDA stands at the edge: the device and the table of kernels" "$(
    sources | xargs grep -n 'HAVE_CUDA' | grep -v '^gpu/device[a-z_]*\.c:\|^src/lattice/kernels\.[ch]:')"

facts_end
