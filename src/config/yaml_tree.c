/* yaml_tree.c - the memory of a YAML tree. */
#include "src/config/yaml_tree.h"

#include "src/base/memory.h"

#include <stdalign.h>
#include <string.h>

enum { FIRST_BLOCK = 8 << 10, FIRST_ITEMS = 4 };

struct yaml_block {
    yaml_block *older;
    size_t used, size;
    alignas(max_align_t) char bytes[];
};

/* Aligned for anything: each block is twice as large as the one before, so there are few. */
static void *tree_alloc(yaml_tree *tree, size_t bytes)
{
    size_t step = alignof(max_align_t), rounded = (bytes + step - 1) / step * step;
    yaml_block *block = tree->newest;
    if (!block || block->size - block->used < rounded) {
        size_t size = block ? 2 * block->size : FIRST_BLOCK;
        while (size < rounded)
            size *= 2;
        block = memory_alloc(sizeof *block + size, "the tree of a YAML text");
        block->older = tree->newest;
        block->size = size;
        tree->newest = block;
    }
    void *p = block->bytes + block->used;
    block->used += rounded;
    return p;
}

yaml_tree *yaml_tree_create(void)
{
    return memory_alloc(sizeof(yaml_tree), "the tree of a YAML text");
}

void yaml_tree_free(yaml_node *tree)
{
    if (!tree)
        return;
    for (yaml_block *block = ((yaml_tree *)tree)->newest, *older; block; block = older) {
        older = block->older;
        memory_free(block);
    }
    memory_free(tree);
}

char *yaml_tree_text(yaml_tree *tree, const char *bytes, size_t n)
{
    char *s = tree_alloc(tree, n + 1);
    memcpy(s, bytes, n);
    s[n] = '\0';
    return s;
}

yaml_node *yaml_tree_node(yaml_tree *tree, yaml_type type, yaml_place place)
{
    yaml_node *node = tree_alloc(tree, sizeof *node);
    *node = (yaml_node){ .type = type, .place = place };
    return node;
}

/* A copy with twice the capacity; the old array is freed with the tree. */
static yaml_node **grown(yaml_tree *tree, yaml_node **array, int count)
{
    yaml_node **larger = tree_alloc(tree, sizeof *larger * 2 * (size_t)count);
    memcpy(larger, array, sizeof *larger * (size_t)count);
    return larger;
}

void yaml_tree_append(yaml_tree *tree, yaml_node *parent, yaml_node *key, yaml_node *value)
{
    int n = parent->count;
    bool full = n >= FIRST_ITEMS && (n & (n - 1)) == 0;      /* capacity is FIRST_ITEMS, then the next power of two */
    if (n == 0)
        parent->item = tree_alloc(tree, sizeof *parent->item * FIRST_ITEMS);
    else if (full)
        parent->item = grown(tree, parent->item, n);
    parent->item[n] = value;

    if (parent->type == YAML_MAPPING) {
        if (n == 0)
            parent->key = tree_alloc(tree, sizeof *parent->key * FIRST_ITEMS);
        else if (full)
            parent->key = grown(tree, parent->key, n);
        parent->key[n] = key;
    }
    parent->count++;
}
