/* load_nvml_stand_in.c - a library with the name of NVML that is already loaded is the one that dlopen finds. */
#include "tests/gpu/load_nvml_stand_in.h"

#include "src/base/text.h"
#include "tests/facts.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static bool has_compiler(const char *compiler)
{
    text command = { 0 };
    text_add(&command, "command -v %.*s >/dev/null", (int)strcspn(compiler, " "), compiler);
    const bool has = system(text_string(&command)) == 0;
    text_free(&command);
    return has;
}

bool nvml_stand_in_loads(const char *folder, const char *sentence)
{
    const char *compiler = getenv("CC"), *sources = getenv("srcdir");
    text command = { 0 }, path = path_in_folder(folder, "nvml.so");
    compiler = compiler && *compiler ? compiler : "cc";
    if (!has_compiler(compiler)) {
        skip(sentence, "no C compiler here");
        return false;
    }
    text_add(&command, "%s -std=gnu11 -fPIC -shared -Wl,-soname,libnvidia-ml.so.1 -o '%s' "
             "'%s/tests/gpu/nvml_stand_in.c' >&2", compiler, text_string(&path), sources ? sources : ".");
    const bool made = system(text_string(&command)) == 0, loaded = made && dlopen(text_string(&path), RTLD_NOW);
    if (!fact(loaded, "the stand-in for NVML is compiled and loaded"))
        note("%s", made ? dlerror() : text_string(&command));
    text_free(&command);
    text_free(&path);
    return loaded;
}
