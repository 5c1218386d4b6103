/* test_convert.c - the same links in every format: nothing is lost on the way that is not told. */
#include "src/base/memory.h"
#include "src/io/links_file.h"
#include "tests/cli/program.h"
#include "tests/facts.h"
#include "tests/io/scratch.h"
#include "tests/io/whole_links.h"

static const int lattice[4] = { 4, 2, 6, 2 };
static const char *const names[] = { "ildg", "scidac", "nersc", "milc" };      /* in the order of links_format */
enum { FORMATS = 4 };

static const char *path_of(scratch *s, const char *name)      /* 64 of them at a time */
{
    static char path[64][600];
    static int next;
    char *p = path[next++ % 64];
    snprintf(p, sizeof path[0], "%s/%s", s->folder, name);
    return p;
}

/* Whether a file has these links to the last bit, in this format, precision and number of rows. */
static bool holds(const char *path, const double *links, const int n[4], links_format format, int bits, int rows)
{
    links_info info;
    failure f = { .why = "" };
    double *found = links_read(path, &info, &f);
    bool same = found && info.format == format && info.bits == bits && info.rows == rows
                && memcmp(info.extents, n, sizeof info.extents) == 0
                && memcmp(found, links, volume(n) * 72 * sizeof *found) == 0;
    if (!same)
        note("%s: %s %s %d bits %d rows", path, f.why, found ? links_format_name(info.format) : "", info.bits,
             info.rows);
    memory_free(found);
    return same;
}

static double *rounded(const double *links, const int n[4])
{
    double *single = malloc(volume(n) * 72 * sizeof *single);
    for (size_t i = 0; i < volume(n) * 72; i++)
        single[i] = (float)links[i];
    return single;
}

static void write_start(const char *path, const double *links, int bits)
{
    failure f = { .why = "" };
    links_info info = { .extents = { 4, 2, 6, 2 }, .bits = bits, .has_plaquette = true, .has_link_trace = true,
                        .lfn = "lfn://kiln/a/b", .has_state = true,
                        .state = { .trajectory = 17, .seed = 3, .version = "kiln" } };
    info.plaquette = info.state.plaquette = plain_plaquette(links, lattice);
    info.link_trace = plain_link_trace(links, lattice);
    if (!links_write_ildg(path, links, &info, true, &f))
        note("%s", f.why);
}

/* From every format to every other: single precision, the one that all have. */
static void round_trips(scratch *s, const double *links)
{
    char from[64], to[64];
    double *single = rounded(links, lattice);
    write_start(path_of(s, "start"), single, 32);
    for (int a = 0; a < FORMATS; a++) {
        snprintf(from, sizeof from, "from.%s", names[a]);
        program_run("convert '%s' '%s' --format %s", path_of(s, "start"), path_of(s, from), names[a]);
        fact(holds(path_of(s, from), single, lattice, (links_format)a, 32, 3), "%s in 32 bits has the very links",
             names[a]);
        for (int b = 0; b < FORMATS; b++) {
            snprintf(to, sizeof to, "%s.%s", names[a], names[b]);
            const program_output *answer = program_run("convert '%s' '%s' --format %s --json", path_of(s, from),
                                                       path_of(s, to),
                                             names[b]);
            yaml_node *tree = output_json(answer);
            fact(answer->status == 0 && holds(path_of(s, to), single, lattice, (links_format)b, 32, 3)
                     && tree && json_number(tree, "largest_change") == 0,
                 "from %s to %s: every bit of the links", names[a], names[b]);
            yaml_tree_free(tree);
            fact(program_run("verify '%s'", path_of(s, to))->status == 0, "and the file says the truth about them");
        }
    }
    free(single);
}

/* Plaquette and link trace in the file are those of the links below them, to the digits that it has. */
static void header_matches_links(const char *path, const double *links)
{
    const double printed = 2e-12;                       /* NERSC: %.12g */
    links_info info;
    failure f;
    if (!links_read_info(path, &info, &f) || info.format == FORMAT_MILC)
        return;
    fact(info.has_plaquette && info.has_link_trace, "its header has plaquette and link trace");
    fact_close(info.plaquette, plain_plaquette(links, lattice), printed, "the plaquette of the links as written");
    fact_close(info.link_trace, plain_link_trace(links, lattice), printed, "and their link trace");
}

