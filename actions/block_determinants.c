/* block_determinants.c - the action and the force of the determinants besides det C. */
#include "actions/block_determinants.h"

#include "src/base/memory.h"

#include <assert.h>

void block_list_add(block_list *l, int matrix, int flavors)
{
    int n = 0;
    while (n < l->count && l->of[n].matrix != matrix)
        n++;
    assert(n < BLOCK_DETERMINANTS_MAX);
    if (n == l->count)
        l->of[l->count++] = (block_determinant){ matrix, 0 };
    l->of[n].flavors += flavors;
    if (l->of[n].flavors == 0)
        l->of[n] = l->of[--l->count];
}

block_determinants block_determinants_create(const block_list *list, dirac_operator *d)
{
    block_determinants b = { .list = *list, .d = d };
    assert(list->count == 0 || (d->kind->log_det && d->kind->log_det_force_add));
    for (int n = 0; n < list->count; n++)
        b.matrix[n] = d->kind->matrix(d, list->of[n].matrix);
    return b;
}

void block_determinants_free(block_determinants *b)
{
    for (int n = 0; n < b->list.count; n++)
        memory_free(b->matrix[n]);
    b->list.count = 0;
}

double block_determinants_action(const block_determinants *b)
{
    double s = 0;
    for (int n = 0; n < b->list.count; n++)
        s -= b->list.of[n].flavors * b->d->kind->log_det(b->d, b->matrix[n]);
    return s;
}

void block_determinants_add_force(const block_determinants *b)
{
    for (int n = 0; n < b->list.count; n++)
        b->d->kind->log_det_force_add(b->d, b->matrix[n], -b->list.of[n].flavors);
}
