/* test_results.c - a file of results finds its lines again, whatever names the user chose for measurements. */
#include "src/ensemble/results.h"

#include "tests/facts.h"
#include "tests/io/scratch.h"

enum { KEY = 0x1234, LINKS = 0x77 };

/* A line with two measurements of trajectory 5, as kiln measure writes it. */
static void write_line(results *r, const char *name)
{
    const measured_file file = { .path = "/a/c.000005.lime", .size = 1, .modified = 2, .checksum = "x" };
    json j = { 0 };
    failure f;
    results_begin_line(&j, &file, LINKS, (const measured_key[]){ { "first", KEY + 1, 0x98 }, { name, KEY, 0x99 } }, 2);
    json_int(&j, "bits", 64);
    json_int(&j, "trajectory", 5);
    require(results_append(r, &j, &f), "%s", f.why);
    json_free(&j);
}

int main(void)
{
    static const char *const names[] = { "flow", "a } b", "a\"}", "keys", "bits", "settings", ", \"keys\": {" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        scratch s = scratch_create();
        failure f = { .why = "" };
        uint64_t links = 0, other = 0;
        const char *path = scratch_path(&s, "results.jsonl");
        results *r = results_open(path, &f);
        require(r, "%s", f.why);
        write_line(r, names[i]);
        const bool known = results_have(r, KEY, 5);
        results_close(r);
        r = results_open(path, &f);
        fact(known && r, "%s: the file opens again %s", names[i], f.why);
        if (r) {
            const measured_file file = { .path = "/a/c.000005.lime", .size = 1, .modified = 2, .checksum = "x" };
            fact(results_have(r, KEY, 5) && !results_have(r, KEY, 6) && !results_have_unnumbered(r, KEY),
                 "%s: the result belongs to trajectory 5 alone", names[i]);
            fact(results_links_of(&links, r, &file) && links == LINKS && results_have_others(&other, r, names[i], 1)
                 && other == 0x99, "%s: links and settings are found", names[i]);
        }
        results_close(r);
        scratch_remove(&s);
    }
    return facts_end();
}