static void precisions(scratch *s, const double *links)
{
    double *single = rounded(links, lattice);
    const char *start = path_of(s, "double");
    write_start(start, links, 64);
    for (int b = 0; b < FORMATS; b++) {
        char to[64];
        snprintf(to, sizeof to, "double.%s", names[b]);
        const program_output *answer = program_run("convert '%s' '%s' --format %s", start, path_of(s, to), names[b]);
        if (b == FORMAT_MILC)
            fact(answer->status == 1 && stderr_has(answer, "single precision only") && access(path_of(s, to),
                                                                                              F_OK) != 0,
                 "milc: 64 bits are not rounded unasked");
        else
            fact(answer->status == 0 && holds(path_of(s, to), links, lattice, (links_format)b, 64, 3),
                 "%s keeps the links of 64 bits", names[b]);
        snprintf(to, sizeof to, "single.%s", names[b]);
        answer = program_run("convert '%s' '%s' --format %s --precision 32 --json", start, path_of(s, to), names[b]);
        yaml_node *tree = output_json(answer);
        fact(holds(path_of(s, to), single, lattice, (links_format)b, 32, 3), "%s, asked for 32: rounded once",
             names[b]);
        fact_close(json_number(tree, "largest_change"), largest_difference(single, links, volume(lattice) * 72), 0,
                   "and by how much is told");
        yaml_tree_free(tree);
        header_matches_links(path_of(s, to), single);
    }
    free(single);
}

/* Two rows of three: the third one follows from them. */
static void two_rows(scratch *s, const double *links)
{
    const char *three = path_of(s, "double.nersc"), *two = path_of(s, "two.nersc");
    const program_output *answer = program_run("convert '%s' '%s' --format nersc --rows 2", three, two);
    links_info info;
    failure f;
    double *found = links_read(two, &info, &f);
    fact(answer->status == 0 && found && info.rows == 2, "a NERSC archive of two rows");
    if (found)
        fact_close(largest_difference(found, links, volume(lattice) * 72), 0, 1e-15, "has the links to rounding");
    memory_free(found);
    blob b = blob_read(two), mine = nersc_file(links, lattice, 2, 64, true, "IEEE64BIG");
    size_t data = volume(lattice) * 48 * 8;
    fact(memcmp(b.bytes + b.n - data, mine.bytes + mine.n - data, data) == 0, "its bytes are the first two rows");
    free(b.bytes);
    free(mine.bytes);
}

static void reported(scratch *s, const char *format, const char *options, const char *const *lost, int count)
{
    char to[64];
    snprintf(to, sizeof to, "told.%s", format);
    unlink(path_of(s, to));
    const program_output *answer = program_run("convert '%s' '%s' --format %s %s --json", path_of(s, "double"),
                                               path_of(s, to),
                                     format, options);
    yaml_node *tree = output_json(answer);
    yaml_node *list = tree ? yaml_get(tree, "lost") : NULL;
    bool ok = list && list->count == count;
    for (int i = 0; ok && i < count; i++)
        ok = strstr(list->item[i]->scalar, lost[i]) != NULL;
    fact(ok, "what %s %s cannot keep is told, and nothing else", format, options);
    yaml_tree_free(tree);
}

static void metadata(scratch *s)
{
    static const char *const both[] = { "state", "logical file name", "plaquette" };
    static const char *const name[] = { "logical file name" };
    links_info a, b;
    failure f;
    reported(s, "ildg", "", NULL, 0);
    links_read_info(path_of(s, "double"), &a, &f);
    links_read_info(path_of(s, "told.ildg"), &b, &f);
    fact(strcmp(a.lfn, b.lfn) == 0 && b.has_state && b.state.trajectory == 17 && b.plaquette == a.plaquette,
         "from ILDG to ILDG: lfn, state, plaquette");
    reported(s, "scidac", "", name, 1);
    links_read_info(path_of(s, "told.scidac"), &b, &f);
    fact(b.has_state && b.state.trajectory == 17 && b.plaquette == a.plaquette, "SciDAC keeps state and plaquette");
    reported(s, "nersc", "", both, 2);
    links_read_info(path_of(s, "told.nersc"), &b, &f);
    fact(b.label.has_sequence && b.label.sequence == 17, "the trajectory is a NERSC archive's sequence number");
    reported(s, "milc", "--precision 32", both, 3);

    /* Rounded links in 64 bits must not pass for a state. */
    const program_output *answer = program_run("convert '%s' '%s' --format ildg --precision 64", path_of(s, "start"),
                                               path_of(s, "wide"));
    fact(answer->status == 0 && links_read_info(path_of(s, "wide"), &b, &f) && b.bits == 64 && !b.has_state
             && stdout_has(answer, "rounded to 32 bits"), "links of 32 bits become no state in 64");
}

