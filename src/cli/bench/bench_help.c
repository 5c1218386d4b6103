/* bench_help.c - the studies in front of the explanations of options, from the table that also refuses options of other
 * studies (bench_options.c). */
#include "src/cli/bench/bench_help.h"

#include "src/base/memory.h"
#include "src/cli/bench/bench_studies.h"

#include <string.h>

enum { LINE = 72 };                     /* characters of a line of an explanation */

bench_usage *bench_usage_create(const usage *u)
{
    bench_usage *b = memory_alloc(sizeof *b, "the help of kiln bench solver");
    b->of = *u;
    b->of.options = b->options;
    for (int i = 0; u->options[i].name; i++) {
        require(i < BENCH_OPTIONS_MAX, "kiln bench solver has more than %d options", BENCH_OPTIONS_MAX);
        text *doc = &b->docs[i];
        b->options[i] = u->options[i];
        if (!bench_option_studies(doc, u->options[i].name))
            continue;
        const size_t first = strcspn(u->options[i].doc, "\n");
        text_add(doc, ":%s%s", doc->length + 2 + first > LINE ? "\n" : " ", u->options[i].doc);
        b->options[i].doc = text_string(doc);
    }
    return b;
}

void bench_usage_free(bench_usage *b)
{
    for (int i = 0; i < BENCH_OPTIONS_MAX; i++)
        text_free(&b->docs[i]);
    memory_free(b);
}
