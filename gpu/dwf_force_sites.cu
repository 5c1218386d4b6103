/* dwf_force_sites.cu - the force of domain-wall quarks of src/kernels/dwf_force_sites.c, with the same bits: a warp for
 * each direction of 32 sites.
 *
 * If a thread computed all four links of a site, it would read all slices of its vectors again for each link, because
 * caches are too small to hold them.  Four warps process the slices at the same time instead: memory is read once for
 * the vectors of a site, and a neighbor in one direction is in the cache for the other directions. */
#include "src/kernels/dwf_link_force.h"

enum { WARP = 32, DIRECTIONS = 4 };

template <int PLUS>
static __device__ __forceinline__ void add_to_link(const dwf_force_args *a, site x, int mu)
{
    if (mu == 0)
        add_to_direction(a, x, 0, PLUS);
    else if (mu == 1)
        add_to_direction(a, x, 1, PLUS);
    else if (mu == 2)
        add_to_direction(a, x, 2, PLUS);
    else
        add_to_direction(a, x, 3, PLUS);
}

template <int PLUS>
static __global__ void __launch_bounds__(DIRECTIONS * WARP)
force_by_directions(const __grid_constant__ dwf_force_args a, const __grid_constant__ site_range range)
{
    const int i = (int)(blockIdx.x * WARP + threadIdx.x % WARP);
    if (i < range_size(range))
        add_to_link<PLUS>(&a, site_of_range(range, i), (int)threadIdx.x / WARP);
}

extern "C" void K(dwf_force_sites_tuned)(const void *args, site_range range, void *stream)
{
    const dwf_force_args *a = (const dwf_force_args *)args;
    const int blocks = (range_size(range) + WARP - 1) / WARP;
    auto kernel = a->left_is_here ? force_by_directions<0> : force_by_directions<1>;
    kernel<<<blocks, DIRECTIONS * WARP, 0, (cudaStream_t)stream>>>(*a, range);
}
