/* main.c - the program kiln: everything happens in src/cli. */
#include "src/cli/cli.h"

int main(int argc, char **argv)
{
    return cli_main(argc, argv);
}
