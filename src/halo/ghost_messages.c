/* ghost_messages.c - positions of messages in packed memory and in the ghosts of the receiver. */
#include "src/halo/ghost_messages.h"

#include "gpu/device.h"
#include "src/base/memory.h"
#include "src/kernels/ghost_args.h"
#include "src/lattice/kernels.h"
#include "src/lattice/neighbors.h"

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

/* Byte at which a slab begins in packed memory; `number`: the number of the parity, counted from first_parity. */
static size_t slab_at(const ghost_messages *m, int number, int slab)
{
    return (size_t)(number * m->f->slabs + slab) * (size_t)m->sites * m->site_bytes;
}

/* Byte at which a box of a slab begins in packed memory. */
static size_t packed_at(const ghost_messages *m, int number, int slab, const ghost_box *b)
{
    const int at = m->first_parity + number == 0 ? m->sites - b->at - b->padded : b->at;
    return slab_at(m, number, slab) + (size_t)at * m->site_bytes;
}

/* The sites of a parity in the order of packed memory. */
static const int *sent_sites(const ghost_messages *m, int parity)
{
    const int *sites = lattice_sent_sites(m->f->lattice, m->f->where);
    const size_t all = (size_t)m->ghosts->sites[GHOSTS_EVERY];
    return parity ? sites + SENT_ODD * all : sites + (SENT_EVEN_LAST_FIRST + 1) * all - m->sites;
}

void ghost_messages_pack(const ghost_messages *m, char *packed)
{
    const field *f = m->f;
    const int site_words = (int)(m->site_bytes / sizeof(uint32_t)), words = field_record_words(f);
    for (int i = 0; i < m->parities; i++) {
        const ghost_pack_args args = {
            .sites = sent_sites(m, m->first_parity + i), .from = field_view_of(f), .to = packed + slab_at(m, i, 0),
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

/* The message of a box of a slab. */
static comm_shift message_of(const ghost_messages *m, int number, int slab, const ghost_box *b, const char *packed,
                             char *arrived)
{
    const lattice_shape *shape = lattice_shape_of(m->f->lattice);
    const size_t at = packed_at(m, number, slab, b), bytes = (size_t)b->padded * m->site_bytes;
    return (comm_shift){ .to = ghost_receiver(shape, b), .from = ghost_owner(shape, b), .out = packed + at,
                         .in = arrived ? arrived + at : ghost_memory(m, m->first_parity + number, slab, b),
                         .out_bytes = bytes, .in_bytes = bytes };
}

/* Whether b follows a in both memories, packed and received. */
static bool follows(const comm_shift *a, const comm_shift *b)
{
    return (const char *)a->out + a->out_bytes == b->out && (char *)a->in + a->in_bytes == b->in;
}

/* Joins b to a, if both are between the same ranks and are adjacent in both memories; else returns false. */
static bool join(comm_shift *a, const comm_shift *b)
{
    const bool after = follows(a, b);
    if (a->to != b->to || a->from != b->from || !(after || follows(b, a)))
        return false;
    a->out = after ? a->out : b->out;
    a->in = after ? a->in : b->in;
    a->out_bytes += b->out_bytes;
    a->in_bytes += b->in_bytes;
    return true;
}

comm_shift *ghost_messages_list(const ghost_messages *m, int *count, const char *packed, char *arrived)
{
    comm_shift *shift = memory_alloc((size_t)(m->boxes * m->parities * m->f->slabs) * sizeof *shift,
                                     "messages of ghosts");
    int n = 0;
    for (int number = 0; number < m->parities; number++)
        for (int slab = 0; slab < m->f->slabs; slab++)
            for (int i = 0; i < m->boxes; i++) {
                const ghost_box *b = &m->ghosts->box[i];
                if (!ghost_is_read(b, m->level))
                    continue;
                const comm_shift of_box = message_of(m, number, slab, b, packed, arrived);
                if (n == 0 || !join(&shift[n - 1], &of_box))
                    shift[n++] = of_box;
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
