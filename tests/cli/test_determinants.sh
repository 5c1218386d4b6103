#!/bin/sh
# kiln check multiplies the determinants of all monomials: the product of the factors that it prints for each of them,
# with the flavors that the input has.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh
if ! command -v python3 >/dev/null 2>&1; then
    skip "determinants of all monomials" "there is no python3"
    facts_end
fi
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT

# check FILE OPTIONS...: the page of kiln check in $scratch/page, the JSON in $scratch/json.
check() {
    "$KILN_PROGRAM" check "$@" >"$scratch/page" 2>"$scratch/said" &&
        "$KILN_PROGRAM" check "$@" --json >"$scratch/json" 2>"$scratch/said" || { cat "$scratch/said"; return 1; }
}

# The factors of each monomial, multiplied for those that `together` names, are the product there; flavors are those of
# JSON.
cat >"$scratch/multiply.py" <<'END_OF_SCRIPT'
import collections, fractions, json, re, sys

page, tree = open(sys.argv[1]).read(), json.load(open(sys.argv[2]))
page = page[page.index("\n\n"):]                        # without the input
powers = collections.defaultdict(lambda: collections.defaultdict(fractions.Fraction))
name, doublet, walls = None, None, set()                # monomials of domain-wall quarks
for line in page.splitlines():
    if re.match(r"# \S", line):
        name, doublet = line[2:], None
    if re.match(r"#   \d+ slices, ", line):
        walls.add(name)
    found = re.match(r"#   doublet: mass (\S+), kappa \S+, mu_sigma (\S+), mu_delta ([^;]+);", line)
    if found:
        doublet = found.groups()
    found = re.match(r"#   (?:factor|pseudofermion) \d+: ((?:\(.*?\)\^-?\d+ ?)+)(.*)", line)
    if not found:
        continue
    root = re.search(r", root (\d+)", found.group(2))
    epsilon = re.search(r", epsilon [^;]+", found.group(2))
    for matrix, power in re.findall(r"\((.*?)\)\^(-?\d+)", found.group(1)):
        if doublet:
            if "mu_sigma" not in matrix:
                matrix += f", mu_sigma {doublet[1]}"
            matrix += f", mu_delta {doublet[2]}"
        powers[name][matrix + (epsilon.group(0) if epsilon else "")] += \
            fractions.Fraction(int(power), int(root.group(1)) if root else 1)

line = re.search(r"^# together: (.*); (\d+) flavors?$", page, re.M)
if not line:
    sys.exit("no line `together`" if powers else 0)
groups = [re.fullmatch(r"(.*) of (.*)", g).groups() for g in line.group(1).split("; ")]
named = [n for _, names in groups for n in names.split(", ")]
wrong = sorted(named) != sorted(powers)
for (product, names), of in zip(groups, tree["determinants"], strict=True):
    whole = collections.defaultdict(fractions.Fraction)
    for n in names.split(", "):
        for matrix, power in powers[n].items():
            whole[matrix] += power
    whole = {m: int(p) if p.denominator == 1 else p for m, p in whole.items() if p != 0}
    printed = {m: int(p) for m, p in re.findall(r"\((.*?)\)\^(-?\d+)", product)}
    together = 2 if any("mu_sigma" in m for m in printed) else 1
    wrong |= whole != printed or of["monomials"] != names.split(", ")
    wrong |= {q["matrix"]: q["flavors"] for q in of["quarks"]} != {m: together * p for m, p in printed.items()}
# Pauli-Villars fields, of mass 1, are no flavors.
flavors = sum(q["flavors"] for of in tree["determinants"] for q in of["quarks"]
              if q["matrix"] != "1" or of["monomials"][0] not in walls)
wrong |= int(line.group(2)) != flavors
wrong |= int(line.group(2)) != tree["flavors"]
sys.exit(line.group(0) if wrong else 0)
END_OF_SCRIPT
multiplies() {
    check "$1" && python3 "$scratch/multiply.py" "$scratch/page" "$scratch/json"
}
of_all() {
    count=0
    for input in tests/streams/*.yaml input/*.yaml; do
        ! grep -q 'from: file' "$input" && grep -q '^monomials:' "$input" || continue
        found=$(multiplies "$input" 2>&1) || echo "$input: $found"
        count=$((count + 1))
    done
    [ $count -gt 70 ] || echo "$count inputs"
}
none "the product of all monomials is that of their factors, for all inputs" "$(of_all)"

# together FILE OPTIONS...
together() {
    check "$@" && sed -n 's/^# together: //p' "$scratch/page"
}
is() {
    wanted=$1
    shift
    found=$(together "$@")
    [ "$found" = "$wanted" ] || { echo "$found"; return 1; }
}
clover=tests/streams/clover_21.yaml
holds "a chain over two monomials cancels, a denominator that nothing cancels remains" \
    is "(-0.153846)^2 (0)^1 (0.8)^1 (2)^-1 of light, heavy; 3 flavors" $clover
holds "with another c_sw it does not cancel: the monomials have other operators" \
    is "(-0.153846)^2 (0.6)^-2 (0)^1 of light; (0.6)^2 (0.8)^1 (2)^-1 of heavy; 3 flavors" \
    $clover --set monomials.2.c_sw=1.4
holds "nor with other boundaries" eval 'together $clover --set monomials.2.boundary=0 | grep " of light; .* of heavy; "'
holds "staggered quarks: masses, a Naik epsilon, n-th roots of one mass" \
    is "(0.02)^2 (0.1)^1 (0.5, epsilon -0.16875)^1 of quarks; 4 flavors" tests/streams/hisq_211.yaml
holds "domain-wall quarks with Pauli-Villars fields, of mass 1" \
    is "(0.1)^2 (0.3)^1 (1)^-3 of light, heavier; 3 flavors" tests/streams/dwf_21.yaml
holds "a doublet has the power 1 and two flavors" is "(0.1, mu_sigma 0.3, mu_delta 0.25)^1 of ratios, heavy; \
(0.2, mu_sigma 0.4, mu_delta -0.1)^1 of chain; 4 flavors" tests/streams/doublet_ratios.yaml
none "a gauge action alone has no such line" "$(together tests/streams/open_gauge.yaml)"
holds "and in JSON no determinants" grep -q '"determinants": \[\], "flavors": 0' "$scratch/json"

facts_end
