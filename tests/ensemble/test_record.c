/* test_record.c - the record of a run: JSON that any reader takes, and times that add up. */
#include "gpu/device.h"
#include "gpu/device_energy.h"
#include "src/base/clock.h"
#include "src/base/log.h"
#include "src/base/memory.h"
#include "src/config/yaml.h"
#include "src/ensemble/ensemble.h"
#include "src/hmc/run_input.h"
#include "src/lattice/field_slices.h"
#include "tests/facts.h"
#include "tests/io/scratch.h"
#include "tests/on_every_backend.h"

#include <ctype.h>
#include <math.h>

enum { TRAJECTORIES = 24, SCALARS_ONLY = 65536 };      /* bytes copied in a trajectory */

static const char input[] =
    "lattice: [4, 4, 4, 6]\n"
    "random: { seed: 5 }\n"
    "start: { from: hot }\n"
    "monomials:\n"
    "  - { kind: gauge, name: fine, action: wilson, beta: 4.0 }\n"
    "  - { kind: gauge, name: coarse, action: rectangle, c1: -0.3, beta: 1.5 }\n"
    "hmc:\n"
    "  trajectory_length: 0.5\n"
    "  levels:\n"
    "    - { integrator: omelyan, steps: 3, monomials: [coarse] }\n"
    "    - { integrator: omelyan, steps: 2, monomials: [fine] }\n"
    "  trajectories: 24\n"
    "  thermalization: 3\n"
    "output: { directory: FOLDER, configuration_every: 5, checkpoint_every: 1 }\n";

/* JSON as RFC 8259 has it: the end of a value that begins at s, NULL where it is none. */
static const char *json_value(const char *s);

static const char *json_blank(const char *s)
{
    return s + strspn(s, " \t\r\n");
}

static const char *json_string_end(const char *s)
{
    if (*s++ != '"')
        return NULL;
    for (; *s != '"'; s++)
        if ((unsigned char)*s < ' ' || (*s == '\\' && !strchr("\"\\/bfnrtu", *++s)))
            return NULL;
    return s + 1;
}

static const char *json_number(const char *s)
{
    s += *s == '-';
    if (!isdigit((unsigned char)*s))
        return NULL;
    s += *s == '0' ? 1 : strspn(s, "0123456789");
    if (*s == '.') {
        if (!isdigit((unsigned char)s[1]))
            return NULL;
        s += 1 + strspn(s + 1, "0123456789");
    }
    if (*s == 'e' || *s == 'E') {
        s += 1 + (s[1] == '-' || s[1] == '+');
        if (!isdigit((unsigned char)*s))
            return NULL;
        s += strspn(s, "0123456789");
    }
    return s;
}

static const char *json_inside(const char *s, char close)
{
    s = json_blank(s + 1);
    if (*s == close)
        return s + 1;
    while (true) {
        if (close == '}') {
            s = json_string_end(s);
            if (!s || *(s = json_blank(s)) != ':')
                return NULL;
            s++;
        }
        s = json_value(s);
        if (!s)
            return NULL;
        s = json_blank(s);
        if (*s == close)
            return s + 1;
        if (*s != ',')
            return NULL;
        s = json_blank(s + 1);
    }
}

static const char *json_value(const char *s)
{
    static const char *const words[] = { "true", "false", "null" };
    s = json_blank(s);
    for (int i = 0; i < 3; i++)
        if (strncmp(s, words[i], strlen(words[i])) == 0)
            return s + strlen(words[i]);
    return *s == '{' ? json_inside(s, '}') : *s == '[' ? json_inside(s, ']') : *s == '"' ? json_string_end(s)
                                                                                        : json_number(s);
}

static bool is_json(const char *line)
{
    const char *end = json_value(line);
    return end && *json_blank(end) == '\0';
}

static double number(const yaml_node *line, const char *key, const char *inner)
{
    const yaml_node *node = yaml_get(line, key);
    if (node && inner)
        node = yaml_get(node, inner);
    return node && node->type == YAML_SCALAR ? strtod(node->scalar, NULL) : NAN;
}

/* Whether every timer is its own time and that of its children; the sum of their times. */
static bool timers_close(const yaml_node *timers, double *sum)
{
    bool close = timers && timers->type == YAML_SEQUENCE;
    *sum = 0;
    for (int i = 0; close && i < timers->count; i++) {
        double inside, seconds = number(timers->item[i], "seconds", NULL), self = number(timers->item[i], "self", NULL);
        close = timers_close(yaml_get(timers->item[i], "children"), &inside) && seconds >= 0
                && self > -1e-9 && fabs(seconds - self - inside) < 1e-9;
        *sum += seconds;
    }
    return close;
}

