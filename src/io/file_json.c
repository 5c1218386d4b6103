/* file_json.c - a configuration file in the JSON that commands print. */
#include "src/io/file_json.h"

void file_to_json(json *j, const char *path, const links_info *info)
{
    json_text(j, "file", path);
    links_to_json(j, info);
}

void links_to_json(json *j, const links_info *info)
{
    json_open(j, "dims", '[');
    for (int mu = 0; mu < 4; mu++)
        json_int(j, NULL, info->extents[mu]);
    json_close(j);
    json_text(j, "format", links_format_name(info->format));
    json_int(j, "bits", info->bits);
    if (info->has_state)
        json_int(j, "trajectory", info->state.trajectory);
    if (info->has_state && info->state.open_in_time)
        json_text(j, "boundary_time", "open");
    if (info->has_state && info->state.xi_0 != 0)
        json_real(j, "xi_0", info->state.xi_0);
}
