/* test_start_watch.c - a start of MPI that does not end is ended, one that ends is not. */
#include "src/comm/start_watch.h"
#include "tests/facts.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    char words[512] = "";
    int said[2], status = 0;
    if (pipe(said) != 0)
        return 1;
    const pid_t child = fork();
    if (child == 0) {
        dup2(said[1], STDERR_FILENO);
        start_watch_begin(0.3);
        for (;;)
            pause();
    }
    close(said[1]);
    waitpid(child, &status, 0);
    fact(WIFEXITED(status) && WEXITSTATUS(status) == 1, "a start that never ends is ended with status 1");
    fact(read(said[0], words, sizeof words - 1) > 0 && strstr(words, "KILN_RANK_LIMIT"), "with a sentence: %s", words);
    close(said[0]);

    start_watch *w = start_watch_begin(1000);
    start_watch_end(w);
    fact(true, "a start that ends is not");
    return facts_end();
}
