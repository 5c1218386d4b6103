/* terminal.c - a page on a terminal: ANSI sequences, termios and signals. */
#include "src/cli/terminal.h"

#include "src/base/text.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

enum { WIDTH = 80, HEIGHT = 50, WIDTH_LEAST = 20, SIZE_MOST = 1000 };

#define OTHER_PAGE "\033[?1049h\033[?25l"           /* its own screen; no cursor */
#define FIRST_PAGE "\033[?25h\033[?1049l"

static volatile sig_atomic_t asked_to_leave;

bool terminal_is_there(void)
{
    const char *kind = getenv("TERM");
    return isatty(STDOUT_FILENO) && kind && *kind && strcmp(kind, "dumb") != 0;
}

bool terminal_has_unicode(void)
{
    static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };
    for (int i = 0; i < 3; i++) {
        const char *locale = getenv(names[i]);
        if (locale && *locale)
            return strstr(locale, "UTF-8") || strstr(locale, "utf8") || strstr(locale, "utf-8");
    }
    return false;
}

static int from_environment(const char *name, int otherwise)
{
    const char *words = getenv(name);
    int n = words ? atoi(words) : 0;
    return n > 0 && n <= SIZE_MOST ? n : otherwise;
}

terminal_size terminal_size_now(void)
{
    struct winsize w;
    terminal_size s = { from_environment("COLUMNS", WIDTH), from_environment("LINES", HEIGHT) };
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col > 0 && w.ws_row > 0)
        s = (terminal_size){ w.ws_col, w.ws_row };
    s.width = s.width < WIDTH_LEAST ? WIDTH_LEAST : s.width > SIZE_MOST ? SIZE_MOST : s.width;
    return s;
}

static void leave(int number)
{
    (void)number;
    asked_to_leave = 1;
}

static void interrupt_poll(int number)
{
    (void)number;                                   /* its only purpose is to interrupt poll() */
}

static void write_all(const char *bytes, size_t n)
{
    while (n > 0) {
        ssize_t done = write(STDOUT_FILENO, bytes, n);
        if (done < 0 && errno != EINTR) {
            asked_to_leave = 1;
            return;
        }
        bytes += done > 0 ? done : 0;
        n -= done > 0 ? (size_t)done : 0;
    }
}

void terminal_open(terminal *t)
{
    struct sigaction leaving = { .sa_handler = leave }, looking = { .sa_handler = interrupt_poll };
    sigaction(SIGINT, &leaving, NULL);
    sigaction(SIGTERM, &leaving, NULL);
    sigaction(SIGHUP, &leaving, NULL);
    sigaction(SIGWINCH, &looking, NULL);
    signal(SIGPIPE, SIG_IGN);
    t->has_keys = tcgetattr(STDIN_FILENO, &t->before) == 0;
    if (t->has_keys) {
        struct termios keys = t->before;
        keys.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
        keys.c_cc[VMIN] = 0;
        keys.c_cc[VTIME] = 0;
        keys.c_cc[VSUSP] = _POSIX_VDISABLE;         /* a suspended page would not restore the terminal */
        tcsetattr(STDIN_FILENO, TCSANOW, &keys);
    }
    write_all(OTHER_PAGE, sizeof OTHER_PAGE - 1);
}

void terminal_close(const terminal *t)
{
    write_all(FIRST_PAGE, sizeof FIRST_PAGE - 1);
    if (t->has_keys)
        tcsetattr(STDIN_FILENO, TCSANOW, &t->before);
}

void terminal_draw(const char *lines)
{
    text page = { 0 };
    text_add(&page, "\033[H");
    for (bool first = true; *lines; first = false) {
        size_t n = strcspn(lines, "\n");
        /* Erase before the text: after a full line the sequence would erase its last column. */
        text_add(&page, first ? "\033[K" : "\r\n\033[K");
        text_add_bytes(&page, lines, n);
        text_add(&page, "\033[0m");
        lines += n + (lines[n] == '\n');
    }
    text_add(&page, "\033[J");
    write_all(text_string(&page), page.length);
    text_free(&page);
}

int terminal_key(const terminal *t, double seconds)
{
    struct pollfd input = { .fd = t->has_keys ? STDIN_FILENO : -1, .events = POLLIN };
    unsigned char key;
    if (asked_to_leave)
        return -1;
    int ready = poll(&input, 1, (int)(seconds * 1000));
    if (asked_to_leave)
        return -1;
    if (ready <= 0)
        return 0;
    ssize_t n = read(STDIN_FILENO, &key, 1);
    return n == 1 ? key : n == 0 || errno != EINTR ? -1 : 0;
}
