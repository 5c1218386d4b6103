/* cmd_new.c - kiln new: write an input for a target, with bare parameters from the literature. */
#include "src/base/log.h"
#include "src/cli/new/new_input.h"
#include "src/cli/new/new_json.h"
#include "src/cli/new/new_limits.h"
#include "src/cli/new/new_request.h"
#include "src/cli/new/new_volume.h"
#include "src/cli/subcommands.h"
#include "src/io/disk.h"
#include "src/io/safe_file.h"
#include "src/literature/bare_choice.h"
#include "src/options/run_options.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

typedef struct { new_request want; bool ask, list, json; } new_options;

enum { TRAJECTORIES = 1000 };

static bool read_lattice(const char *given, void *value, failure *f)
{
    return new_lattice_read(given, value) || fail(f, "\"%s\" is not a lattice; an example: 16,16,16,32 (x, y, z, t)",
                                                  given);
}

static bool read_family(const char *given, void *value, failure *f)
{
    const family *of = new_family_find(given, f);
    if (of)
        *(const char **)value = of->name;
    return of != NULL;
}

static void list_families(text *words)
{
    for (const family *of = literature_families; of->name; of++)
        text_add(words, "%s%s", of == literature_families ? "" : " ", of->name);
}

#define AT(member) offsetof(new_options, want.member)
#define REAL(key, unit, about, member, least, most)                                                                    \
    { .name = key, .value = unit, .doc = about, .type = OPTION_REAL, .offset = AT(member), .min = least, .max = most }
#define LEAST 1e-6

static const usage new_usage = {
    .name = "new",
    .operands = "",
    .about = "Writes a commented input for an action and a target: a lattice spacing or a coupling, a pion mass or\n"
             "bare masses, and a lattice.  Bare parameters are those of published ensembles and parametrizations,\n"
             "and the input says which.  Without --family on a terminal, and with --ask, kiln new asks for what is\n"
             "missing.  It refuses what cannot work, such as spacings without known parameters and extents that no\n"
             "lattice can have, and warns of what is risky, such as m_pi L below 4.  The input passes kiln check.",
    .options = (const option[]){
        { .name = "family", .value = "NAME", .doc = "action and quarks: kiln new --list shows the families",
          .type = OPTION_READ, .offset = AT(family), .read = read_family, .list = list_families },
        REAL("spacing", "FM", "lattice spacing in fm, in space", spacing, LEAST, 10.),
        REAL("beta", "B", "coupling, in place of --spacing: 6/g^2, or 10/g^2 with\n"
             "c_plaq = 1 for HISQ (kiln new --list has the convention of each family)", beta, LEAST, 1000.),
        REAL("pion", "MEV", "pion mass in MeV", pion, LEAST, 5000.),
        { .name = "light", .value = "M", .also = "kappa mass mu", .type = OPTION_REAL, .offset = AT(light), .min = -1.,
          .max = 10., .doc = "bare parameter of light quarks, in place of --pion: mass\n"
          "(HISQ, domain wall, anisotropic), kappa (Wilson) or mu (twisted mass)" },
        REAL("strange", "M", "the same of the strange quark (default: of the literature)", strange, -1., 10.),
        REAL("charm", "M", "the same of the charm quark", charm, -1., 10.),
        { .name = "lattice", .value = "X,Y,Z,T", .doc = "extents (default: L,L,L,2L with m_pi L of at least 4)",
          .type = OPTION_READ, .offset = AT(extents), .read = read_lattice },
        { .name = "boundary", .value = "B", .type = OPTION_CHOICE, .offset = AT(boundary),
          .choices = time_boundary_names, .doc = "in time: periodic (default), or open: families of Wilson quarks on\n"
          "isotropic lattices, and quenched" },
        REAL("size", "FM", "spatial extent in fm, in place of --lattice", size, LEAST, 1000.),
        { .name = "ranks", .value = "N", .doc = "refuse a lattice that N ranks cannot divide", .type = OPTION_INT,
          .offset = AT(ranks), .min = 1, .max = 4096 },
        { .name = "trajectories", .value = "N", .doc = "length of the ensemble (default 1000)", .type = OPTION_INT,
          .offset = AT(trajectories), .min = 1, .max = 1e9 },
        { .name = "seed", .value = "N", .doc = "of the random numbers (default: a random one)", .type = OPTION_INT,
          .offset = AT(seed), .max = 2147483647. },
        { .name = "extrapolate", .doc = "allow masses beyond those of published ensembles", .type = OPTION_FLAG,
          .offset = AT(extrapolate) },
        { .name = "output", .value = "INPUT.yaml",
          .doc = "file to write (default: FAMILY_XxYxZxT.yaml); - is standard\noutput", .type = OPTION_TEXT,
          .path = PATH_WRITE, .offset = AT(output) },
        { .name = "ask", .doc = "ask for what is missing, also without a terminal", .type = OPTION_FLAG,
          .offset = offsetof(new_options, ask) },
        { .name = "list", .doc = "print families and ensembles instead", .type = OPTION_FLAG,
          .offset = offsetof(new_options, list) },
        { .name = "json", .doc = "print as JSON what was chosen: file, parameters, sources and warnings",
          .type = OPTION_FLAG, .offset = offsetof(new_options, json) },
        { 0 } },
};

