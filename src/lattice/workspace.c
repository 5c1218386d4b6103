/* workspace.c - memory that its users share in turns. */
#include "src/lattice/workspace.h"

#include "src/base/memory.h"
#include "src/lattice/place_memory.h"

#include <assert.h>
#include <stdint.h>

void workspace_join(workspace *w, size_t bytes)
{
    w->users++;
    if (w->memory || bytes == 0)
        return;
    w->memory = place_alloc(w->where, bytes, "the workspace of solvers, forces and measurements");
    w->bytes = bytes;
}

void workspace_leave(workspace *w)
{
    assert(w->users > 0);
    if (--w->users > 0)
        return;
    place_free(w->where, w->memory);
    *w = (workspace){ .where = w->where };
}

bool workspace_begin(workspace *w)
{
    const bool was = w->open;
    if (!was)
        w->position = 0;
    w->open = true;
    return was;
}

void workspace_end(workspace *w, bool was)
{
    assert(w->open);
    w->open = was;
}

size_t workspace_position(const workspace *w)
{
    return w->position;
}

void workspace_move(workspace *w, size_t position)
{
    assert(w->open);
    w->position = position < w->bytes ? position : w->bytes;
}

void *workspace_alloc(workspace *w, size_t bytes)
{
    if (!w->open || bytes > w->bytes - w->position)
        return NULL;
    char *taken = w->memory + w->position;
    assert(bytes % MEMORY_ALIGNMENT == 0);
    w->position += bytes;
    return taken;
}

bool workspace_owns(const workspace *w, const void *data)
{
    const uintptr_t begin = (uintptr_t)w->memory, at = (uintptr_t)data;
    return w->memory && at >= begin && at < begin + w->bytes;
}

size_t memory_need_sum(memory_need n)
{
    return n.lasting + n.shared + n.cells;
}

memory_need memory_need_in_turn(memory_need n)
{
    return (memory_need){ .shared = n.lasting + n.shared, .cells = n.cells, .sent = n.sent };
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

memory_need memory_need_either(memory_need a, memory_need b)
{
    return (memory_need){ larger(a.lasting, b.lasting), larger(a.shared, b.shared), larger(a.cells, b.cells),
                          larger(a.sent, b.sent) };
}

memory_need memory_need_add(memory_need a, memory_need b)
{
    return (memory_need){ a.lasting + b.lasting, larger(a.shared, b.shared), a.cells + b.cells,
                          larger(a.sent, b.sent) };
}
