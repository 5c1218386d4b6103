/* log_tail.c - read the end of a log. */
#include "src/report/log_tail.h"

#include "src/base/memory.h"
#include "src/base/open_file.h"

#include <stdio.h>

enum { LOG_TAIL = 65536 };             /* bytes at the end of a log that are read */

text log_tail_read(const char *directory, int most)
{
    text path = path_in_folder(directory, "run.log"), lines = { 0 };
    char *tail = memory_alloc(LOG_TAIL + 1, "the end of a log");
    FILE *stream = open_file_read(text_string(&path));
    text_free(&path);
    if (stream) {
        if (fseek(stream, -LOG_TAIL, SEEK_END) != 0)
            rewind(stream);
        size_t n = fread(tail, 1, LOG_TAIL, stream), begin = n;
        int ends = 0;
        while (begin > 0 && (ends += tail[begin - 1] == '\n') <= most)
            begin--;
        text_add_bytes(&lines, tail + begin, n - begin);
        fclose(stream);
    }
    memory_free(tail);
    return lines;
}
