/* audit_measurements.c - note names of measurements that have different settings in different segments. */
#include "src/audit/audit_parts.h"

#include "src/base/memory.h"
#include "src/ensemble/ensemble_parameters.h"
#include "src/measure/measurement_changes.h"

#include <inttypes.h>

/* The settings of the measurement `name` in the newest segment before `index` that has it; false if none has. */
static bool find_settings(uint64_t *settings, const parameters_file *of, int index, const char *name)
{
    for (int i = index - 1; i >= 0; i--) {
        const param_list *list = &of[i].in.p.measurements;
        const int at = measurement_index(list, name);
        if (at >= 0) {
            *settings = measurement_settings(run_measurements(&of[i].in.p), at);
            return true;
        }
    }
    return false;
}

void audit_measurements(audit *a)
{
    const int count = a->segments.count;
    parameters_file *of = memory_alloc((size_t)(count + 1) * sizeof *of, "the parameters of an ensemble");
    bool ok = true;
    int read = 0;
    for (; ok && read < count; read++) {
        text path = segments_parameters_path(&a->segments, a->directory, read);
        failure why;
        ok = parameters_file_read(&of[read], text_string(&path), &why);          /* else audit_parameters reported it */
        text_free(&path);
    }
    for (int i = 1; ok && i < count; i++) {
        const param_list *now = &of[i].in.p.measurements;
        for (int m = 0; m < now->count; m++) {
            uint64_t before;
            if (find_settings(&before, of, i, measurement_name(now, m))
                && before != measurement_settings(run_measurements(&of[i].in.p), m))
                audit_note(a, "measurement %s has other settings from trajectory %" PRId64 " on: results before and "
                              "after are different quantities", measurement_name(now, m), a->segments.item[i].first);
        }
    }
    for (int i = 0; i < read; i++)
        parameters_file_free(&of[i]);
    memory_free(of);
}
