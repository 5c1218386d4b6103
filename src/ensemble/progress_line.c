/* progress_line.c - a trajectory's parts and the time that is left, in one line. */
#include "src/ensemble/progress_line.h"

#include "src/base/log.h"
#include "src/base/progress_tick.h"
#include "src/ensemble/ensemble_inside.h"

#include <inttypes.h>
#include <string.h>

/* The trajectory's expected time: as the one before; for the first, from the share of the dynamics that is done. */
static double expected_seconds(const progress_line *p, double elapsed, const evolver_drifts *d)
{
    if (p->expected > 0)
        return p->expected;
    return d && d->done > 0 ? elapsed * (double)d->all / (double)d->done : 0;
}

static void add_seconds(text *words, double elapsed, double expected)
{
    text_add(words, "   %.0f s", elapsed);
    if (expected > elapsed)
        text_add(words, " of about %.0f s", expected);
}

static bool begins_with(const char *words, const char *beginning)
{
    return strncmp(words, beginning, strlen(beginning)) == 0;
}

text progress_line_text(const progress_line *p)
{
    const double elapsed = clock_now() - *p->began;
    text words = { 0 }, path = { 0 };
    evolver_drifts d = { 0, 0 };
    clock_add_path(&path, p->clock, 1);
    const bool measures = begins_with(text_string(&path), "measure");
    const bool dynamics = begins_with(text_string(&path), "dynamics");
    text_add(&words, "trajectory %" PRId64 "/%" PRId64 ": ", ensemble_trajectory(p->e) + !measures, p->until);
    if (dynamics) {
        d = evolver_progress(hmc_dynamics(p->e->h));
        text_add(&words, "dynamics %" PRId64 "/%" PRId64 "%s", d.done, d.all, text_string(&path) + strlen("dynamics"));
    } else {
        text_add(&words, "%s", text_string(&path));
    }
    add_seconds(&words, elapsed, expected_seconds(p, elapsed, dynamics ? &d : NULL));
    text_free(&path);
    return words;
}

static void draw(void *of)
{
    const progress_line *p = of;
    if (p->clock->current_plus_one == 0 || p->clock->node[p->clock->current_plus_one - 1].parent < 0)
        return;                            /* between two parts of a trajectory */
    text words = progress_line_text(p);
    log_status("%s", text_string(&words));
    text_free(&words);
}

void progress_line_begin(progress_line *p)
{
    if (log_shows_status())
        progress_listen(draw, p);
}

void progress_line_end(void)
{
    progress_listen(NULL, NULL);
}
