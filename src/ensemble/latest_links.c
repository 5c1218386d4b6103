/* latest_links.c - find links for tuning and timing. */
#include "src/ensemble/latest_links.h"

#include "src/ensemble/ensemble_files.h"
#include "src/ensemble/start_links.h"
#include "src/io/configuration.h"

static bool load_file(latest_links *at, gauge *u, const char *path, configuration_facts *facts, failure *f)
{
    if (!configuration_load(u, LINKS_TO_PROJECT, facts, path, f))
        return false;
    gauge_reunitarize(u);
    text_add(&at->origin, "%s", path);
    return true;
}

/* Load the newest readable state; false if there is none. */
static bool load_state(latest_links *at, gauge *u, const run_params *p)
{
    state_files files = state_files_list(p);
    configuration_facts facts;
    bool found = false;
    for (int i = 0; i < files.count && !found; i++) {
        found = files.file[i].trajectory > p->start.trajectory && load_file(at, u, files.file[i].path, &facts, NULL);
        at->trajectory = found ? files.file[i].trajectory : 0;
    }
    state_files_free(&files);
    at->thermalized = found && !run_is_thermalization(p, at->trajectory);
    if (found && facts.info.has_state)
        at->memory = facts.info.state.memory;
    return found;
}

static bool make_start(latest_links *at, gauge *u, const run_params *p, const run_limits *limits, failure *f)
{
    at->thermalized = p->start.from == START_FILE;
    return start_links_make(u, p, limits, &at->origin, f);
}

bool latest_links_load(latest_links *at, gauge *u, const run_params *p, const char *from, const run_limits *limits,
                       failure *f)
{
    configuration_facts facts;
    *at = (latest_links){ .trajectory = 0 };
    if (!from)
        return load_state(at, u, p) || make_start(at, u, p, limits, f);
    at->thermalized = true;
    return load_file(at, u, from, &facts, f);
}

int64_t latest_links_trajectories(const run_params *p)
{
    state_files files = state_files_list(p);
    const int64_t made = files.count > 0 ? files.file[0].trajectory - p->start.trajectory : 0;
    state_files_free(&files);
    return made > 0 ? made : 0;
}
