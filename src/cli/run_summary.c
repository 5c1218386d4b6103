/* run_summary.c - run.jsonl, read line by line. */
#include "src/cli/run_summary.h"

#include "src/cli/headlines.h"
#include "src/config/yaml.h"

#include <errno.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the means are taken of. */
typedef struct { int64_t count, capacity; double *value; } series;

static void series_add(series *s, double value)
{
    if (s->count == s->capacity) {
        s->capacity = s->capacity ? 2 * s->capacity : 256;
        s->value = realloc(s->value, (size_t)s->capacity * sizeof *s->value);
        require(s->value != NULL, "out of host memory: the record of a run");
    }
    s->value[s->count++] = value;
}

static naive_mean series_mean(series *s)
{
    naive_mean m = { s->count, NAN, NAN };
    if (s->count > 0)
        m.value = gsl_stats_mean(s->value, 1, (size_t)s->count);
    if (s->count > 1)
        m.error = gsl_stats_sd_m(s->value, 1, (size_t)s->count, m.value) / sqrt((double)s->count);
    free(s->value);
    *s = (series){ 0 };
    return m;
}

typedef struct {
    series accepted, exp_minus_dh, dh, plaquette, seconds, measured[MEASURED_MAX];
} run_series;

/* A line of the record. */
typedef struct {
    int64_t trajectory;
    bool accepted, thermalization;
    double dh, exp_minus_dh, plaquette, seconds;
} record_line;

static bool get_bool(const yaml_node *line, const char *key, bool *value)
{
    const yaml_node *node = yaml_get(line, key);
    *value = node && node->type == YAML_SCALAR && strcmp(node->scalar, "true") == 0;
    return *value || (node && node->type == YAML_SCALAR && strcmp(node->scalar, "false") == 0);
}

static bool parse_line(const yaml_node *line, record_line *r)
{
    double number = 0;
    const yaml_node *plaquette = line && line->type == YAML_MAPPING ? yaml_get(line, "plaquette") : NULL;
    bool ok = plaquette && plaquette->type == YAML_MAPPING && member_real(line, "trajectory", &number) && number >= 1
              && get_bool(line, "accepted", &r->accepted) && get_bool(line, "thermalization", &r->thermalization)
              && member_real(line, "dH", &r->dh) && member_real(line, "exp_minus_dH", &r->exp_minus_dh)
              && member_real(plaquette, "average", &r->plaquette) && member_real(line, "seconds", &r->seconds);
    r->trajectory = ok ? (int64_t)number : 0;
    return ok;
}

/* A headline of the line at hand, into the summary. */
typedef struct { run_summary *s; run_series *all; bool warm_up; } measured_taker;

static void take_headline(void *out, const char *title, double value)
{
    measured_taker *taker = out;
    run_summary *s = taker->s;
    int n = 0;
    while (n < s->measured_count && strcmp(s->measured[n].title, title) != 0)
        n++;
    if (n == MEASURED_MAX || strlen(title) >= sizeof s->measured[n].title)
        return;
    if (n == s->measured_count)
        memcpy(s->measured[s->measured_count++].title, title, strlen(title) + 1);
    s->measured[n].last = value;
    s->measured[n].count++;
    if (!taker->warm_up && isfinite(value))
        series_add(&taker->all->measured[n], value);
}

static void take_line(run_summary *s, run_series *all, const record_line *r)
{
    s->trajectories++;
    s->last = r->trajectory;
    series_add(&all->seconds, r->seconds);
    if (r->thermalization) {
        s->warm_up++;
        return;
    }
    s->accepted += r->accepted;
    series_add(&all->accepted, r->accepted);
    series_add(&all->exp_minus_dh, r->exp_minus_dh);
    series_add(&all->dh, r->dh);
    series_add(&all->plaquette, r->plaquette);
}

bool run_summary_read(run_summary *s, const char *path, failure *f)
{
    *s = (run_summary){ 0 };
    errno = 0;
    FILE *stream = fopen(path, "r");
    if (!stream)
        return fail(f, "%s: cannot be read: %s", path, strerror(errno));
    run_series all = { 0 };
    char *line = NULL;
    size_t capacity = 0;
    ssize_t length;
    for (int64_t number = 1; (length = getline(&line, &capacity, stream)) > 0; number++) {
        record_line r;
        bool complete = line[length - 1] == '\n';
        bool text_only = strlen(line) == (size_t)length;
        yaml_node *tree = complete && text_only ? yaml_read_string(line, "a line", NULL) : NULL;
        if (parse_line(tree, &r)) {
            take_line(s, &all, &r);
            headlines_tell(yaml_get(tree, "measurements"), take_headline,
                           &(measured_taker){ s, &all, r.thermalization });
        } else if (!complete) {
            s->torn = true;
        } else {
            s->first_damaged = s->damaged++ ? s->first_damaged : number;
        }
        yaml_tree_free(tree);
    }
    bool ok = !ferror(stream) || fail(f, "%s: cannot be read: %s", path, strerror(errno));
    free(line);
    fclose(stream);
    s->acceptance = series_mean(&all.accepted);
    s->exp_minus_dh = series_mean(&all.exp_minus_dh);
    s->dh = series_mean(&all.dh);
    s->plaquette = series_mean(&all.plaquette);
    s->seconds = series_mean(&all.seconds);
    for (int i = 0; i < s->measured_count; i++)
        s->measured[i].mean = series_mean(&all.measured[i]);
    return ok;
}
