/* cmd_watch.c - kiln watch: a page in the terminal that shows a run and is redrawn as it proceeds. */
#include "src/base/log.h"
#include "src/cli/subcommands.h"
#include "src/cli/terminal.h"
#include "src/io/safe_file.h"
#include "src/options/options.h"
#include "src/options/path_check.h"
#include "src/report/page_svg.h"
#include "src/report/plot_svg.h"
#include "src/report/watch_page.h"

#include <ctype.h>
#include <stdio.h>
#include <sys/stat.h>

typedef struct { bool once, ascii; const char *picture; double every; int64_t from; } watch_options;

static const usage watch_usage = {
    .name = "watch", .operands = "DIR", .least = 1, .most = 1,
    .about = "Shows the ensemble in DIR while it grows: progress, plaquette, dH, measurements, time by phase,\n"
             "warnings, the end of the log.  Waits for DIR if it does not exist yet.  q or ctrl-C ends kiln\n"
             "watch and does not affect the run.  If standard output is not a terminal, Kiln prints the page once.",
    .options = (const option[]){
        { .name = "once", .doc = "print the page once", .type = OPTION_FLAG, .offset = offsetof(watch_options, once) },
        { .name = "picture", .value = "FILE.svg",
          .doc = "write the page as a picture, of COLUMNS and LINES of the\nenvironment", .type = OPTION_TEXT,
          .path = PATH_WRITE, .offset = offsetof(watch_options, picture) },
        { .name = "ascii", .doc = "plots in ASCII (default if the locale has no UTF-8)", .type = OPTION_FLAG,
          .offset = offsetof(watch_options, ascii) },
        { .name = "every", .value = "SECONDS", .doc = "time between two updates (default 1)", .type = OPTION_REAL,
          .offset = offsetof(watch_options, every), .min = 0.1, .max = 3600 },
        { .name = "from", .value = "N", .doc = "average from trajectory N on, but never over thermalization\n"
                                               "(default: all but thermalization)",
          .type = OPTION_INT, .offset = offsetof(watch_options, from), .min = 1, .max = 4294967295.0 },
        { 0 } },
};

/* The files whose change means that the ensemble must be read again. */
static const char *const watched[] = { "run.jsonl", "parameters.yaml", SEGMENTS_FILE };
enum { WATCHED = sizeof watched / sizeof *watched };
typedef struct { off_t size; struct timespec changed; ino_t file; bool there; } file_state;
typedef struct { file_state file[WATCHED]; } folder_state;

static folder_state read_folder_state(const char *directory)
{
    folder_state now = { 0 };
    for (int i = 0; i < WATCHED; i++) {
        struct stat s;
        text path = path_in_folder(directory, watched[i]);
        if (stat(text_string(&path), &s) == 0)
            now.file[i] = (file_state){ s.st_size, s.st_mtim, s.st_ino, true };
        text_free(&path);
    }
    return now;
}

static bool same_file(const file_state *a, const file_state *b)
{
    return a->there == b->there && a->size == b->size && a->file == b->file
           && a->changed.tv_sec == b->changed.tv_sec && a->changed.tv_nsec == b->changed.tv_nsec;
}

static bool same(const folder_state *a, const folder_state *b)
{
    bool all = true;
    for (int i = 0; i < WATCHED; i++)
        all = all && same_file(&a->file[i], &b->file[i]);
    return all;
}

/* Whether the record has at most grown, and no other file changed.  Then run_view_check is not repeated, which would
 * read the whole record after each trajectory: reading the new lines checks their digests. */
static bool only_grew(const folder_state *before, const folder_state *now)
{
    folder_state grown = *before;
    const file_state *was = &before->file[0], *is = &now->file[0];
    grown.file[0] = *is;
    return same(&grown, now) && was->there && is->there && was->file == is->file && was->size < is->size;
}

static page_form form_now(const watch_options *o, bool color)
{
    terminal_size size = terminal_size_now();
    return (page_form){ size.width, size.height, !o->ascii && terminal_has_unicode(), color };
}

static bool write_picture(const char *page, int width, const char *path, failure *f)
{
    text out = { 0 };
    page_to_svg(&out, page, width);
    const bool ok = safe_file_renew_text(path, text_string(&out), SVG_MARK, f);
    text_free(&out);
    return ok;
}

static int report_failure(const failure *f)
{
    log_line(LOG_ERROR, "%s", f->why);
    return EXIT_FAILED;
}

static int print_once(const watch_options *o, const char *directory)
{
    run_view v = { .command = watch_usage.name };
    failure f;
    int status = EXIT_OK;
    page_form form = form_now(o, o->picture != NULL);
    form.unicode |= o->picture && !o->ascii;
    if (run_view_read(&v, directory, o->from, &f)) {
        run_view_check(&v);
        text page = watch_page(&v, directory, NULL, &form);
        if (!o->picture)
            fputs(text_string(&page), stdout);
        else if (!write_picture(text_string(&page), form.width, o->picture, &f))
            status = report_failure(&f);
        text_free(&page);
    } else {
        status = report_failure(&f);
    }
    run_view_free(&v);
    return status;
}

/* Until a key ends it: read the ensemble if its files changed, otherwise only the lock; draw; wait for a key. */
static void follow_run(const watch_options *o, const char *directory)
{
    enum { CONTROL_C = 3 };
    terminal t;
    run_view v = { .command = watch_usage.name };
    folder_state seen = { 0 };
    failure f = { .why = "" };
    bool there = false;
    terminal_open(&t);
    for (int key = 0; key != -1 && key != CONTROL_C && tolower(key) != 'q';) {
        folder_state now = read_folder_state(directory);
        const bool known = there, new = !known || !same(&seen, &now);
        if (new)
            there = run_view_read(&v, directory, o->from, &f);
        if (new && there && !(known && only_grew(&seen, &now)))
            run_view_check(&v);
        if (!new)
            run_view_check_lock(&v);
        seen = now;
        page_form form = form_now(o, true);
        text page = watch_page(there ? &v : NULL, directory, f.why, &form);
        terminal_draw(text_string(&page));
        text_free(&page);
        key = terminal_key(&t, o->every);
    }
    terminal_close(&t);
    run_view_free(&v);
}

int cmd_watch(int argc, char **argv)
{
    watch_options o = { .every = 1 };
    operands folder;
    failure f;
    int status = options_read(&watch_usage, argc, argv, &o, &folder);
    if (status != GO_ON)
        return status;
    if (o.once || o.picture || !terminal_is_there())
        return path_check_folder(folder.item[0], &f) ? print_once(&o, folder.item[0])
                                                     : usage_error(&watch_usage, "%s", f.why);
    follow_run(&o, folder.item[0]);
    return EXIT_OK;
}