static void print_coupling(const coupling *c)
{
    const int n = coupling_points(c);
    double least, most;
    coupling_spacings(c, &least, &most);
    printf("    beta %-6g a %.4f", c->beta, least);
    if (most > least)
        printf(" to %.4f", most);
    printf(" fm  pion");
    for (int i = 0; i < n; i++)
        printf("%s %.0f", i ? "," : "", c->points[i].pion);
    printf(" MeV\n        %s\n", c->source);
    if (c->unconfirmed)
        printf("        not confirmed: %s (" UNCONFIRMED_ADVICE ")\n", c->unconfirmed);
}

/* Of all couplings of a family. */
static const char *convention_of(const family *of)
{
    coupling c;
    if (of->table)
        return coupling_convention(&of->table[0]);
    of->fit->make(&c, of->fit->least);
    return coupling_convention(&c);
}

static int print_list(void)
{
    for (const family *of = literature_families; of->name; of++) {
        text spacings = { 0 };
        bare_parameters_add_spacings(&spacings, of);
        printf("%s: %s\n    spacings: %s\n    beta: %s\n", of->name, of->summary, text_string(&spacings),
               convention_of(of));
        for (int i = 0; i < of->count; i++)
            print_coupling(&of->table[i]);
        if (of->fit && !of->table) {
            coupling c;
            of->fit->make(&c, of->fit->least);
            printf("    beta %g to %g\n        %s\n", of->fit->least, of->fit->most, c.source);
        } else if (of->fit) {
            printf("    and between these, interpolated in beta\n");
        }
        text_free(&spacings);
    }
    return EXIT_OK;
}

/* A seed that no other ensemble has by intention. */
static bool random_seed(int64_t *seed, failure *f)
{
    uint32_t bits;
    if (getrandom(&bits, sizeof bits, 0) != (ssize_t)sizeof bits)
        return fail_system(f, errno, "no random seed from the system (%s); give --seed", strerror(errno));
    *seed = bits >> 1;
    return true;
}

static void add_number(text *t, const char *name, double x)
{
    if (!isnan(x))
        text_add(t, " --%s %.9g", name, x);
}

/* The command with which the same input is written again. */
static void add_command(text *t, const new_request *r)
{
    text_add(t, "kiln new --family %s", r->family);
    add_number(t, "spacing", r->spacing);
    add_number(t, "beta", r->beta);
    add_number(t, "pion", r->pion);
    add_number(t, "light", r->light);
    add_number(t, "strange", r->strange);
    add_number(t, "charm", r->charm);
    if (r->extrapolate)
        text_add(t, " --extrapolate");
    if (r->boundary == TIME_OPEN)
        text_add(t, " --boundary open");
    text_add(t, " --lattice %d,%d,%d,%d --trajectories %" PRId64 " --seed %" PRId64, r->extents[0], r->extents[1],
             r->extents[2], r->extents[3], r->trajectories, r->seed);
}

/* The name of a file without its folder and ".yaml". */
static void add_stem(text *t, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const size_t length = strlen(name), end = length > 5 && strcmp(name + length - 5, ".yaml") == 0 ? 5 : 0;
    text_add_bytes(t, name, length - end);
}

/* An input of ours without a fault; the faults are those of a program error or of a mass that no solver can have. */
static bool passes_check(const text *input, const char *name, failure *f)
{
    run_input in;
    fault_list faults = { 0 };
    const bool ok = run_input_read_text(&in, text_string(input), name, NULL, 0, &faults);
    run_input_free(&in);
    if (!ok)
        fail(f, "these parameters give an input with faults, which was not written: %.800s",
             text_string(&faults.lines));
    fault_list_free(&faults);
    return ok;
}

static bool is_standard_output(const char *path)
{
    return strcmp(path, "-") == 0;
}

/* EXIT_USAGE for a file that exists already, EXIT_FAILED if it cannot be written. */
static int write_input(const text *input, const char *path, failure *f)
{
    if (is_standard_output(path)) {
        fputs(text_string(input), stdout);
        return EXIT_OK;
    }
    if (disk_has_name(path)) {
        fail(f, "%s: exists already; choose another --output, or move the file", path);
        return EXIT_USAGE;
    }
    return safe_file_write_text(path, text_string(input), false, f) ? EXIT_OK : EXIT_FAILED;
}

