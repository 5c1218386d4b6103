/* main.c - the program kiln: everything happens in src/cli. */
#include "src/cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>

/* Where standard input, output or error is closed, the next file that is opened would get its number, and with it what
 * is meant for the terminal. */
static void keep_standard_numbers(void)
{
    for (int number = 0; number <= 2; number++)
        if (fcntl(number, F_GETFD) == -1 && errno == EBADF && open("/dev/null", O_RDWR) != number)
            exit(EXIT_FAILURE);
}

int main(int argc, char **argv)
{
    keep_standard_numbers();
    return cli_main(argc, argv);
}
