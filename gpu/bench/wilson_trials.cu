/* wilson_trials.cu - variants of the hop of Wilson quarks that are not in wilson_ladder.cu: textures and fewer
 * instructions for numbers of 16 bits, several threads per site on small lattices, and kernels that omit a part of the
 * work, to measure the time of that part.
 *
 * `present` is the tuned kernel; `small` has one thread per site in blocks of one warp.  docs/performance.md has
 * predictions and measurements.  Build: make gpu-bench. */
#include "gpu/bench/ladder.h"
#include "gpu/bench/wilson_split.h"
#include "gpu/bench/wilson_textures.h"
#include "gpu/bench/wilson_twins.h"
#include "gpu/wilson_tuned.h"

#define STEP(name, f, links, kind, run) { name, f, links, 1, kind, run }
#define PORTABLE(f, suffix) STEP("portable", f, wilson_links(f), LADDER_PLAIN, K(wilson_hop##suffix))
#define PRESENT(f, suffix) STEP("present" #suffix, f, wilson_links(f), LADDER_PLAIN, K(wilson_hop##suffix##_tuned))
#define ONE(name, f, run, z, how, blocks)                                                                              \
    STEP(name " " #run "x" #z ", " #blocks, f, wilson_links(f), LADDER_PLAIN,                                          \
         (launch_wilson<wilson_way<f, wilson_links(f), run, z, 1, 1, how, blocks>, WILSON_HOP>))
#define SPLIT(f, run, z, parts, blocks)                                                                                \
    STEP("split " #run "x" #z " by " #parts ", " #blocks, f, wilson_links(f), LADDER_PLAIN,                            \
         (launch_split<split_way<f, wilson_links(f), run, z, parts, blocks>>))
#define TRIAL(name, f, kind, run, z, how, blocks)                                                                      \
    STEP(name " " #run "x" #z ", " #blocks, f, wilson_links(f), kind,                                                  \
         (launch_trial<wilson_way<f, wilson_links(f), run, z, 1, 1, STREAMED + (how), blocks>>))
#define TWIN(name, run, z, how, blocks)                                                                                \
    STEP("twin " name " " #run "x" #z ", " #blocks, VECTOR_HALF, LINK_FIXED16_12, LADDER_TWIN,                         \
         (launch_twin<wilson_way<VECTOR_HALF, LINK_FIXED16_12, run, z, 1, 1, STREAMED + (how), blocks>>))

extern "C" {
site_map_fn K(wilson_hop), K(wilson_hop_tuned);
#ifdef SINGLE
site_map_fn K(wilson_hop_half), K(wilson_hop_half_tuned);
site_map_fn K(wilson_hop_int20), K(wilson_hop_int20_tuned);
#endif
}

#ifdef SINGLE
extern "C" void *wilson_textures_create(const wilson_hop_args *a)
{
    return make_textures(a);
}
extern "C" void wilson_textures_free(void *textures)
{
    destroy_textures((hop_textures *)textures);
}
#endif

