#!/bin/sh
# Kernels are written in the common subset of C11 and C++: a strict C++ compiler accepts every one, in float and double.
cd "${srcdir:-.}" || exit 99
. ./tests/facts.sh

# What the compiler says about kernel $1.
faults() {
    for precision in '' -DSINGLE; do
        ${CXX:-g++} -x c++ -std=c++17 -pedantic-errors -Wno-psabi -fopenmp -fsyntax-only -I. $precision "$1" 2>&1
    done
}

for kernel in src/kernels/*.c; do
    none "$kernel is in the common subset of C11 and C++" "$(faults "$kernel")"
done

facts_end
