/* test_watch.c - kiln watch: the page on a terminal of its own, as a run's folder comes, grows, is cut and goes. */
#define _XOPEN_SOURCE 700              /* posix_openpt */

#include "tests/report/long_record.h"
#include "tests/cli/program.h"
#include "tests/facts.h"
#include "tests/io/scratch.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>

enum { PATIENCE = 10 };                /* seconds that a page may take on a busy machine */

typedef struct { int fd; pid_t process; text seen; } screen;

static void resize(const screen *s, unsigned short width, unsigned short height)
{
    struct winsize w = { .ws_row = height, .ws_col = width };
    ioctl(s->fd, TIOCSWINSZ, &w);
    if (s->process > 0)
        kill(s->process, SIGWINCH);
}

static bool screen_open(screen *s, const char *folder)
{
    *s = (screen){ .fd = posix_openpt(O_RDWR | O_NOCTTY) };
    if (s->fd < 0 || grantpt(s->fd) != 0 || unlockpt(s->fd) != 0)
        return false;
    resize(s, 90, 40);
    s->process = fork();
    if (s->process == 0) {
        setsid();
        int terminal = open(ptsname(s->fd), O_RDWR);
        for (int fd = 0; fd < 3; fd++)
            dup2(terminal, fd);
        setenv("TERM", "xterm", 1);
        setenv("LC_ALL", "C.UTF-8", 1);
        execl(getenv("KILN_PROGRAM"), "kiln", "watch", folder, "--every", "0.1", (char *)NULL);
        _exit(99);
    }
    return true;
}

/* Read until `words` are there, or for too long; what was seen before the last call is forgotten. */
static bool shows(screen *s, const char *words)
{
    char block[4096];
    text_clear(&s->seen);
    for (int turns = 0; turns < 10 * PATIENCE; turns++) {
        struct pollfd p = { .fd = s->fd, .events = POLLIN };
        ssize_t n = poll(&p, 1, 100) > 0 ? read(s->fd, block, sizeof block) : 0;
        if (n > 0)
            text_add_bytes(&s->seen, block, (size_t)n);
        if (strstr(text_string(&s->seen), words))
            return true;
        if (n < 0)
            break;
    }
    note("the screen has: %s", text_string(&s->seen));
    return false;
}