/* What holds of every line of a record. */
typedef struct {
    int lines;
    bool json, numbered, timers, walls, energies, probabilities, forces;
    double seconds, wall, most_bytes;
    int with_joules;                   /* lines with joules that are a number from 0 on */
} summary;

static void read_record_line(summary *all, const char *content)
{
    double roots = 0;
    all->lines++;
    all->json &= is_json(content);
    yaml_node *line = yaml_read_string(content, "run.jsonl", NULL);
    if (!line) {
        all->json = false;
        return;
    }
    double dh = number(line, "dH", NULL), before = number(line, "energy_before", "total");
    const yaml_node *forces = yaml_get(line, "force");
    all->numbered &= number(line, "trajectory", NULL) == all->lines;
    all->timers &= timers_close(yaml_get(line, "timers"), &roots) && roots >= number(line, "seconds", NULL);
    /* Writing the line before and its files stands among the timers of this one, and so in its wall time. */
    double wall = number(line, "wall_seconds", NULL);
    all->walls &= wall >= roots;
    all->wall += wall;
    all->energies &= fabs(before - number(line, "energy_before", "kinetic") - number(line, "energy_before", "fine")
                          - number(line, "energy_before", "coarse")) < 1e-9 * fabs(before)
                     && fabs(number(line, "energy_after", "total") - before - dh) < 1e-9 * fabs(before);
    all->probabilities &= fabs(number(line, "exp_minus_dH", NULL) / exp(-dh) - 1) < 1e-9
                          && number(line, "random", NULL) > 0 && number(line, "random", NULL) < 1;
    all->forces &= forces && forces->count == 2;
    for (int t = 0; all->forces && t < 2; t++)
        all->forces &= number(forces->item[t], "rms", NULL) > 0
                       && number(forces->item[t], "max", NULL) >= number(forces->item[t], "rms", NULL)
                       && number(forces->item[t], "level", NULL) == 1 - t;
    all->seconds += roots;
    all->most_bytes = fmax(all->most_bytes, number(line, "bytes_to_device", NULL)
                                                + number(line, "bytes_from_device", NULL));
    if (isnan(number(line, "bytes_to_device", NULL)) || isnan(number(line, "bytes_from_device", NULL)))
        all->most_bytes = INFINITY;
    all->with_joules += number(line, "joules", NULL) >= 0;
    yaml_tree_free(line);
}

static summary read_record(const char *path)
{
    summary all = { .json = true, .numbered = true, .timers = true, .walls = true, .energies = true,
                    .probabilities = true, .forces = true };
    char *line = NULL;
    size_t capacity = 0;
    FILE *file = fopen(path, "r");
    while (file && getline(&line, &capacity, file) > 0)
        read_record_line(&all, line);
    if (file)
        fclose(file);
    free(line);
    return all;
}

static void ignore_progress(const ensemble_progress *p)
{
    (void)p;
}

/* The input lies beside the folder of the ensemble: an ensemble does not begin among other files. */
static void input_path(char *path, size_t size, const scratch *s)
{
    snprintf(path, size, "%s.yaml", s->folder);
}

/* Make an ensemble in the folder, up to the trajectory `until`; the seconds that its loop took, NAN on failure. */
static double make(scratch *s, place where, int64_t until, char *const *sets, int count)
{
    static const volatile sig_atomic_t go_on;
    fault_list faults = { 0 };
    failure why = { .why = "" };
    run_input in;
    double seconds = NAN;
    char path[600];
    input_path(path, sizeof path, s);
    if (!run_input_read(&in, path, sets, count, &faults)) {
        note("%s", text_string(&faults.lines));
    } else {
        ensemble *e = ensemble_open(&in.p, where, NULL, &why);
        double began = clock_now();
        const run_limits limits = { .stop = &go_on, .time = walltime_begin(INFINITY), .midtrajectory_every = -1 };
        if (!e || ensemble_run(e, until, &limits, ignore_progress, &why) != ENSEMBLE_DONE)
            note("%s", why.why);
        else
            seconds = clock_now() - began;
        ensemble_close(e);
    }
    run_input_free(&in);
    fault_list_free(&faults);
    return seconds;
}

static scratch folder_with_input(void)
{
    scratch s = scratch_create();
    char path[600];
    input_path(path, sizeof path, &s);
    FILE *file = fopen(path, "w");
    const char *folder = strstr(input, "FOLDER");
    fprintf(file, "%.*s%s%s", (int)(folder - input), input, s.folder, folder + strlen("FOLDER"));
    fclose(file);
    return s;
}