/* Links of 32 bits are in SU(3) to single precision alone: in 64 bits they are projected, and Kiln takes what it wrote.
 * Files of other codes, here made by --keep-bits, have such links in 64 bits, too. */
static void widening(scratch *s)
{
    static const char input[] = "lattice: [4, 2, 6, 2]\nrandom: { seed: 1 }\n"
                                "start: { from: file, file: kept, reunitarize: %s }\n"
                                "monomials: [ { kind: gauge, action: wilson, beta: 5.7 } ]\nheatbath: { sweeps: 1 }\n"
                                "hmc: { trajectories: 1 }\noutput: { directory: %s, configuration_every: 1 }\n";
    const char *start = path_of(s, "start");
    for (int b = 0; b < FORMATS; b++) {
        char to[64];
        snprintf(to, sizeof to, "wide.%s", names[b]);
        if ((links_format)b == FORMAT_MILC)
            continue;
        const program_output *answer = program_run("convert '%s' '%s' --format %s --precision 64 --json", start,
                                                   path_of(s, to),
                                         names[b]);
        yaml_node *tree = yaml_read_string(text_string(&answer->out), "output", NULL);
        const double moved = json_number(tree, "projection_change");
        fact(answer->status == 0 && moved > 1e-9 && moved < 1e-6, "%s: the projection of single precision "
             "moves links by %.1e", names[b], moved);
        yaml_tree_free(tree);
        fact(program_run("verify '%s'", path_of(s, to))->status == 0, "%s: the file passes kiln verify", names[b]);
    }
    const program_output *answer = program_run("convert '%s' '%s' --format ildg --precision 64 --keep-bits", start,
                                               path_of(s, "kept"));
    fact(answer->status == 0 && stderr_has(answer, "to single precision alone") && stdout_has(answer,
                                                                                              "unchanged bit for bit"),
         "--keep-bits keeps every bit and warns");
    answer = program_run("verify '%s'", path_of(s, "kept"));
    fact(answer->status == 1 && stdout_has(answer, "start.reunitarize"),
         "such links do not pass kiln verify, which says what projects them");
    fact(program_run("convert '%s' '%s' --format ildg", path_of(s, "kept"), path_of(s, "again"))->status == 1
             && program_run("convert '%s' '%s' --format ildg --reunitarize", path_of(s, "kept"),
                            path_of(s, "again"))->status == 0
             && program_run("verify '%s'", path_of(s, "again"))->status == 0,
         "kiln convert takes them with --reunitarize alone");
    fact(program_run("convert '%s' x --format ildg --reunitarize --keep-bits", start)->status == 2,
         "--reunitarize and --keep-bits exclude each other");
    for (int is = 0; is < 2; is++) {
        char content[600], name[20];
        snprintf(name, sizeof name, "run%d.yaml", is);
        const int n = snprintf(content, sizeof content, input, is ? "true" : "false", is ? "run1" : "run0");
        blob_write(path_of(s, name), (unsigned char *)content, (size_t)n);
        answer = program_run("run '%s' --device cpu", path_of(s, name));
        fact(is ? answer->status == 0 : answer->status == 1 && stderr_has(answer, "in SU(3) to single precision"),
             "a run from them with start.reunitarize: %s", is ? "true begins" : "false is refused");
    }
}

