/* measure_request.c - open a file for a request, and make the measurements of an input on it. */
#include "src/cli/measure_request.h"

#include "src/base/log.h"
#include "src/base/progress_tick.h"
#include "src/hmc/run_anisotropy.h"
#include "src/io/file_json.h"
#include "src/lattice/grid.h"

#include <string.h>

/* How far the kernels of all measurements reach. */
static int hops_of(const measure_request *request)
{
    int hops = GRID_HOPS_LEAST;
    for (int i = 0; request->input && i < request->input->measurements.count; i++) {
        const int next = measurement_hops(run_measurements(request->input), i);
        hops = next > hops ? next : hops;
    }
    return hops;
}

static bool input_is_open(const measure_request *request)
{
    return request->input && request->input->boundary.time == TIME_OPEN;
}

static bool file_is_open(const links_info *info)
{
    return info->has_state && info->state.open_in_time;
}

bool measure_as_open(const measure_request *request, const links_info *info)
{
    return input_is_open(request) || file_is_open(info);
}

void measure_links_to_json(json *j, const measure_request *request, const links_info *info)
{
    links_to_json(j, info);
    if (input_is_open(request) && !file_is_open(info))
        json_text(j, "boundary_time", "open");
}

/* A file with the state of a stream says which boundaries its links have; any other may have those of the input. */
static bool boundaries_agree(const links_info *info, bool open, const char *path, failure *f)
{
    static const char *const names[] = { "periodic", "open" };
    return !info->has_state || info->state.open_in_time == open
           || fail(f, "%s: the file says that its boundaries in t are %s, but those of the input are %s "
                      "(boundary.time); change the input with --set boundary.time=%s", path, names[!open],
                   names[open], names[!open]);
}

/* A file without an anisotropy may be from an isotropic action, another program, or an earlier version of Kiln. */
static bool anisotropies_agree(const links_info *info, const run_params *p, const char *path, failure *f)
{
    const double xi = info->has_state ? info->state.xi_0 : 0, own = run_anisotropy(p);
    if (xi == 0 || own == xi)
        return true;
    return own == 1 ? fail(f, "%s: the file says that its action is anisotropic, with xi_0: %g, but that of the input "
                              "is isotropic; give the gauge action of the input this xi_0", path, xi)
                    : fail(f, "%s: the file says that its action has xi_0: %g, but that of the input has xi_0: %g",
                           path, xi, own);
}

/* A file of the lattice and the action of the input. */
static bool file_fits(const links_info *info, const run_params *p, bool open, const char *path, failure *f)
{
    if (!boundaries_agree(info, open, path, f) || !anisotropies_agree(info, p, path, f))
        return false;
    return memcmp(info->extents, p->extents, sizeof info->extents) == 0
           || fail(f, "%s: the lattice is %s, but that of the input is %s; change the input with --set lattice=[...]",
                   path, extents_to_text(info->extents).s, extents_to_text(p->extents).s);
}

/* Warns of observables that a run with these boundaries refuses, or that are 0 for all links. */
static void warn_of_open(const observable_set *set, const char *path)
{
    const bool over_slices = observables_have(set, OBSERVABLE_OVER_SLICES),
               line = observables_have(set, OBSERVABLE_LINE);
    if (over_slices || line)
        log_line(LOG_WARNING, "%s: boundaries in t are open: %s%s%s", path,
                 over_slices ? OBSERVABLES_OVER_SLICES ", with effects of the boundaries; use --input with kind: flow, "
                               "which has a plateau" : "",
                 over_slices && line ? "; " : "", line ? "the Polyakov loop in t is 0" : "");
}

static void warn_of_anisotropic(const observable_set *set, const links_info *info, const char *path)
{
    if (info->has_state && info->state.xi_0 != 0 && observables_have(set, OBSERVABLE_ISOTROPIC))
        log_line(LOG_WARNING, "%s: the action has xi_0: %g: " OBSERVABLES_ISOTROPIC "; use --input with kind: flow, "
                              "which has the key xi", path, info->state.xi_0);
}

gauge *measure_open(const char *path, configuration_facts *facts, const measure_request *request, place where,
                    failure *f)
{
    const bool open = input_is_open(request);
    gauge *u = configuration_open_for(where, (configuration_request){ .hops = hops_of(request), .open_in_time = open },
                                      facts, path, f);
    if (u && request->input && !file_fits(&facts->info, request->input, open, path, f)) {
        configuration_close(u);
        u = NULL;
    }
    if (u && lattice_is_open(u->links.lattice))
        warn_of_open(&request->set, path);
    if (u)
        warn_of_anisotropic(&request->set, &facts->info, path);
    return u;
}

measurement_point measure_point(const measure_request *request, const links_info *info, uint64_t links)
{
    const run_params *p = request->input;
    if (info->has_state)
        return (measurement_point){ info->state.seed, info->state.stream, info->state.trajectory };
    return (measurement_point){ (uint64_t)p->random.seed ^ links, (uint32_t)p->random.stream,
                                info->label.has_sequence ? info->label.sequence : 0 };
}

void measure_random_to_json(json *j, const measure_request *request, const configuration_facts *facts)
{
    const bool of_run = facts->info.has_state;
    const measurement_point point = measure_point(request, &facts->info, facts->digest);
    json_open(j, "random", '{');
    json_hex(j, "seed", of_run ? point.seed : (uint64_t)request->input->random.seed);
    json_int(j, "stream", point.stream);
    json_int(j, "trajectory", point.trajectory);
    if (!of_run)
        json_hex(j, "links", facts->digest);
    json_close(j);
}

/* What the line on the terminal needs while a file is measured. */
typedef struct { const char *path; const clock_tree *clock; double began; } measuring;

static void show_part(void *of)
{
    const measuring *m = of;
    const char *slash = strrchr(m->path, '/');
    text parts = { 0 };
    clock_add_path(&parts, m->clock, 0);
    log_status("%.40s: %s   %.0f s", slash ? slash + 1 : m->path, text_string(&parts), clock_now() - m->began);
    text_free(&parts);
}

/* One result, into the open object of all; it is freed. */
static void add_result(input_results *r, int index, bool ok, bool keep_failed, const char *name, json *result)
{
    r->failed[index] = !ok;
    r->failures += !ok;
    if (ok || keep_failed)
        json_insert(&r->results, name, result);
    json_free(result);
}

input_results measure_input(const measure_request *request, const char *path, const configuration_facts *facts,
                            const bool *wanted, const gauge *u)
{
    const param_list *list = &request->input->measurements;
    input_results r = { .failures = 0 };
    clock_tree clock = { 0 };
    measuring now = { path, &clock, clock_now() };
    const measurement_point point = measure_point(request, &facts->info, facts->digest);
    measurements *m = measurements_create(run_measurements(request->input), u);
    if (log_shows_status())
        progress_listen(show_part, &now);
    json_open(&r.results, NULL, '{');
    for (int i = 0; i < list->count; i++) {
        json result = { 0 };
        if (wanted && !wanted[i])
            continue;
        const bool ok = measurements_run_one(m, i, u, &point, &result, &clock);
        add_result(&r, i, ok, !wanted, measurement_name(list, i), &result);
    }
    json_close(&r.results);
    progress_listen(NULL, NULL);
    log_progress_end();
    measurements_free(m);
    return r;
}
