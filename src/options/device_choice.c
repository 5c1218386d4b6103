/* device_choice.c - select the device that --device asks for. */
#include "src/options/device_choice.h"

#include "gpu/device.h"
#include "src/base/log.h"
#include "src/base/memory.h"
#include "src/base/text.h"
#include "src/comm/comm.h"
#include "src/comm/gpu_of_rank.h"
#include "src/config/number.h"
#include "src/config/word_list.h"
#include "src/halo/transport.h"

#include <limits.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

const char *const device_kind_names[] = {
    [DEVICE_AUTO] = "auto", [DEVICE_CPU] = "cpu", [DEVICE_CUDA] = "cuda", NULL
};

/* What --device accepts: a kind, or the form with a number. */
static const char *form_at(const void *list, int i)
{
    (void)list;
    return i <= DEVICE_CUDA ? device_kind_names[i] : i == DEVICE_CUDA + 1 ? "cuda:N" : NULL;
}

bool device_request_read(const char *given, void *value, failure *f)
{
    struct device_request *request = value;
    text why = { 0 };
    int64_t index = -1;
    bool numbered = strncmp(given, "cuda:", 5) == 0 && number_read_integer(given + 5, &index, &why)
                    && index >= 0 && index <= INT_MAX;
    text_free(&why);
    if (numbered) {
        *request = (struct device_request){ .kind = DEVICE_CUDA, .numbered = true, .index = (int)index };
        return true;
    }
    if (strcmp(given, "gpu") == 0)
        return fail(f, "\"gpu\" is not one of auto, cpu, cuda, cuda:N: a GPU is cuda");
    const int form = word_list_find(given, form_at, NULL, f);
    if (form > DEVICE_CUDA)
        return fail(f, "\"%s\": N is the number of a GPU, counted from 0", given);
    if (form >= 0)
        *request = (struct device_request){ .kind = (device_kind)form };
    return form >= 0;
}

/* ---- the GPUs of the ranks */

/* The number of different GPUs; 0 with the reason if ranks share one that they may not share.  Collective. */
static int count_gpus(int index, bool may_share, failure *f)
{
    const comm *world = comm_whole();
    const int ranks = comm_size(world);
    gpu_name mine = { .node = comm_node(world) }, *all = memory_alloc((size_t)ranks * sizeof *all, "GPUs of ranks");
    device_description d;
    const bool known = comm_agree(world, device_describe(index, &d, f), f);
    if (known)
        snprintf(mine.bus, sizeof mine.bus, "%s", d.bus);
    comm_gather_all(world, all, &mine, sizeof mine);
    const int count = known && (may_share || gpus_are_distinct(all, ranks, f)) ? gpus_count(all, ranks) : 0;
    memory_free(all);
    return count;
}

static bool log_gpus(const device_choice *choice, failure *f)
{
    const int index = device_index(), ranks = comm_size(comm_whole());
    const int gpus = ranks == 1 ? 1 : count_gpus(index, choice->share_gpu, f);
    device_description d;
    text line = { 0 };
    text_add(&line, "device: GPU %d", index);
    if (device_describe(index, &d, NULL))
        text_add(&line, ", %s, %s free of %s", d.name, bytes_to_text((double)d.free_bytes).s,
                 bytes_to_text((double)d.memory_bytes).s);
    if (ranks > 1)
        text_add(&line, "; %d ranks on %s", ranks, count_to_text(gpus, "GPU").s);
    if (gpus > 0)
        log_line(LOG_INFO, "%s", text_string(&line));
    text_free(&line);
    return gpus > 0;
}

/* With --device auto and no GPU, the reason is "no usable GPU" rather than "cannot be opened".  All ranks open one, or
 * none. */
static bool open_gpu(const device_choice *choice, failure *f)
{
    const comm *world = comm_whole();
    const int visible = device_count(f);
    const struct device_request *r = &choice->request;
    if (!comm_agree(world, visible > 0, f))
        return false;
    return comm_agree(world, device_open(r->numbered ? r->index : gpu_of_rank(comm_local_rank(world), visible), f), f);
}

/* ---- the choice */

/* Ranks that are threads share the CPU threads of the process. */
static void set_threads(int64_t given)
{
    const comm *world = comm_whole();
    const int all = omp_get_max_threads(), ranks = comm_size(world);
    if (given > 0)
        omp_set_num_threads((int)given);
    else if (strcmp(comm_kind(world), "threads") == 0)
        omp_set_num_threads(all > ranks ? all / ranks : 1);
}

static void log_cpu(const char *why)
{
    const int ranks = comm_size(comm_whole());
    char each[64] = "";
    if (ranks > 1)
        snprintf(each, sizeof each, " for each of %d ranks", ranks);
    log_line(LOG_INFO, "device: CPU, %s%s (%s)", count_to_text(omp_get_max_threads(), "thread").s, each, why);
}

/* Compute on the CPU, if nothing that is wanted needs GPUs. */
static bool choose_cpu(const char *why, failure *f)
{
    const transport *wanted = transport_wanted();
    if (wanted && wanted->is_for_gpus && comm_size(comm_world()) > 1)
        return fail(f, "--transport %s is for ranks on GPUs, but they compute on CPUs (%s)", transport_name(wanted),
                    why);
    log_cpu(why);
    return true;
}

bool device_choice_open(const device_choice *choice, place *where, failure *f)
{
    failure no_gpu;
    set_threads(choice->threads);
    *where = PLACE_CPU;
    if (choice->request.kind == DEVICE_CPU)
        return choose_cpu("--device cpu", f);
    if (open_gpu(choice, &no_gpu)) {
        *where = PLACE_GPU;
        return log_gpus(choice, f);
    }
    if (choice->request.kind == DEVICE_CUDA)
        return fail(f, "--device cuda: %s; use --device cpu to compute on the CPU", no_gpu.why);
    return choose_cpu(no_gpu.why, f);
}