static int screen_close(screen *s)
{
    int status = 0;
    waitpid(s->process, &status, 0);
    close(s->fd);
    text_free(&s->seen);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* The longest line of the last whole page, in characters, without sequences for the terminal. */
static int widest(const char *seen)
{
    int most = 0, now = 0;
    for (const char *c = seen; *c; c++) {
        if (*c == '\033') {
            c += strcspn(c, "HJKmlh");
            if (!*c)
                break;
        } else if (*c == '\n') {
            now = 0;
        } else if (*c != '\r' && (*c & 0xc0) != 0x80) {
            most = ++now > most ? now : most;
        }
    }
    return most;
}

static void make_ensemble(const char *folder, int lines)
{
    char path[700];
    mkdir(folder, 0777);
    snprintf(path, sizeof path, "%s/parameters.yaml", folder);
    long_record_parameters(path, 900);
    snprintf(path, sizeof path, "%s/run.jsonl", folder);
    long_record_write(path, lines, false);
    snprintf(path, sizeof path, "%s/run.log", folder);
    FILE *log = fopen(path, "w");
    fputs("first line\nan \033[31mevil\x07 line\n", log);
    fclose(log);
}

static void remove_ensemble(const char *folder)
{
    static const char *const names[] = { "parameters.yaml", "run.jsonl", "run.log" };
    char path[700];
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    rmdir(folder);
}

static void follow(const char *folder)
{
    screen s;
    if (!screen_open(&s, folder)) {
        skip("the page on a terminal", "no pseudo terminal here");
        return;
    }
    fact(shows(&s, "waiting"), "a folder that is not there yet is waited for");
    make_ensemble(folder, 50);
    fact(shows(&s, "trajectory 50 of 900"), "a run that began is shown");
    fact(shows(&s, "plaquette: last") && shows(&s, "flow.charge") && shows(&s, "time:"), "with what it is");
    fact(shows(&s, "?[31mevil? line") && !strstr(text_string(&s.seen), "\033[31m"), "a log cannot rule the terminal");
    make_ensemble(folder, 120);
    fact(shows(&s, "trajectory 120 of 900"), "a record that grows is followed");
    make_ensemble(folder, 20);
    fact(shows(&s, "trajectory 20 of 900"), "one that was cut and written anew too");
    resize(&s, 50, 12);
    shows(&s, "\033[J");
    fact(shows(&s, "\033[J") && widest(text_string(&s.seen)) <= 50 && widest(text_string(&s.seen)) > 30,
         "no line is wider than the window");
    remove_ensemble(folder);
    fact(shows(&s, "waiting"), "a folder that vanishes is waited for again");
    fact(write(s.fd, "q", 1) == 1 && shows(&s, "\033[?1049l"), "q leaves, and gives the screen back");
    fact(screen_close(&s) == 0, "with status 0");

    screen_open(&s, folder);
    shows(&s, "waiting");
    kill(s.process, SIGINT);
    fact(shows(&s, "\033[?1049l"), "so does a signal");
    fact(screen_close(&s) == 0, "with status 0");
}

/* Files that change while the page is there: record, parameters and segments are held to each other again. */
static void follow_faults(const char *folder, const char *input)
{
    static const struct { const char *change, *shown; } rows[] = {
        { "cp -R $a $a.kept", "trajectory 3 of 3" },
        { "echo '# edited' >>$a/parameters.yaml", "/parameters.yaml: a changed file" },
        { "cp $a.kept/parameters.yaml $a && sed -i '2s/\"seconds\": /&1/' $a/run.jsonl", "/run.jsonl: line 2: " },
        { "cp $a.kept/run.jsonl $a && rm $a/segments.jsonl", "/segments.jsonl: " },
    };
    char command[3000];
    screen s;
    long_record_parameters(input, 3);
    program_run("run '%s' --quiet --set output.directory='%s'", input, folder);
    if (!screen_open(&s, folder)) {
        skip("faults on the page", "no pseudo terminal here");
        return;
    }
    resize(&s, 400, 40);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        snprintf(command, sizeof command, "a='%s'; %s", folder, rows[i].change);
        const bool shown = system(command) == 0 && shows(&s, rows[i].shown);
        const char *fault = strstr(text_string(&s.seen), "FAULTY: ");
        fact(shown && (fault != NULL) == (i > 0), "the page follows a change of files: %s", rows[i].shown);
    }
    fact(write(s.fd, "q", 1) == 1 && shows(&s, "\033[?1049l") && screen_close(&s) == 0, "and is left");
    snprintf(command, sizeof command, "a='%s'; rm -r $a $a.kept", folder);
    fact(system(command) == 0, "its folder is removed");
}

static void once(const char *folder)
{
    const program_output *answer = program_run("watch '%s'", folder);
    fact(answer->status == 2 && stderr_has(answer, "found nothing"), "where no terminal is: no folder is a mistake");
    make_ensemble(folder, 100);
    answer = program_run("watch '%s' --ascii", folder);
    const char *out = text_string(&answer->out);
    bool plain = true;
    for (const char *c = out; *c; c++)
        plain = plain && (*c == '\n' || (*c >= 32 && *c < 127));
    fact(answer->status == 0 && stdout_has(answer, "trajectory 100 of 900"), "else the page is printed once");
    fact(plain && widest(out) <= 80 && strstr(out, "***"), "in plain ASCII, 80 wide");
    char path[700];
    snprintf(path, sizeof path, "%s/run.jsonl", folder);
    FILE *record = fopen(path, "a");
    fputs("{\"trajectory\": 101, \"acc", record);
    fclose(record);
    answer = program_run("watch '%s' --once", folder);
    fact(answer->status == 0 && stdout_has(answer, "trajectory 100 of 900"), "a torn last line is left out");
    fclose(fopen(path, "w"));
    answer = program_run("watch '%s' --once", folder);
    fact(answer->status == 0 && stdout_has(answer, "trajectory 0 of 900"), "an empty record");
    remove_ensemble(folder);
}

/* What is on a page, with a single blank in the place of line ends and indentation. */
static text joined(const char *page)
{
    text words = { 0 };
    for (const char *c = page; *c; c++) {
        const bool blank = *c == ' ' || *c == '\n';
        if (!blank || (words.length > 0 && words.s[words.length - 1] != ' '))
            text_add_bytes(&words, blank ? " " : c, 1);
    }
    return words;
}

static int lines_of(const char *page)
{
    int n = 0;
    for (; *page; page++)
        n += *page == '\n';
    return n;
}