/* What was written, what is risky, and what to do next, on the log stream. */
static void report(const new_request *r, const bare_parameters *b, const char *path)
{
    char *warnings = b->warnings.length ? b->warnings.s : NULL;
    text beta = { 0 };
    text_add(&beta, "beta %g (%s)", b->at.beta, coupling_convention(&b->at));
    if (b->at.input_factor > 0)
        text_add(&beta, ", in the input %.8g (%s)", coupling_beta_of_input(&b->at),
                 coupling_convention_of_input(&b->at));
    log_line(LOG_INFO, "%s: %s on %s%s, %s", path, b->family->name, extents_to_text(r->extents).s,
             b->open_in_time ? " with open boundaries in time" : "", text_string(&beta));
    text_free(&beta);
    for (char *line = warnings ? strtok(warnings, "\n") : NULL; line; line = strtok(NULL, "\n"))
        log_line(LOG_WARNING, "%s", line);
    if (is_standard_output(path))
        return;
    log_line(LOG_INFO, "next:\n    kiln check %s    shows the input with all defaults, and its memory\n"
                       "    kiln plan %s     predicts the time on this machine\n"
                       "    kiln run %s      starts the ensemble", path, path, path);
}

/* Complete the lattice and the seed. */
static bool complete(new_request *r, const bare_parameters *b, failure *f)
{
    const bool given = r->extents[0] != 0, by_pion = !given && isnan(r->size) && !isnan(r->pion);
    if (!given && !volume_suggest(r->extents, b, r->size, f))
        return false;
    if (given && !volume_check(r->extents, r->ranks, b->family, f))
        return false;
    return limits_allow(r->extents, b, by_pion, f) && volume_check(r->extents, r->ranks, b->family, f)
           && (r->seed >= 0 || random_seed(&r->seed, f));
}

/* Write the input, and report it, on standard output as JSON, too, if `as_json`; returns the exit status, with the
 * reason. */
static int write_request(const new_request *r, bool as_json, bare_parameters *b, failure *f)
{
    text path = { 0 }, stem = { 0 }, command = { 0 }, input = { 0 };
    if (r->output)
        text_add(&path, "%s", r->output);
    if (!r->output || is_standard_output(r->output))
        new_default_name(&stem, b->family, r->extents);
    else
        add_stem(&stem, r->output);
    if (!r->output)
        text_add(&path, "%s.yaml", text_string(&stem));
    add_command(&command, r);
    volume_warn(&b->warnings, r->extents, b);
    new_input in = { b, { 0 }, r->seed, r->trajectories, text_string(&stem), text_string(&command) };
    memcpy(in.extents, r->extents, sizeof in.extents);
    new_input_add(&input, &in);
    const char *to = text_string(&path);
    const int status = passes_check(&input, to, f) ? write_input(&input, to, f) : EXIT_USAGE;
    if (status == EXIT_OK && as_json)
        new_json_print(r, b, to, text_string(&command));
    if (status == EXIT_OK)
        report(r, b, to);
    text_free(&path);
    text_free(&stem);
    text_free(&command);
    text_free(&input);
    return status;
}

static int write_new(new_request *r, bool as_json)
{
    failure f;
    bare_parameters b;
    const family *of = new_family_find(r->family, &f);
    const literature_target t = { of, r->spacing, r->beta, r->pion, r->light, r->strange, r->charm, r->extrapolate,
                                  r->boundary == TIME_OPEN };
    int status = EXIT_USAGE;
    if (of && bare_parameters_choose(&b, &t, &f)) {
        if (complete(r, &b, &f))
            status = write_request(r, as_json, &b, &f);
        bare_parameters_free(&b);
    }
    if (status != EXIT_OK)
        log_line(LOG_ERROR, "%s", f.why);
    return status;
}

int cmd_new(int argc, char **argv)
{
    new_options o = { .want = { .spacing = NAN, .beta = NAN, .pion = NAN, .light = NAN, .strange = NAN, .charm = NAN,
                                .size = NAN, .seed = -1, .trajectories = TRAJECTORIES } };
    operands none;
    failure f;
    text word = { 0 };
    int status = options_read(&new_usage, argc, argv, &o, &none);
    if (status != GO_ON)
        return status;
    if (o.list)
        return print_list();
    if (o.json && o.want.output && is_standard_output(o.want.output))
        return usage_error(&new_usage, "--json prints on standard output; give --output a file");
    if (o.want.extents[0] != 0 && !isnan(o.want.size))
        return usage_error(&new_usage, "give either --lattice or --size");
    if (!o.want.family && !o.ask && !isatty(STDIN_FILENO))
        return usage_error(&new_usage, "--family NAME is missing, and there is no terminal to ask on; kiln new --list "
                                       "shows the families");
    if ((o.ask || !o.want.family) && !new_questions_ask(&o.want, &word, stdin, &f)) {
        log_line(LOG_ERROR, "%s", f.why);
        status = EXIT_USAGE;
    } else {
        status = write_new(&o.want, o.json);
    }
    text_free(&word);
    return status;
}
