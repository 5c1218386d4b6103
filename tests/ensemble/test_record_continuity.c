/* test_record_continuity.c - which lines of a record continue it: by trajectory, parameters and chain. */
#include "src/ensemble/record_continuity.h"
#include "tests/facts.h"

enum { SEED = 5, STREAM = 2, CHANGE = 4 };            /* trajectory of the second segment */

static segment parts[] = { { .first = 1, .input_digest = 100, .chain = 7 },
                           { .first = CHANGE, .input_digest = 200, .chain = 0 } };
static const segments both = { 2, parts };
static const continuity_rules known = { .segments = &both, .seeded = true, .seed = SEED, .stream = STREAM };

/* A line of trajectory n of a run with this seed, which follows the chain `before`. */
static record_line line_of(int64_t n, uint64_t seed, uint64_t before)
{
    record_line l = { .link = { .input_digest = n < CHANGE ? 100 : 200, .seed = seed, .stream = STREAM, .trajectory = n,
                                .plaquette.average = 0.5 + (double)n / 64 } };
    l.chain = (chain_value){ true, chain_next(before, &l.link) };
    l.link.seed = 0;                                  /* a line of the record has neither */
    l.link.stream = 0;
    return l;
}

enum { LINES = 8 };
typedef record_line run_lines[LINES + 1];             /* run[n]: of trajectory n */

static void make_run(run_lines run, uint64_t seed, uint64_t start)
{
    for (int n = 1; n <= LINES; n++)
        run[n] = line_of(n, seed, n > 1 ? run[n - 1].chain.value : start);
}

/* Verdicts on lines named by letters: "a1 b2": of this run, of a run with another seed (b), of another start (s), with
 * other parameters (p), without a chain (u), changed afterwards (c). */
static text verdicts_on(const char *lines, const continuity_rules *rules)
{
    static const char letters[LINE_VERDICTS] = { '.', 'R', 'P', 'C' };
    run_lines own, seeded, started;
    record_continuity c = { 0 };
    text found = { 0 };
    make_run(own, SEED, 7);
    make_run(seeded, SEED + 1, 7);
    make_run(started, SEED, 8);
    for (const char *at = lines; *at; at += 2 + (at[2] == ' ')) {
        const int n = at[1] - '0';
        record_line l = *at == 'b' ? seeded[n] : *at == 's' ? started[n] : own[n];
        if (*at == 'p')
            l.link.input_digest++;
        if (*at == 'u')
            l.chain = (chain_value){ false, 0 };
        if (*at == 'c')
            l.link.dh = 1;
        const checksum_state checksum = *at == 'c' ? CHECKSUM_DIFFERS : CHECKSUM_HOLDS;
        text_add_bytes(&found, &letters[record_continuity_judge(&c, rules, &l, checksum)], 1);
    }
    return found;
}

static void facts_of_lines(void)
{
    static const continuity_rules blind = { .segments = &both }, none = { .segments = NULL };
    static const struct {
        const char *lines, *verdicts;
        const continuity_rules *rules;
        const char *sentence;
    } rows[] = {
        { "a1 a2 a3 a4 a5", ".....", &known, "a run continues itself, over a change of parameters" },
        { "a1 a2 b3 b4 b5", "..CCC", &known, "lines with another seed do not" },
        { "a1 a2 s3 s4 s5", "..CCC", &known, "nor do those from other start links, each of which follows the last" },
        { "b1 b2", "CC", &known, "from the first line on" },
        { "a1 a2 p3 p4", "..PP", &known, "nor do those with other parameters" },
        { "a1 a2 a1 a2 a3", "..RR.", &known, "lines that are there a second time are left out, the run goes on" },
        { "a1 a2 b1 b2 b3 a3 a4", "..RRC..", &known, "it goes on behind those of another run, too" },
        { "a1 a2 b3 a4 a5", "..CCC", &known, "but not where one of its lines was replaced" },
        { "a1 a2 a4 a5", "....", &known, "a gap proves nothing" },
        { "a1 a2 b4 b5", "...C", &known, "another run behind it shows with its second line" },
        { "a1 c2 a3 c8 a4", ".....", &known, "a changed line says nothing of those behind it" },
        { "a1 a2 c1 a3", "..R.", &known, "but may be a repeated one" },
        { "a1 a2 u3 a3", "..C.", &known, "a line without a chain does not follow one with it" },
        { "a1 a2 b3 p4 a4 a1", "...P.R", &blind, "without the seed, chains are not compared" },
        { "a1 p2 b3 p4 a5 a1", ".....R", &none, "without segments, only trajectories are" },
        { "u1 u2 u4 u3", "...R", &none, "as for lines without a chain" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        text found = verdicts_on(rows[i].lines, rows[i].rules);
        fact(strcmp(text_string(&found), rows[i].verdicts) == 0, "%s: %s (%s)", rows[i].sentence, text_string(&found),
             rows[i].verdicts);
        text_free(&found);
    }
}

static bool read_text(record_line *l, const char *chain, const char *digest, const char *configuration)
{
    text line = { 0 };
    failure why;
    text_add(&line, "{\"trajectory\": 3, \"accepted\": true, \"thermalization\": false, \"random\": 0.5, \"dH\": 0.25, "
             "\"plaquette\": {\"average\": 0.5, \"spatial\": 0.5, \"temporal\": 0.5}, \"rectangle\": 0.5, "
             "\"parallelogram\": 0.5, \"polyakov\": {\"re\": 0, \"im\": 0}, \"chain\": %s, \"input_digest\": %s, "
             "\"configuration\": %s}", chain, digest, configuration);
    yyjson_doc *doc = json_read_string(text_string(&line), "line", &why);
    const bool ok = doc && record_line_read(l, yyjson_doc_get_root(doc), &why);
    yyjson_doc_free(doc);
    text_free(&line);
    return ok;
}

static void facts_of_reading(void)
{
    static const char number[] = "\"0x0000000000000064\"";
    static const char *const broken[][3] = { { "\"x\"", number, "true" }, { number, "\"x\"", "true" },
                                             { number, number, "3" } };
    record_line l;
    fact(read_text(&l, number, number, "true") && l.chain.begun && l.chain.value == 100 && l.configuration,
         "a line with a chain is read");
    bool without = true;
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++)
        without = without && !read_text(&l, broken[i][0], broken[i][1], broken[i][2]) && !l.chain.begun
                  && l.link.trajectory == 3;
    fact(without, "one without a readable chain, digest or configuration is none, and has no chain");
}

int main(void)
{
    facts_of_lines();
    facts_of_reading();
    return facts_end();
}
