/* tune_floor.c - trajectories whose dH is larger than their steps explain. */
#include "src/tune/tune_floor.h"

#include "src/tune/tune_bounds.h"

#include <math.h>

/* The least number of trajectories with a setting that says something; the number of errors, and the factor by which
 * rests may differ for other reasons, such as another lambda. */
enum { COUNT_LEAST = 3, ERRORS = 2 };
#define FACTOR 5.0

/* Trajectories with one setting: the first one, their number, and their mean rest^2. */
typedef struct { int first, count; double rest2; } measured_setting;

static int find_settings(measured_setting found[TUNE_SAMPLES], const tune_model *m)
{
    int settings = 0;
    for (int i = 0; i < m->samples; i++) {
        const tune_sample *x = &m->sample[i];
        int k = 0;
        if (!tune_is_measured(x))
            continue;
        while (k < settings && !tune_same_setting(&m->sample[found[k].first].made, &x->made))
            k++;
        if (k == settings)
            found[settings++] = (measured_setting){ .first = i };
        found[k].rest2 += pow(x->dh - x->predicted, 2);
        found[k].count++;
    }
    for (int k = 0; k < settings; k++)
        found[k].rest2 /= found[k].count;
    return settings;
}

static double error_factor(const measured_setting *s)
{
    return 1 + ERRORS * sqrt(2. / s->count);
}

/* Whether the rest of `fine` is larger than shorter steps than those of `coarse` can have. */
static bool exceeds(const tune_model *m, const measured_setting *fine, const measured_setting *coarse)
{
    const double longest = step_ratio(&m->sample[fine->first].made, &m->sample[coarse->first].made);
    return longest < 1 && fine->rest2 > FACTOR * error_factor(fine) * error_factor(coarse) * coarse->rest2
                                        * pow(longest, 8);
}

static bool is_on_floor(const tune_model *m, const measured_setting *s, const measured_setting *all, int settings)
{
    for (int c = 0; c < settings && s->count >= COUNT_LEAST; c++)
        if (all[c].count >= COUNT_LEAST && exceeds(m, s, &all[c]))
            return true;
    return false;
}

void tune_find_floor(tune_model *m)
{
    measured_setting all[TUNE_SAMPLES];
    const int settings = find_settings(all, m);
    double sum = 0;
    int count = 0;
    for (int i = 0; i < m->samples; i++)
        m->sample[i].on_floor = false;
    for (int k = 0; k < settings; k++) {
        if (!is_on_floor(m, &all[k], all, settings))
            continue;
        for (int i = 0; i < m->samples; i++)
            m->sample[i].on_floor |= tune_is_measured(&m->sample[i])
                                     && tune_same_setting(&m->sample[i].made, &m->sample[all[k].first].made);
        sum += all[k].count * all[k].rest2;
        count += all[k].count;
    }
    m->floor = count > 0 ? sum / count : 0;
    m->floor_error = count > 0 ? m->floor * sqrt(2. / count) : 0;
}
