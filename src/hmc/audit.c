/* audit.c - the parts of an audit in their order, and two streams side by side. */
#include "src/hmc/audit.h"

#include "src/base/memory.h"
#include "src/hmc/ensemble_parameters.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

audit_words words(const char *format, ...)
{
    audit_words w;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(w.s, sizeof w.s, format, arguments);
    va_end(arguments);
    return w;
}

static void set(audit_fault *fault, const char *where, const char *what, const char *expected, const char *found,
                const char *advice)
{
    text_add(&fault->where, "%s", where);
    text_add(&fault->what, "%s", what);
    text_add(&fault->expected, "%s", expected);
    text_add(&fault->found, "%s", found);
    text_add(&fault->advice, "%s", advice);
}

void audit_fault_free(audit_fault *fault)
{
    text_free(&fault->where);
    text_free(&fault->what);
    text_free(&fault->expected);
    text_free(&fault->found);
    text_free(&fault->advice);
}

bool audit_found(audit *a, const char *where, const char *what, const char *expected, const char *found,
                 const char *advice)
{
    set(&a->fault, where, what, expected, found, advice);
    a->faulty = true;
    return false;
}

void audit_note(audit *a, const char *format, ...)
{
    char line[1200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    text_add(&a->notes, "%s\n", line);
}

void audit_stream(audit *a, const char *directory, place where)
{
    *a = (audit){ .directory = directory, .newest = -1 };
    if (audit_parameters(a) && audit_record(a) && audit_states(a, where))
        audit_other_files(a);
}

void audit_free(audit *a)
{
    run_input_free(&a->input);
    strata_free(&a->strata);
    memory_free(a->warm_up);
    state_files_free(&a->files);
    free(a->line);
    audit_fault_free(&a->fault);
    text_free(&a->notes);
}

/* The first trajectory that both have a chain for and that is not the same; 0: there is none. */
static int64_t parting(const audit *a, const audit *b)
{
    for (int64_t n = 0; n < a->trajectories && n < b->trajectories; n++) {
        const chain_value *of_a = &a->line[n].chain, *of_b = &b->line[n].chain;
        if (of_a->begun && of_b->begun && of_a->value != of_b->value)
            return n + 1;
    }
    return 0;
}

bool audit_pair(audit_fault *fault, const audit *a, const audit *b)
{
    const run_params *p = &a->params, *q = &b->params;
    *fault = (audit_fault){ 0 };
    if (!a->known || !b->known || p->random.seed != q->random.seed || p->random.stream != q->random.stream)
        return true;
    audit_words pair = words("%s and %s", a->directory, b->directory);
    audit_words stream = words("seed %" PRId64 ", stream %" PRId64 " in both", p->random.seed, p->random.stream);
    bool same_start = a->strata.count > 0 && b->strata.count > 0 && a->strata.item[0].chain == b->strata.item[0].chain
                      && a->strata.item[0].first == b->strata.item[0].first;
    int64_t parted = parting(a, b);
    int64_t both = a->trajectories < b->trajectories ? a->trajectories : b->trajectories;
    if (same_start && parted > 1)
        set(fault, pair.s, "a fork", "one future of every trajectory",
            words("the same trajectories up to %" PRId64 ", then others; %s", parted - 1, stream.s).s,
            "take one of them; their configurations are not independent");
    else if (same_start && parted == 0)
        set(fault, pair.s, "a copy", "every stream once",
            words("the same %" PRId64 " trajectories; %s", both, stream.s).s,
            "take the longer one; go on in one of them only, or they become a fork");
    else
        set(fault, pair.s, "a repeated seed", "a seed and stream of its own for everyone", stream.s,
            "their random numbers are the same: make one of them again with another random.stream");
    return false;
}
