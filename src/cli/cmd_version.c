/* cmd_version.c - kiln version: what a report of an error needs: build, libraries, machine, environment, devices. */
#include "gpu/device.h"
#include "gpu/nccl.h"
#include "src/base/json.h"
#include "src/base/machine.h"
#include "src/base/memory.h"
#include "src/base/version.h"
#include "src/cli/subcommands.h"
#include "src/comm/comm_mpi.h"
#include "src/io/hdf5_file.h"
#include "src/options/options.h"

#include <omp.h>
#include <stdio.h>
#include <string.h>

typedef struct { bool json; } version_options;

static const usage version_usage = {
    .name = "version", .operands = "",
    .about = "Prints how this program was built, its libraries, the machine, the environment variables that it obeys,\n"
             "and the devices that it can use.  Quote the output in a report of an error.",
    .options = (const option[]){ JSON_OPTION(version_options, json), { 0 } },
};

static void devices_to_json(json *j)
{
    failure f;
    device_description d;
    int count = device_count(&f);
    json_open(j, "devices", '[');
    for (int i = 0; i < count; i++) {
        if (!device_describe(i, &d, NULL))
            continue;
        json_open(j, NULL, '{');
        json_int(j, "index", i);
        json_text(j, "name", d.name);
        json_text(j, "bus", d.bus);
        json_int(j, "compute_major", d.compute_major);
        json_int(j, "compute_minor", d.compute_minor);
        json_int(j, "multiprocessors", d.multiprocessors);
        json_int(j, "memory_bytes", (int64_t)d.memory_bytes);
        json_int(j, "free_bytes", (int64_t)d.free_bytes);
        json_int(j, "l2_bytes", (int64_t)d.l2_bytes);
        json_close(j);
    }
    json_close(j);
    json_text(j, "no_device", count ? NULL : f.why);
}

static const version_fact *library_facts(void)
{
    failure unused;
    const nccl_version_text *loaded_nccl = nccl_version(&unused);
    const version_loaded loaded = { comm_mpi_library(), loaded_nccl ? loaded_nccl->s : "", device_runtime_version(),
                                    device_driver_version(), hdf5_version() ? hdf5_version() : "" };
    return version_library_facts(&loaded);
}

static void facts_to_json(json *j, const version_fact *facts)
{
    for (; facts->key; facts++)
        json_text(j, facts->key, *facts->value ? facts->value : NULL);
}

static void text_to_json(json *j, const char *key, const text *words)
{
    json_text(j, key, words->length > 0 ? text_string(words) : NULL);
}

static void machine_to_json(json *j)
{
    machine_facts m = machine_describe();
    json_open(j, "machine", '{');
    text_to_json(j, "system", &m.system);
    text_to_json(j, "kernel", &m.kernel);
    text_to_json(j, "cpu", &m.cpu);
    json_int(j, "cores", m.cores);
    json_int(j, "memory_bytes", (int64_t)m.memory_bytes);
    json_close(j);
    machine_free(&m);
}

static void environment_to_json(json *j)
{
    const char **variables = machine_environment();
    json_open(j, "environment", '{');
    for (int i = 0; variables[i]; i++) {
        const size_t length = strcspn(variables[i], "=");
        text name = { 0 };
        text_add_bytes(&name, variables[i], length);
        json_text(j, text_string(&name), variables[i] + length + 1);
        text_free(&name);
    }
    json_close(j);
    memory_free(variables);
}

static void print_json(void)
{
    json j = { 0 };
    json_open(&j, NULL, '{');
    facts_to_json(&j, version_build_facts());
    json_int(&j, "threads", omp_get_max_threads());
    json_int(&j, "cpu_vector_bits", version_vector_bits());
    json_bool(&j, "cpu_fused", version_fused());
    json_open(&j, "libraries", '{');
    facts_to_json(&j, library_facts());
    json_close(&j);
    machine_to_json(&j);
    environment_to_json(&j);
    devices_to_json(&j);
    json_close(&j);
    puts(json_string(&j));
    json_free(&j);
}

static void print_facts(const version_fact *facts)
{
    for (; facts->key; facts++)
        printf("  %-16s %s\n", facts->title, *facts->value ? facts->value : "none");
}

static void print_machine(void)
{
    machine_facts m = machine_describe();
    const char **variables = machine_environment();
    printf("  %-16s %s, %s\n", "system", text_string(&m.system), text_string(&m.kernel));
    printf("  %-16s %s, %s, %s of memory\n", "CPU", text_string(&m.cpu), count_to_text(m.cores, "core").s,
           bytes_to_text((double)m.memory_bytes).s);
    for (int i = 0; variables[i]; i++)
        printf("  %-16s %s\n", i == 0 ? "environment" : "", variables[i]);
    memory_free(variables);
    machine_free(&m);
}

static void print_text(void)
{
    failure f;
    device_description d;
    int count = device_count(&f);
    printf("%s\n", version_program());
    print_facts(version_build_facts());
    printf("  %-16s %d bits, multiply-adds %s\n", "CPU vectors", version_vector_bits(),
           version_fused() ? "fused" : "not fused");
    printf("  %-16s %d\n", "OpenMP threads", omp_get_max_threads());
    print_facts(library_facts());
    print_machine();
    if (count == 0)
        printf("  %-16s %s\n", "GPUs", f.why);
    for (int i = 0; i < count; i++)
        if (device_describe(i, &d, &f))
            printf("  GPU %-12d %s, compute capability %d.%d, %d multiprocessors, %s free of %s\n", i, d.name,
                   d.compute_major, d.compute_minor, d.multiprocessors, bytes_to_text((double)d.free_bytes).s,
                   bytes_to_text((double)d.memory_bytes).s);
        else
            printf("  %s\n", f.why);
}

int cmd_version(int argc, char **argv)
{
    version_options o = { 0 };
    operands none;
    int status = options_read(&version_usage, argc, argv, &o, &none);
    if (status != GO_ON)
        return status;
    if (o.json)
        print_json();
    else
        print_text();
    return EXIT_OK;
}
