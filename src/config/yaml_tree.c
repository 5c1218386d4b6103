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
static void *take_memory(yaml_tree *tree, size_t bytes)
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

/* Release the blocks older than `block`. */
static void free_older(yaml_block *block)
{
    while (block->older) {
        yaml_block *older = block->older;
        block->older = older->older;
        memory_free(older);
    }
}

void yaml_tree_clear(yaml_tree *tree)
{
    if (tree->newest) {                                      /* the largest block */
        free_older(tree->newest);
        tree->newest->used = 0;
    }
}

void yaml_tree_free(yaml_node *tree)
{
    if (!tree)
        return;
    yaml_tree *t = (yaml_tree *)tree;
    yaml_tree_clear(t);
    memory_free(t->newest);
    memory_free(t);
}

char *yaml_tree_text(yaml_tree *tree, const char *bytes, size_t n)
{
    char *s = take_memory(tree, n + 1);
    memcpy(s, bytes, n);
    s[n] = '\0';
    return s;
}

yaml_node *yaml_tree_node(yaml_tree *tree, yaml_type type, yaml_place place)
{
    yaml_node *node = take_memory(tree, sizeof *node);
    *node = (yaml_node){ .type = type, .place = place };
    return node;
}

yaml_node *yaml_tree_room(yaml_tree *tree, size_t most)
{
    return take_memory(tree, most * sizeof(yaml_node));
}

yaml_node **yaml_tree_stack(yaml_tree *tree, size_t most)
{
    return take_memory(tree, most * sizeof(yaml_node *));
}

/* Room is FIRST_ITEMS, then the next power of two, as yaml_tree_append expects it. */
static yaml_node **take_items(yaml_tree *tree, int count)
{
    size_t room = FIRST_ITEMS;
    while (room < (size_t)count)
        room *= 2;
    return take_memory(tree, room * sizeof(yaml_node *));
}

void yaml_tree_adopt(yaml_tree *tree, yaml_node *parent, yaml_node *const *children, int count)
{
    const int step = parent->type == YAML_MAPPING ? 2 : 1;
    parent->count = count / step;
    if (parent->count == 0)
        return;
    parent->item = take_items(tree, parent->count);
    if (parent->type == YAML_MAPPING)
        parent->key = take_items(tree, parent->count);
    for (int i = 0; i < parent->count; i++) {
        parent->item[i] = children[step * i + step - 1];
        if (parent->type == YAML_MAPPING)
            parent->key[i] = children[step * i];
    }
}

/* The array with room for twice as many; the old one stays in the tree until the end. */
static yaml_node **grown(yaml_tree *tree, yaml_node **array, int count)
{
    yaml_node **larger = take_memory(tree, sizeof *larger * 2 * (size_t)count);
    memcpy(larger, array, sizeof *larger * (size_t)count);
    return larger;
}

void yaml_tree_append(yaml_tree *tree, yaml_node *parent, yaml_node *key, yaml_node *value)
{
    int n = parent->count;
    bool full = n >= FIRST_ITEMS && (n & (n - 1)) == 0;      /* room is FIRST_ITEMS, then the next power of two */
    if (n == 0)
        parent->item = take_memory(tree, sizeof *parent->item * FIRST_ITEMS);
    else if (full)
        parent->item = grown(tree, parent->item, n);
    parent->item[n] = value;

    if (parent->type == YAML_MAPPING) {
        if (n == 0)
            parent->key = take_memory(tree, sizeof *parent->key * FIRST_ITEMS);
        else if (full)
            parent->key = grown(tree, parent->key, n);
        parent->key[n] = key;
    }
    parent->count++;
}
