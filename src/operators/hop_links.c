/* hop_links.c - packed links for hop kernels. */
#include "src/operators/hop_links.h"

#include "src/base/memory.h"

#include <math.h>

hop_links *hop_links_create_format(lattice *l, place where, link_format f, precision p, double boundary)
{
    hop_links *w = memory_alloc(sizeof *w, "links of Wilson or domain-wall quarks");
    w->links = packed_links_create_precision(l, where, f, p);
    w->boundary = boundary;
    return w;
}

hop_links *hop_links_create(lattice *l, place where, precision p, double boundary)
{
    return hop_links_create_format(l, where, LINK_12, p, boundary);
}

void hop_links_free(hop_links *w)
{
    if (w)
        packed_links_free(w->links);
    memory_free(w);
}

size_t hop_links_bytes(const lattice_shape *shape, precision p)
{
    return packed_links_bytes_precision(shape, LINK_12, p);
}

bool hop_links_update(hop_links *w, const gauge *u, failure *why)
{
    return packed_links_set(w->links, u, why);
}

link_format hop_links_format(vector_format f)
{
    return f == VECTOR_NATIVE ? LINK_12 : f == VECTOR_INT30 ? LINK_FIXED32_12 : LINK_FIXED16_12;
}

quark_boundary quark_boundary_of(int64_t in_t, const double theta[3])
{
    return (quark_boundary){ .t = in_t ? -1 : 1, .theta = { theta[0], theta[1], theta[2] } };
}

double hop_mass_shift(const quark_boundary *b)
{
    return b->anisotropic ? 3 * (b->space - 1) : 0;
}

/* cos and sin may round differently on other machines: all ranks take the values of rank 0. */
static hop_phases phases_of(const lattice *l, const quark_boundary *b)
{
    const double *theta = b->theta, space = b->anisotropic ? b->space : 1;
    hop_phases p = { .on = b->anisotropic || theta[0] != 0 || theta[1] != 0 || theta[2] != 0,
                     .phase = { [3] = { 1, 0 } } };
    for (int k = 0; k < 3; k++) {
        const double angle = M_PI * theta[k] / lattice_global(l)[k];
        p.phase[k][0] = space * cos(angle);
        p.phase[k][1] = space * sin(angle);
    }
    if (p.on)
        comm_broadcast(lattice_comm(l), p.phase, sizeof p.phase);
    return p;
}

hop_links *hop_links_create_for(lattice *l, place where, vec_storage in, quark_boundary boundary)
{
    hop_links *w = hop_links_create_format(l, where, hop_links_format(in.format), in.precision, boundary.t);
    w->phases = phases_of(l, &boundary);
    return w;
}

size_t hop_links_bytes_for(const lattice_shape *shape, vec_storage in)
{
    return packed_links_bytes_precision(shape, hop_links_format(in.format), in.precision);
}