static void refusals(scratch *s)
{
    const char *start = path_of(s, "double"), *there = path_of(s, "told.ildg");
    blob before = blob_read(there), b;
    fact(program_run("convert '%s' '%s' --format nersc", start, there)->status == 1, "no file is overwritten");
    b = blob_read(there);
    fact(b.n == before.n && memcmp(b.bytes, before.bytes, b.n) == 0, "it stays as it was");
    free(before.bytes);
    int files = scratch_count(s);
    fact(program_run("convert '%s' '%s' --format scidac", start, start)->status == 1, "IN is not overwritten");
    b.bytes[b.n / 2] ^= 4;
    blob_write(path_of(s, "flipped"), b.bytes, b.n);
    free(b.bytes);
    const program_output *answer = program_run("convert '%s' '%s' --format scidac", path_of(s, "flipped"),
                                               path_of(s, "x"));
    fact(answer->status == 1 && stderr_has(answer, "checksum") && scratch_count(s) == files + 1,
         "a file that cannot be believed is not converted, and leaves nothing behind");
    fact(program_run("convert '%s' x --format milc --precision 64", start)->status == 2
             && program_run("convert '%s' x --format ildg --rows 2", start)->status == 2
             && program_run("convert '%s' x --format nersc --precision 48", start)->status == 2
             && program_run("convert '%s' x", start)->status == 2, "what no format has is wrong usage");
}

/* What other codes wrote comes out as they wrote it. */
static void other_codes(scratch *s)
{
    const char *folder = reference_folder();
    if (!folder) {
        skip("files of other codes are written as they wrote them", "there is no folder of reference data");
        return;
    }
    char in[600];
    snprintf(in, sizeof in, "%s/conf/l8888.milc", folder);
    program_run("convert '%s' '%s' --format milc", in, path_of(s, "l.milc"));
    blob a = blob_read(in), b = blob_read(path_of(s, "l.milc"));
    bool same = a.n == b.n && a.n > 96;
    for (size_t i = 0; same && i < a.n; i++)
        same = a.bytes[i] == b.bytes[i] || (i >= 20 && i < 84);
    fact(same, "MILC's own file: the same bytes, but for the time stamp");
    free(a.bytes);
    free(b.bytes);

    snprintf(in, sizeof in, "%s/conf/l4448.nersc", folder);
    program_run("convert '%s' '%s' --format nersc --rows 2", in, path_of(s, "l.nersc"));
    a = blob_read(in);
    b = blob_read(path_of(s, "l.nersc"));
    a.bytes[a.n] = b.bytes[b.n] = '\0';
    char *header = strstr((char *)a.bytes, "HDR_VERSION"), *rest;
    bool all = header != NULL;
    for (char *line = strtok_r(header, "\n", &rest); all && strcmp(line, "END_HEADER") != 0;
         line = strtok_r(NULL, "\n", &rest)) {
        all = strstr((char *)b.bytes, line) != NULL;
        if (!all)
            note("not in the header: %s", line);
    }
    size_t data = 4 * 4 * 4 * 8 * 48 * 4;
    fact(all, "a NERSC archive: every line of its header, checksum, plaquette and link trace among them");
    fact(memcmp(a.bytes + a.n - data, b.bytes + b.n - data, data) == 0, "and the same links behind it");
    free(a.bytes);
    free(b.bytes);

    links_info milc, mine;
    failure f;
    for (int i = 0; i < 2; i++) {
        snprintf(in, sizeof in, "%s/conf/l4444.%s", folder, names[i]);
        const char *to = path_of(s, i ? "l.scidac" : "l.ildg");
        program_run("convert '%s' '%s' --format %s", in, to, names[i]);
        fact(links_read_info(in, &milc, &f) && links_read_info(to, &mine, &f)
                 && strcmp(milc.checksum, mine.checksum) == 0 && strcmp(milc.lfn, mine.lfn) == 0,
             "MILC's %s file: the same SciDAC checksum and lfn", names[i]);
    }
}

int main(void)
{
    if (!program_is_there())
        return facts_end();
    scratch s = scratch_create();
    double *links = random_links(lattice, 5);
    round_trips(&s, links);
    precisions(&s, links);
    two_rows(&s, links);
    metadata(&s);
    widening(&s);
    refusals(&s);
    other_codes(&s);
    free(links);
    scratch_remove(&s);
    return facts_end();
}
