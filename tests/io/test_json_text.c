/* test_json_text.c - every name of a file is a text of JSON, and comes back from it. */
#include "src/base/json.h"
#include "src/base/utf8.h"
#include "src/config/yaml.h"
#include "tests/facts.h"

#include <string.h>

/* What reading `name` from JSON gives; "" where it cannot be read. */
static text read_back(const char *name)
{
    json j = { 0 };
    text bytes = { 0 };
    json_open(&j, NULL, '{');
    json_text(&j, "name", name);
    json_close(&j);
    fact(utf8_is_valid(json_string(&j)) && !strpbrk(json_string(&j), "\x7f\n\t"), "the JSON is text: %s",
         json_string(&j));
    yaml_node *tree = yaml_read_string(json_string(&j), "json", NULL);
    const yaml_node *value = tree ? yaml_get(tree, "name") : NULL;
    utf8_add_bytes(&bytes, value ? value->scalar : "");
    yaml_tree_free(tree);
    json_free(&j);
    return bytes;
}

int main(void)
{
    static const char *const names[] = {
        "plain", "a\"b\\c/d", "a\nb\tc\x01", "a\x7f" "b", "caf\xc3\xa9", "a\xff" "b", "\xfe\xff", "a\xc2\x85" "b",
        "a\xc2\x9f" "b", "a\xe2\x80\xa8" "b\xe2\x80\xa9", "\xef\xbb\xbf" "a", "a\xef\xbf\xbe" "b", "a\xef\xbf\xbf" "b",
        "a\xef\xb7\x90" "b", "\xf0\x9f\x98\x80", "\xf0\x9f\xbf\xbf", "\xf4\x8f\xbf\xbf", "\xf4\x90\x80\x80",
        "\xed\xa0\x80", "\xed\xbf\xbf", "\xc0\x80", "\xe0\x80\x80", "a\xc3", "a\xe2\x82", "\xf0\x9f\x98", "\x80\x80",
        "\xef\x9e\x80", "\xef\x9f\xbf", "a\xef\x9f\xbf\xff", "\xef\x9c\x80", "\xef\xa0\x80",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        text back = read_back(names[i]);
        fact(strcmp(text_string(&back), names[i]) == 0, "name %zu comes back", i);
        text_free(&back);
    }
    /* All pairs of bytes. */
    int lost = 0;
    for (int first = 1; first < 256; first++) {
        char name[3 * 255 + 1];
        size_t n = 0;
        for (int second = 1; second < 256; second++) {
            name[n++] = (char)first;
            name[n++] = (char)second;
            name[n++] = '.';
        }
        name[n] = '\0';
        json j = { 0 };
        text back = { 0 };
        json_open(&j, NULL, '[');
        json_text(&j, NULL, name);
        json_close(&j);
        yaml_node *tree = yaml_read_string(json_string(&j), "json", NULL);
        utf8_add_bytes(&back, tree && tree->count == 1 ? tree->item[0]->scalar : "");
        lost += strcmp(text_string(&back), name) != 0;
        yaml_tree_free(tree);
        text_free(&back);
        json_free(&j);
    }
    fact(lost == 0, "all pairs of bytes come back: %d do not", lost);
    return facts_end();
}
