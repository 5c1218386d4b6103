/* test_walltime.c - times as users and batch systems write them; and when a run has to stop. */
#include "src/base/clock.h"
#include "src/ensemble/walltime.h"
#include "tests/facts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void words(void)
{
    static const struct { const char *words; double seconds; } good[] = {
        { "11:55:00", 42900 }, { "5:30", 330 }, { "90", 5400 }, { "1-12:00:00", 129600 }, { "2-3", 183600 },
        { "1-2:30", 95400 }, { "0-00:00:01", 1 }, { "90m", 5400 }, { "11.5h", 41400 }, { "5400s", 5400 },
        { "0.5s", 0.5 }, { "100:00:00", 360000 },
    };
    static const char *const bad[] = { "", "0", "0s", "-5", "soon", "1:2:3:4", "5:", ":5", "1-", "-1:00", "1.5",
                                       "1.5:00", "5 m", "5d", "1e3s", "inf", "nan", "1:00:00m", "0x10", "1-1-1",
                                       "12:00:00 " };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        double seconds = 0;
        failure why;
        bool ok = walltime_read(&seconds, good[i].words, &why);
        fact(ok && seconds == good[i].seconds, "\"%s\" is %g seconds (%g)", good[i].words, good[i].seconds, seconds);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        double seconds;
        failure why;
        fact(!walltime_read(&seconds, bad[i], &why) && strstr(why.why, "is not a time"), "\"%s\" is none", bad[i]);
    }
}

static void scheduler(void)
{
    char value[32];
    double seconds = -1;
    const char *name;
    unsetenv("SLURM_JOB_END_TIME");
    unsetenv("PBS_WALLTIME");
    fact(walltime_of_scheduler(&seconds) == NULL, "without a batch system nobody tells the time");
    setenv("PBS_WALLTIME", "7200", 1);
    name = walltime_of_scheduler(&seconds);
    fact(name && strcmp(name, "PBS_WALLTIME") == 0 && seconds == 7200, "PBS tells how long a job may take");
    snprintf(value, sizeof value, "%lld", (long long)time(NULL) + 1000);
    setenv("SLURM_JOB_END_TIME", value, 1);
    name = walltime_of_scheduler(&seconds);
    fact(name && strcmp(name, "SLURM_JOB_END_TIME") == 0 && seconds > 990 && seconds <= 1000,
         "SLURM tells when it ends, and goes first");
    setenv("SLURM_JOB_END_TIME", "1000", 1);
    fact(walltime_of_scheduler(&seconds) && seconds == 0, "an end in the past leaves nothing");
    setenv("SLURM_JOB_END_TIME", "unknown", 1);
    name = walltime_of_scheduler(&seconds);
    fact(name && strcmp(name, "PBS_WALLTIME") == 0, "a value that is not a number is ignored");
}

static void wait_for(double seconds)
{
    const double end = clock_now() + seconds;
    while (clock_now() < end)
        continue;
}

static void stretches(void)
{
    walltime w = walltime_begin(INFINITY);
    w.longest[STRETCH_STEP] = 1e9;
    fact(walltime_allows(&w, STRETCH_STEP), "without an end there is time for anything");
    w = walltime_begin(100);
    fact(walltime_allows(&w, STRETCH_BEGIN), "a run that knows nothing yet begins");
    wait_for(0.02);
    walltime_passed(&w, STRETCH_BEGIN);
    fact(w.longest[STRETCH_BEGIN] >= 0.02 && w.longest[STRETCH_BEGIN] < 10, "it learns how long a stretch takes");
    w.longest[STRETCH_STEP] = 1;
    w.longest[STRETCH_END] = 120;
    fact(walltime_allows(&w, STRETCH_STEP) && !walltime_allows(&w, STRETCH_END),
         "a stretch that fits is begun, one that does not is not");
    walltime_wrote(&w, 90);
    fact(!walltime_allows(&w, STRETCH_STEP), "nor one after which there is no time to write");
    w = walltime_begin(100);
    w.longest[STRETCH_BEGIN] = 120;
    fact(!walltime_allows(&w, STRETCH_END), "what is not known yet may take as long as what is");
    w = walltime_begin(0);
    fact(!walltime_allows(&w, STRETCH_BEGIN), "without time nothing is begun");
}

/* Whether a run of so many seconds begins a stretch after which it has so many left, by what it has learned: it expects
 * a stretch to take half as long again as the longest one so far. */
static bool begins(double all, double left)
{
    walltime w = walltime_begin(all);
    w.longest[STRETCH_STEP] = (all - left) / 1.5;
    return walltime_allows(&w, STRETCH_STEP);
}

/* The clock goes on meanwhile: what is allowed here stays so for more than a minute. */
static void margins(void)
{
    fact(!begins(1e6, 15) && begins(1e6, 1000),
         "of a long job the last 20 seconds are for the batch system, not two percent");
    fact(!begins(900, 12) && begins(900, 400), "of a job of 15 minutes the last 18 seconds, two percent");
    fact(!begins(100, 1.5) && begins(100, 90), "of one of 100 seconds the last 2");
    walltime w = walltime_begin(1000);
    w.longest[STRETCH_STEP] = (1000 - 300) / 1.5;
    fact(walltime_allows(&w, STRETCH_STEP), "a stretch and its margin fit");
    walltime_wrote(&w, 300);
    fact(!walltime_allows(&w, STRETCH_STEP), "with the writing after it they do not");
}

int main(void)
{
    words();
    scheduler();
    stretches();
    margins();
    return facts_end();
}