/* "-0.016 +- 0.068": the mean of a quantity as kiln status prints it. */
static void estimate_of(char *to, size_t size, const char *title, const char *status)
{
    char mean[32] = "", error[32] = "", row[64];
    snprintf(row, sizeof row, "\n  %s ", title);
    const char *found = strstr(status, row);
    if (!found || sscanf(found + strlen(row), "%31s +- %31s", mean, error) != 2)
        note("status has no row of %s", title);
    snprintf(to, size, "%s +- %s", mean, error);
}

/* "-0.016(68)": the same as kiln status --concise prints it. */
static void concise_of(char *to, size_t size, const char *title, const char *status)
{
    char mean[32] = "", row[64];
    snprintf(row, sizeof row, "\n  %s ", title);
    const char *found = strstr(status, row);
    if (!found || sscanf(found + strlen(row), "%31s", mean) != 1)
        note("status has no row of %s", title);
    snprintf(to, size, "%s", mean);
}

/* At 80x24, and narrower, of a record with much to look at: what matters is there to its last character. */
static void small_terminal(const char *folder)
{
    char path[700], wanted[128], of_plaquette[80], of_charge[80];
    make_ensemble(folder, 20);
    snprintf(path, sizeof path, "%s/run.jsonl", folder);
    long_record_write(path, LONG_RECORD, true);
    const char *status = text_string(&program_run("status '%s'", folder)->out);
    estimate_of(of_plaquette, sizeof of_plaquette, "plaquette", status);
    concise_of(of_charge, sizeof of_charge, "flow.charge",
               text_string(&program_run("status '%s' --concise", folder)->out));
    yaml_node *tree = output_json(program_run("status '%s' --json", folder));
    const yaml_node *charge = yaml_get(yaml_get(tree, "measurements"), "flow.charge");
    fact(strchr(of_charge, '(') && strcmp(json_scalar(charge, "text"), of_charge) == 0,
         "--json has the concise form, too: %s", of_charge);
    static const struct { const char *width, *options; } forms[] = { { "80", "" }, { "80", " --ascii" }, { "60", "" } };
    setenv("LINES", "24", 1);
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        setenv("COLUMNS", forms[i].width, 1);
        const program_output *answer = program_run("watch '%s' --once%s", folder, forms[i].options);
        const char *page = text_string(&answer->out);
        text words = joined(page);
        const char *all = text_string(&words);
        fact(lines_of(page) <= 24 && widest(page) <= atoi(forms[i].width), "%sx24%s: the page has %d lines, %d wide",
             forms[i].width, forms[i].options, lines_of(page), widest(page));
        fact(strstr(all, "trajectory 800 of 900, 2 s each with states, ") != NULL, "progress, with the time of all");
        fact(strstr(all, "acceptance 0.") && strstr(all, json_scalar(tree, "exp_minus_dH.verdict")),
             "acceptance, and the verdict on <exp(-dH)> to its end");
        snprintf(wanted, sizeof wanted, "mean %s, tau", of_plaquette);
        fact(strstr(all, wanted) != NULL, "the plaquette with its error: %s", of_plaquette);
        snprintf(wanted, sizeof wanted, "mean %s ", of_charge);
        fact(strstr(all, wanted) != NULL, "the mean of a measurement with all digits of its error: %s", of_charge);
        const int count = yaml_get(tree, "warnings")->count;
        int whole = 0, more = 0;
        while (whole < count && strstr(all, json_scalar(yaml_get(tree, "warnings")->item[whole], "text")))
            whole++;
        const char *rest = strstr(all, "! and ");
        fact(whole >= 1, "%d of %d warnings, each whole", whole, count);
        fact(rest && sscanf(rest, "! and %d more", &more) == 1 && whole + more == count, "and how many there are more");
        text_free(&words);
    }
    unsetenv("COLUMNS");
    unsetenv("LINES");
    yaml_tree_free(tree);
    remove_ensemble(folder);
}

int main(void)
{
    if (!program_is_there())
        return facts_end();
    scratch s = scratch_create();
    char folder[600];
    snprintf(folder, sizeof folder, "%s", scratch_path(&s, "ensemble"));
    once(folder);
    small_terminal(folder);
    follow(folder);
    char input[600];
    snprintf(input, sizeof input, "%s", scratch_path(&s, "input.yaml"));
    follow_faults(folder, input);
    scratch_remove(&s);
    return facts_end();
}