static void remove_with_input(scratch *s)
{
    char path[600];
    input_path(path, sizeof path, s);
    unlink(path);
    scratch_remove(s);
}

static bool has_counter(place where)
{
    device_description d;
    return where == PLACE_GPU && device_describe(device_index(), &d, NULL) && device_counter_of(d.bus);
}

static void facts_of_a_run(place where)
{
    scratch s = folder_with_input();
    double wall = make(&s, where, TRAJECTORIES, NULL, 0);
    summary all = read_record(scratch_path(&s, "run.jsonl"));
    fact(all.lines == TRAJECTORIES && all.numbered, "a line for each of %d trajectories, numbered", TRAJECTORIES);
    fact(all.json, "every line is JSON");
    fact(all.energies, "the energies are the sums of their terms, and dH is their difference");
    fact(all.probabilities, "exp(-dH) belongs to dH, and the random number lies between 0 and 1");
    fact(all.forces, "the size of every force stands with its level");
    fact(all.timers, "every timer is its own time and that of its children");
    /* The files after the last trajectory belong to a line that is not there, and other programs may take the
     * processor at any time: no sum is equal to the time of the run. */
    fact(all.seconds <= wall && all.seconds > 0.5 * wall, "the timers of all lines are the time of the run: "
         "%.3f of %.3f s", all.seconds, wall);
    fact(all.walls && all.wall <= wall, "and every line has the time since the one before: "
         "%.3f of %.3f s", all.wall, wall);
    fact(where == PLACE_CPU ? all.most_bytes == 0 : all.most_bytes > 0 && all.most_bytes < SCALARS_ONLY,
         "only scalars travel between host and device: %.0f bytes in a trajectory", all.most_bytes);
    /* Later trajectories are too short to be measured where a reading takes long. */
    const bool counts = has_counter(where);
    fact(counts ? all.with_joules >= 1 : all.with_joules == 0, "lines with joules: %d; on a GPU with a counter at "
         "least the first, else none", all.with_joules);
    remove_with_input(&s);
}

/* What is taken is planned, but for buffers of a fixed size.  On the CPU all of it is memory of the host, and the
 * planned buffer for copies from a device (lattice/field_slices.h) is not made. */
static void facts_of_memory(void)
{
    enum { BUFFERS = 2 << 20 };
    char extents[] = "lattice=[8, 8, 16, 16]", steps[] = "hmc.levels.0.steps=1";
    char every[] = "output.configuration_every=1";
    char *const sets[] = { extents, steps, every };
    scratch s = folder_with_input();
    fault_list faults = { 0 };
    memory_item items[HMC_MEMORY_ITEMS];
    double planned = 0;
    run_input in;
    char path[600];
    input_path(path, sizeof path, &s);
    if (run_input_read(&in, path, sets, 3, &faults))
        for (int i = 0; i < hmc_memory(&in.p, PLACE_CPU, items); i++)
            planned += (double)items[i].bytes;
    run_input_free(&in);
    fault_list_free(&faults);
    make(&s, PLACE_CPU, 2, sets, 3);
    double taken = (double)memory_bytes_peak();
    fact(taken < planned + BUFFERS && taken > 0.9 * (planned - FIELD_STAGING_BYTES),
         "a run with its files takes the memory that is planned: %.0f of %.0f bytes", taken, planned);
    remove_with_input(&s);
}

/* Steps far too long: energies that are not finite. */
static void facts_of_nonsense(void)
{
    char beta[] = "monomials.0.beta=1000", length[] = "hmc.trajectory_length=100", warm[] = "hmc.thermalization=0";
    char *const sets[] = { beta, length, warm };
    scratch s = folder_with_input();
    make(&s, PLACE_CPU, 3, sets, 3);
    summary all = read_record(scratch_path(&s, "run.jsonl"));
    fact(all.lines == 3 && all.json, "a dH beyond all bounds makes JSON too");
    remove_with_input(&s);
}

int main(void)
{
    log_set_quiet(true);
    fact(is_json("{\"a\": [1, -2.5e-3, null], \"b\": {}}\n") && !is_json("{\"a\": nan}") && !is_json("{\"a\": 1,}")
         && !is_json("{\"a\": 01}") && !is_json("{a: 1}"), "what is JSON is told from what is YAML only");
    facts_of_memory();                  /* first: the peak is one of the process */
    FOR_EVERY_PLACE(where)
        facts_of_a_run(where);
    facts_of_nonsense();
    return facts_end();
}