extern "C" const wilson_step K(wilson_trials)[] = {
    PORTABLE(VECTOR_NATIVE, ),
    PRESENT(VECTOR_NATIVE, ),
#ifdef SINGLE
    ONE("small", VECTOR_NATIVE, 32, 1, STREAMED + AHEAD, 16),
    SPLIT(VECTOR_NATIVE, 32, 1, 2, 8),
    SPLIT(VECTOR_NATIVE, 32, 1, 4, 4),
    SPLIT(VECTOR_NATIVE, 32, 1, 8, 2),
    SPLIT(VECTOR_NATIVE, 64, 1, 4, 2),
    PORTABLE(VECTOR_HALF, _half),
    PRESENT(VECTOR_HALF, _half),
    ONE("stride", VECTOR_HALF, 64, 4, STREAMED + STRIDE_BITS, 2),
    ONE("whole", VECTOR_HALF, 64, 4, STREAMED + WHOLE, 2),
    ONE("stride, whole", VECTOR_HALF, 64, 4, STREAMED + STRIDE_BITS + WHOLE, 2),
    TRIAL("quick links", VECTOR_HALF, LADDER_PLAIN, 64, 4, QUICK_LINKS, 2),
    TRIAL("quick links, whole", VECTOR_HALF, LADDER_PLAIN, 64, 4, QUICK_LINKS + WHOLE, 2),
    TRIAL("quick links", VECTOR_HALF, LADDER_PLAIN, 64, 2, QUICK_LINKS, 4),
    TRIAL("converted links", VECTOR_HALF, LADDER_PLAIN, 64, 4, CONVERTED_LINKS, 2),
    TRIAL("textured links", VECTOR_HALF, LADDER_TEXTURED, 64, 4, TEXTURED_LINKS, 2),
    TRIAL("textured links", VECTOR_HALF, LADDER_TEXTURED, 64, 2, TEXTURED_LINKS, 3),
    TRIAL("textured links, whole", VECTOR_HALF, LADDER_TEXTURED, 64, 4, TEXTURED_LINKS + WHOLE, 2),
    TRIAL("textured vectors", VECTOR_HALF, LADDER_TEXTURED, 64, 4, TEXTURED_VECTORS, 2),
    TRIAL("textured vectors", VECTOR_HALF, LADDER_TEXTURED, 64, 2, TEXTURED_VECTORS, 3),
    TRIAL("textured colors", VECTOR_HALF, LADDER_TEXTURED, 64, 2, TEXTURED_VECTORS + TEXTURED_COLORS, 3),
    TRIAL("textured vectors, quick links", VECTOR_HALF, LADDER_TEXTURED, 64, 4, TEXTURED_VECTORS + QUICK_LINKS, 2),
    TRIAL("textured both", VECTOR_HALF, LADDER_TEXTURED, 64, 4, TEXTURED_LINKS + TEXTURED_VECTORS, 2),
    TWIN("loads", 64, 4, TWIN_NO_PRODUCT, 2),
    TWIN("loads", 64, 2, TWIN_NO_PRODUCT, 4),
    TWIN("loads", 64, 2, TWIN_NO_PRODUCT, 5),
    TWIN("loads of own site", 64, 4, TWIN_NO_PRODUCT + TWIN_OWN_SITE, 2),
    TWIN("local", 64, 4, TWIN_OWN_SITE, 2),
    TWIN("arithmetic", 64, 4, TWIN_ONE_LOAD, 2),
    TWIN("no scales", 64, 4, TWIN_NO_SCALES, 2),
    TWIN("no scales, local", 64, 4, TWIN_NO_SCALES + TWIN_OWN_SITE, 2),
    ONE("small", VECTOR_HALF, 32, 1, STREAMED, 16),
    SPLIT(VECTOR_HALF, 32, 1, 2, 8),
    SPLIT(VECTOR_HALF, 32, 1, 4, 4),
    SPLIT(VECTOR_HALF, 32, 1, 8, 2),
    SPLIT(VECTOR_HALF, 64, 1, 4, 2),
    PORTABLE(VECTOR_INT20, _int20),
    PRESENT(VECTOR_INT20, _int20),
    TRIAL("quick links", VECTOR_INT20, LADDER_PLAIN, 64, 2, QUICK_LINKS, 4),
    TRIAL("textured links", VECTOR_INT20, LADDER_TEXTURED, 64, 2, TEXTURED_LINKS, 3),
#else
    ONE("small", VECTOR_NATIVE, 32, 1, STREAMED + AHEAD, 8),
    SPLIT(VECTOR_NATIVE, 32, 1, 2, 4),
    SPLIT(VECTOR_NATIVE, 32, 1, 4, 2),
    SPLIT(VECTOR_NATIVE, 32, 1, 8, 1),
    SPLIT(VECTOR_NATIVE, 64, 1, 4, 1),
#endif
    { 0 }
};
