/* rank_machine.c - asks the system and the GPU for their names. */
#include "src/ensemble/rank_machine.h"

#include "gpu/device.h"

#include <stdio.h>
#include <unistd.h>

rank_machine rank_machine_here(place where)
{
    rank_machine m = { .host = "" };
    device_description gpu;
    gethostname(m.host, sizeof m.host - 1);
    if (where != PLACE_GPU)
        snprintf(m.device, sizeof m.device, "CPU");
    else if (device_describe(device_index(), &gpu, NULL))
        snprintf(m.device, sizeof m.device, "GPU %d, %s, bus %s", device_index(), gpu.name, gpu.bus);
    else
        snprintf(m.device, sizeof m.device, "GPU %d", device_index());
    return m;
}
