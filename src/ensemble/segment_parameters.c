/* segment_parameters.c - reads the parameters of all segments, and compares neighbors. */
#include "src/ensemble/segment_parameters.h"

#include "src/base/memory.h"
#include "src/ensemble/ensemble_parameters.h"
#include "src/ensemble/parameter_differences.h"

#include <math.h>

static bool read_file(parameters_file *file, const segments *s, const char *directory, int index)
{
    failure why;
    text path = segments_parameters_path(s, directory, index);
    const bool ok = parameters_file_read(file, text_string(&path), &why);
    text_free(&path);
    return ok;
}

static void compare(segment_parameters *s, const run_params *then, const run_params *now)
{
    text differences = { 0 }, action = { 0 };
    parameter_differences_add(&differences, &action, then, now);
    s->new_action = action.length > 0;
    s->new_tempering = !run_same_tempering(then, now);
    text_free(&differences);
    text_free(&action);
}

segment_parameters *segment_parameters_read(const segments *s, const char *directory)
{
    segment_parameters *all = s->count > 0 ? memory_alloc((size_t)s->count * sizeof *all, "segments") : NULL;
    parameters_file before = { 0 };
    for (int i = 0; i < s->count; i++) {
        parameters_file now;
        const bool known = read_file(&now, s, directory, i);
        all[i] = (segment_parameters){ .known = known, .length = known ? now.in.p.hmc.length : NAN };
        if (i > 0 && known && all[i - 1].known)
            compare(&all[i], &before.in.p, &now.in.p);
        else if (i > 0)
            all[i].new_action = segments_change_monomials(s, i);
        parameters_file_free(&before);
        before = now;
    }
    parameters_file_free(&before);
    return all;
}
