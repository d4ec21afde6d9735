/* cost.c - runs a command and prints what it cost: seconds of processor time, and the most memory in MB.
 * SPDX-License-Identifier: MIT
 *
 * usage: cost COMMAND [ARGUMENT]...
 *
 * Processes that the command starts and waits for count too. Exits with the status of the command.
 */
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static double seconds(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

int main(int argc, char **argv)
{
    struct rusage used;
    int status;
    pid_t child;
    if (argc < 2) {
        fputs("usage: cost COMMAND [ARGUMENT]...\n", stderr);
        return 2;
    }
    child = fork();
    if (child == 0) {
        execvp(argv[1], argv + 1);
        perror(argv[1]);
        _exit(127);
    }
    if (child < 0 || waitpid(child, &status, 0) < 0 || getrusage(RUSAGE_CHILDREN, &used) != 0) {
        perror("cost");
        return 2;
    }
    printf("%.2f %.0f\n", seconds(used.ru_utime) + seconds(used.ru_stime), (double)used.ru_maxrss / 1024);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
