/* bench_values.c - values of the options of kiln bench solver. */
#include "src/cli/bench/bench_values.h"

#include "actions/wilson_operator.h"
#include "src/base/text.h"
#include "src/config/number.h"
#include "src/lattice/lattice.h"
#include "src/overlap/kernel_modes.h"
#include "src/solvers/solver_choice.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool read_list(const char *given, number_list *list, bool positive, failure *f)
{
    list->count = 0;
    for (const char *s = given;; s++) {
        char item[64];
        int n = (int)strcspn(s, ",");
        text hint = { 0 };
        snprintf(item, sizeof item, "%.*s", n, s);
        bool ok = n > 0 && n < (int)sizeof item && list->count < SHIFTS_MAX
                  && number_read_real(item, &list->of[list->count], &hint) && (list->of[list->count] > 0 || !positive);
        text_free(&hint);
        if (!ok)
            return fail(f, "\"%s\" is not a list of at most %d %snumbers; an example: 0.1,0.05", given, SHIFTS_MAX,
                        positive ? "positive " : "");
        list->count++;
        s += n;
        if (!*s)
            return true;
    }
}

bool bench_read_numbers(const char *given, void *list, failure *f)
{
    return read_list(given, list, true, f);
}

bool bench_read_factors(const char *given, void *list, failure *f)
{
    const number_list *numbers = list;
    if (!read_list(given, list, true, f))
        return false;
    for (int i = 0; i < numbers->count; i++)
        if (numbers->of[i] < 1e-12 || numbers->of[i] > 0.9)
            return fail(f, "\"%s\": numbers from 1e-12 to 0.9 are possible", given);
    return true;
}

bool bench_read_masses(const char *given, void *list, failure *f)
{
    return read_list(given, list, false, f);
}

bool bench_read_kappas(const char *given, void *list, failure *f)
{
    const number_list *numbers = list;
    if (!read_list(given, list, true, f))
        return false;
    for (int i = 0; i < numbers->count; i++)
        if (numbers->of[i] > WILSON_KAPPA_MAX)
            return fail(f, "\"%s\": hopping parameters are at most %g", given, (double)WILSON_KAPPA_MAX);
    return true;
}

bool bench_read_lattice(const char *given, void *value, failure *f)
{
    int *n = value, used = 0;
    if (sscanf(given, "%d,%d,%d,%d%n", &n[0], &n[1], &n[2], &n[3], &used) != 4 || given[used])
        return fail(f, "\"%s\" is not a lattice; an example: 8,8,8,8 (x, y, z, t)", given);
    const lattice_shape shape = lattice_shape_single(n);
    return lattice_shape_is_possible(&shape, f);
}

bool bench_read_extents_t(const char *given, void *list, failure *f)
{
    const number_list *numbers = list;
    if (!read_list(given, list, true, f))
        return false;
    for (int i = 0; i < numbers->count; i++)
        if (fmod(numbers->of[i], 2) != 0 || numbers->of[i] > 4096)
            return fail(f, "\"%s\": extents are even numbers up to 4096", given);
    return true;
}

bool bench_read_modes(const char *given, void *list, failure *f)
{
    const number_list *numbers = list;
    if (!read_list(given, list, true, f))
        return false;
    for (int i = 0; i < numbers->count; i++)
        if (fmod(numbers->of[i], 1) != 0 || numbers->of[i] > KERNEL_MODES_MAX)
            return fail(f, "\"%s\": numbers of modes are integers from 1 to %d", given, KERNEL_MODES_MAX);
    return true;
}

static int storage_named(const char *name, int length)
{
    for (int in = 0; in < SOLVER_STORAGES; in++)
        if ((int)strlen(stored_names[in]) == length && strncmp(stored_names[in], name, (size_t)length) == 0)
            return in;
    return -1;
}

void bench_list_precisions(text *words)
{
    for (int in = 0; in < SOLVER_STORAGES; in++)
        text_add(words, "%s%s", in ? " " : "", stored_names[in]);
}

bool bench_read_precisions(const char *given, void *value, failure *f)
{
    unsigned *set = value;
    *set = 0;
    for (const char *s = given;; s++) {
        const int n = (int)strcspn(s, ","), in = storage_named(s, n);
        if (in < 0)
            return fail(f, "\"%s\" is not a list of double, single, int30, int20, half", given);
        *set |= 1u << in;
        s += n;
        if (!*s)
            return true;
    }
}
