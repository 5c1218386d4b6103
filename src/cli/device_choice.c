/* device_choice.c - select the device that --device asks for. */
#include "src/cli/device_choice.h"

#include "gpu/device.h"
#include "src/base/log.h"
#include "src/base/text.h"
#include "src/config/number.h"
#include "src/config/suggest.h"

#include <limits.h>
#include <omp.h>
#include <string.h>

static const char *const kinds[] = { [DEVICE_AUTO] = "auto", [DEVICE_CPU] = "cpu", [DEVICE_CUDA] = "cuda" };
enum { KINDS = sizeof kinds / sizeof *kinds };

bool device_request_read(const char *given, void *value, failure *f)
{
    struct device_request *request = value;
    near_miss near = { .word = given };
    for (int i = 0; i < KINDS; i++) {
        if (strcmp(given, kinds[i]) == 0) {
            *request = (struct device_request){ (device_kind)i, 0 };
            return true;
        }
        suggest_try(&near, kinds[i]);
    }
    text message = { 0 };
    int64_t index = -1;
    bool numbered = strncmp(given, "cuda:", 5) == 0 && number_read_integer(given + 5, &index, &message)
                    && index >= 0 && index <= INT_MAX;
    text_clear(&message);
    if (numbered) {
        *request = (struct device_request){ DEVICE_CUDA, (int)index };
    } else {
        suggest_report(&message, &near);
        fail(f, "\"%s\" is not one of auto, cpu, cuda, cuda:N%s", given, text_string(&message));
    }
    text_free(&message);
    return numbered;
}

static void say_gpu(int index)
{
    device_description d;
    if (device_describe(index, &d, NULL))
        log_line(LOG_INFO, "device: GPU %d, %s, %s free of %s", index, d.name, bytes_to_text((double)d.free_bytes).s,
                 bytes_to_text((double)d.memory_bytes).s);
    else
        log_line(LOG_INFO, "device: GPU %d", index);
}

static void say_cpu(const char *why)
{
    log_line(LOG_INFO, "device: CPU, %s (%s)", count_to_text(omp_get_max_threads(), "thread").s, why);
}

/* With --device auto and no GPU, the reason is "no usable GPU" rather than "cannot be opened". */
static bool open_gpu(const struct device_request *request, failure *f)
{
    return (request->kind == DEVICE_CUDA || device_count(f) > 0) && device_open(request->index, f);
}

bool device_choice_open(const device_choice *choice, place *where, failure *f)
{
    failure no_gpu;
    if (choice->threads > 0)
        omp_set_num_threads((int)choice->threads);
    *where = PLACE_CPU;
    if (choice->request.kind == DEVICE_CPU) {
        say_cpu("--device cpu");
    } else if (open_gpu(&choice->request, &no_gpu)) {
        *where = PLACE_GPU;
        say_gpu(choice->request.index);
    } else if (choice->request.kind == DEVICE_CUDA) {
        return fail(f, "--device cuda: %s; use --device cpu to compute on the CPU", no_gpu.why);
    } else {
        say_cpu(no_gpu.why);
    }
    return true;
}
