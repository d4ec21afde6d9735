/* counting.h - what report, train and tally share: they count recordings, in one or several processes, and add tallies.
 * SPDX-License-Identifier: MIT
 */
#ifndef PKTC_COUNTING_H
#define PKTC_COUNTING_H

#include "recordings/processes.h"
#include "recordings/tally_io.h"
#include "recordings/datagrams.h"

/* The exit status if recordings could not be read, and the result lacks them. */
enum { EXIT_PARTLY = 3 };

/* The recordings and tallies of the command line. */
typedef struct counted_files {
    const char *const *recordings;
    size_t recording_count;
    tally_file *tallies;
    size_t tally_count;
} counted_files;

/* Tells them apart, and opens the tallies. False after an error. */
bool counted_open(run *r, counted_files *files);

/* How to count. The functions `put`, `take` and `begin` are those of processes_share. */
typedef struct counting_work {
    bool (*count)(void *user, diag *d, size_t number); /* a recording; false after an error */
    void (*put)(void *user, packer *to);
    bool (*take)(void *user, unpacker *from);
    void (*begin)(void *user);
    void (*fault)(void *user, const char *text); /* a recording cannot be read: the error; or NULL */
    void *user;
} counting_work;

/* Counts recordings in as many processes as -j says. Those that cannot be read are warnings, and make the exit status
 * EXIT_PARTLY. If there is nothing else (`others`: there are tallies), they are errors. Messages are in the order of the
 * recordings. False after an error. */
bool counting_run(run *r, size_t count, bool others, const counting_work *work);

/* The same once more, without messages. */
bool counting_repeat(run *r, size_t count, const counting_work *work);

/* Warns of the recordings that tallies lack. */
void counting_warn(run *r, const tally *t);

/* Makes a request of the command line, with its checked schemas, or with those in the file that has the most. No other
 * file may have others. False after an error. */
bool counting_request(run *r, const counted_files *files, datagrams_request *request);

/* The same for recordings that may have different schemas: each has those in it, or, if there are none, all of them, as *all has. */
bool counting_requests(run *r, const counted_files *files, datagrams_request *all, datagrams_request *each);

/* Counts all files for a report. NULL after an error. */
tally *counting_report(run *r, const counted_files *files, const datagrams_request *request, bool may_be_empty);

#endif
