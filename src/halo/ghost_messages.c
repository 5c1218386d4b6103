/* ghost_messages.c - the places of messages in packed memory and in the ghosts of the receiver. */
#include "src/halo/ghost_messages.h"

#include "gpu/device.h"
#include "src/base/memory.h"
#include "src/kernels/ghost_args.h"
#include "src/lattice/kernels.h"

#include <assert.h>
#include <stdint.h>

MAP_KERNEL_SINGLE(ghost_pack);

ghost_messages ghost_messages_of(const field *f, ghost_level level)
{
    ghost_messages m = { .f = f, .ghosts = lattice_ghosts(f->lattice), .level = level, .first_parity = f->on == ON_ODD,
                         .parities = f->on == ON_ALL ? 2 : 1,
                         .site_bytes = (size_t)f->reals * precision_bytes(f->precision) };
    while (m.boxes < m.ghosts->count && m.ghosts->box[m.boxes].level <= level)
        m.boxes++;
    m.sites = m.ghosts->sites[level];
    assert(m.boxes == 0 || level <= f->ghosts);
    return m;
}

size_t ghost_messages_bytes(const ghost_messages *m)
{
    return (size_t)(m->parities * m->f->slabs) * (size_t)m->sites * m->site_bytes;
}

/* Where a box of a slab begins in packed memory, in bytes; `number`: of the parity, counted from first_parity. */
static size_t packed_at(const ghost_messages *m, int number, int slab, const ghost_box *b)
{
    return ((size_t)(number * m->f->slabs + slab) * (size_t)m->sites + (size_t)b->at) * m->site_bytes;
}

void ghost_messages_pack(const ghost_messages *m, char *packed)
{
    const field *f = m->f;
    const int *sites = lattice_sent_sites(f->lattice, f->where);
    const int site_words = (int)(m->site_bytes / sizeof(uint32_t)), words = field_record_words(f);
    for (int i = 0; i < m->parities; i++) {
        const ghost_pack_args args = {
            .sites = sites + (size_t)(m->first_parity + i) * (size_t)m->ghosts->sites[GHOSTS_EVERY],
            .from = field_view_of(f), .to = packed + packed_at(m, i, 0, &m->ghosts->box[0]),
            .records = site_words / words, .words = words, .slab_words = m->sites * site_words };
        const site_range entries = { .first = 0, .sites = m->sites, .parts = f->slabs, .step = 0, .slab_sites = 1 };
        run_map(&ghost_pack, f->where, PRECISION_SINGLE, &args, entries);
    }
}

static char *ghost_memory(const ghost_messages *m, int parity, int slab, const ghost_box *b)
{
    const int index = ghost_index(lattice_shape_of(m->f->lattice), b, parity, 0);
    return (char *)m->f->data + (size_t)field_place_of(m->f, slab, index) * m->site_bytes;
}

comm_shift *ghost_messages_list(const ghost_messages *m, int *count, const char *packed, char *arrived)
{
    const lattice_shape *shape = lattice_shape_of(m->f->lattice);
    comm_shift *shift = memory_alloc((size_t)(m->boxes * m->parities * m->f->slabs) * sizeof *shift,
                                     "messages of ghosts");
    int n = 0;
    for (int i = 0; i < m->boxes; i++) {
        const ghost_box *b = &m->ghosts->box[i];
        if (!ghost_is_read(b, m->level))
            continue;
        const int from = ghost_owner(shape, b), to = ghost_receiver(shape, b);
        const size_t bytes = (size_t)b->padded * m->site_bytes;
        for (int parity = 0; parity < m->parities; parity++)
            for (int slab = 0; slab < m->f->slabs; slab++) {
                const size_t at = packed_at(m, parity, slab, b);
                shift[n++] = (comm_shift){ .to = to, .from = from, .out = packed + at,
                                           .in = arrived ? arrived + at
                                                         : ghost_memory(m, m->first_parity + parity, slab, b),
                                           .out_bytes = bytes, .in_bytes = bytes };
            }
    }
    *count = n;
    return shift;
}

void ghost_messages_to_gpu(const ghost_messages *m, const char *arrived)
{
    for (int i = 0; i < m->boxes; i++)
        for (int parity = 0; parity < m->parities && ghost_is_read(&m->ghosts->box[i], m->level); parity++)
            for (int slab = 0; slab < m->f->slabs; slab++) {
                const ghost_box *b = &m->ghosts->box[i];
                device_push(ghost_memory(m, m->first_parity + parity, slab, b),
                               arrived + packed_at(m, parity, slab, b), (size_t)b->padded * m->site_bytes);
            }
}
