/* wilson_tuned.h - the tuned hop of Wilson quarks: which tiles for which format, for one system and for several.
 *
 * Shapes and registers are the best ones of the ladder: gpu/bench/wilson_ladder.cu has the numbers. */
#ifndef KILN_GPU_WILSON_TUNED_H
#define KILN_GPU_WILSON_TUNED_H

#include "gpu/wilson_march.h"

static constexpr link_format wilson_links(vector_format f)
{
    return f == VECTOR_NATIVE ? LINK_12 : f == VECTOR_INT30 ? LINK_FIXED32_12 : LINK_FIXED16_12;
}

/* For one system. */
template <vector_format F>
using one_system = wilson_way<F, wilson_links(F), 64, F == VECTOR_HALF ? 4 : 2, 1, 1,
                              F == VECTOR_NATIVE ? STREAMED + AHEAD : STREAMED,
                              F == VECTOR_HALF || (F == VECTOR_NATIVE && IN_DOUBLE) ? 2
                              : F == VECTOR_INT30 ? 3 : 4>;

/* For several systems.  systems_in_turns: one after the other (int30, and double with a twisted mass).
 * systems_at_once: four at once (single, half, int20).  In double without a twisted mass, a site has two threads, each
 * with one system at a time (two_systems) or with two (systems_in_pairs): the L1 cache is large enough for these. */
template <vector_format F>
using systems_in_turns = wilson_way<F, wilson_links(F), 64, 2, 1, 1, F == VECTOR_NATIVE ? AHEAD : PLAIN,
                                    F == VECTOR_NATIVE ? 2 : 3>;
template <vector_format F>
using systems_at_once = wilson_way<F, wilson_links(F), F == VECTOR_NATIVE ? 64 : 32, 1, 1, 4, PLAIN,
                                   F == VECTOR_NATIVE ? 2 : 4>;
template <vector_format F>
using two_systems = wilson_way<F, wilson_links(F), 64, 1, 1, 2, PLAIN, 3>;
template <vector_format F>
using systems_in_pairs = wilson_way<F, wilson_links(F), 64, 1, 1, 2, STREAMED, 2, 2>;

/* Calls use(way) with the way for the systems of a batch. */
template <vector_format F, int FORM, class USE>
static auto with_several_systems(const wilson_hop_args *a, USE use)
{
    if constexpr (!SYSTEMS_IN_REGISTERS)
        return use(systems_at_once<F>{});
    else if constexpr (!shares_blocks<F, FORM>())
        return use(systems_in_turns<F>{});
    else
        return wilson_count(a) > 2 && wilson_count(a) % 2 == 0 ? use(systems_in_pairs<F>{}) : use(two_systems<F>{});
}

/* One system in int20, whose conversion is the most expensive: blocks that march, if there are enough of them. */
using one_system_marching = wilson_march_way<VECTOR_INT20, wilson_links(VECTOR_INT20), 256, 1, 16, STREAMED, 2>;

template <vector_format F, int FORM>
static site_map_fn *one_system_kernel(const wilson_hop_args *a, site_range range)
{
    if constexpr (F == VECTOR_INT20)
        if (!a->phases.on && is_marching<one_system_marching>(a, range))
            return launch_marching<one_system_marching, FORM>;
    return a->phases.on ? launch_wilson<with_phases<one_system<F>>, FORM> : launch_wilson<one_system<F>, FORM>;
}

template <vector_format F, int FORM>
static site_map_fn *several_systems_kernel(const wilson_hop_args *a)
{
    return with_several_systems<F, FORM>(a, [=](auto way) -> site_map_fn * {
        typedef decltype(way) plain;
        return a->phases.on ? launch_wilson<with_phases<plain>, FORM> : launch_wilson<plain, FORM>;
    });
}

template <vector_format F, int FORM>
static bool launch_several_beside(const peer_hop *hop, const peer_pack_args *e, void *stream)
{
    return with_several_systems<F, FORM>((const wilson_hop_args *)hop->args, [=](auto way) {
        return launch_wilson_beside<decltype(way), FORM>(hop, e, stream);
    });
}

/* The portable kernels serve lattices without tiles.  With phases, a hop and its exchange are separate launches. */
#define TUNED_WILSON(name, suffix, format, FORM)                                                                       \
    extern "C" site_map_fn K(name##suffix);                                                                            \
    extern "C" void K(name##suffix##_tuned)(const void *args, site_range range, void *stream)                          \
    {                                                                                                                  \
        const wilson_hop_args *a = (const wilson_hop_args *)args;                                                      \
        site_map_fn *run = !wilson_fits<one_system<format>>(&a->l) ? K(name##suffix)                                   \
                         : wilson_count(a) > 1 ? several_systems_kernel<format, FORM>(a)                               \
                                               : one_system_kernel<format, FORM>(a, range);                            \
        run(args, range, stream);                                                                                      \
    }                                                                                                                  \
    extern "C" hop_beside_fn K(name##suffix##_beside);                                                                 \
    extern "C" bool K(name##suffix##_beside)(const peer_hop *hop, const peer_pack_args *e, void *stream)               \
    {                                                                                                                  \
        const wilson_hop_args *a = (const wilson_hop_args *)hop->args;                                                 \
        if (a->phases.on)                                                                                              \
            return false;                                                                                              \
        return wilson_count(a) > 1 ? launch_several_beside<format, FORM>(hop, e, stream)                               \
                                   : launch_wilson_beside<one_system<format>, FORM>(hop, e, stream);                   \
    }

#ifdef SINGLE
#define TUNED_WILSON_FORMATS(name, FORM)                                                                               \
    TUNED_WILSON(name, , VECTOR_NATIVE, FORM)                                                                          \
    TUNED_WILSON(name, _half, VECTOR_HALF, FORM)                                                                       \
    TUNED_WILSON(name, _int20, VECTOR_INT20, FORM)
#else
#define TUNED_WILSON_FORMATS(name, FORM)                                                                               \
    TUNED_WILSON(name, , VECTOR_NATIVE, FORM)                                                                          \
    TUNED_WILSON(name, _int30, VECTOR_INT30, FORM)
#endif

#endif
