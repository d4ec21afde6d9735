/* counting.c - counts recordings one by one, keeps the messages about each, and puts them into order.
 * SPDX-License-Identifier: MIT
 */
#include "recordings/counting.h"
#include "base/diag.h"

#include <string.h>

/* ---- files */

bool counted_open(run *r, counted_files *files)
{
    const options *o = r->options;
    const char **recordings = ARENA_ARRAY(r->arena, const char *, o->recording_count);
    *files =
        (counted_files){.recordings = recordings, .tallies = ARENA_ARRAY(r->arena, tally_file, o->recording_count)};
    for (size_t i = 0; i < o->recording_count; i++)
        if (!tally_is(o->recordings[i]))
            recordings[files->recording_count++] = o->recordings[i];
        else if (!tally_open(r->arena, r->diag, o->recordings[i], &files->tallies[files->tally_count++]))
            return false;
    return true;
}

/* ---- recordings */

/* A recording that was counted, or not. */
typedef struct counted_one {
    bool done, good;
    diag *messages; /* about it */
} counted_one;

typedef struct recordings_share {
    run *run;
    const counting_work *work;
    counted_one *outcomes;
    size_t count;
} recordings_share;

static void do_recording(void *user, size_t number)
{
    recordings_share *k = user;
    counted_one *of = &k->outcomes[number];
    of->messages = diag_new(k->run->arena);
    of->good = k->work->count(k->work->user, of->messages, number);
    of->done = true;
}

static void begin_share(void *user)
{
    const recordings_share *k = user;
    k->work->begin(k->work->user);
}

static void put_message(packer *to, const message *m)
{
    pack_number(to, m->severity == SEVERITY_ERROR ? 2 : 1);
    pack_text(to, m->text, strlen(m->text));
    for (const remark *help = m->helps; help; help = help->next) {
        pack_number(to, 1);
        pack_text(to, help->text, strlen(help->text));
    }
    pack_number(to, 0);
}

static void take_messages(unpacker *from, diag *d)
{
    for (uint64_t kind; (kind = unpack_up_to(from, 2)) != 0;) {
        const char *text = unpack_text(from, SIZE_MAX, NULL);
        message *m = kind == 2 ? diag_error(d, (span){0}, "%s", text) : diag_warning(d, (span){0}, "%s", text);
        while (unpack_up_to(from, 1))
            diag_help(d, m, "%s", unpack_text(from, SIZE_MAX, NULL));
    }
}

static void put_share(void *user, packer *to)
{
    const recordings_share *k = user;
    for (size_t i = 0; i < k->count; i++) {
        if (!k->outcomes[i].done)
            continue;
        pack_number(to, i + 1);
        pack_number(to, k->outcomes[i].good);
        for (const message *m = diag_messages(k->outcomes[i].messages); m; m = m->next)
            put_message(to, m);
        pack_number(to, 0);
    }
    pack_number(to, 0);
    k->work->put(k->work->user, to);
}

static bool take_share(void *user, unpacker *from)
{
    recordings_share *k = user;
    for (uint64_t number; (number = unpack_up_to(from, k->count)) != 0;) {
        counted_one *of = &k->outcomes[number - 1];
        of->messages = diag_new(k->run->arena);
        of->good = unpack_up_to(from, 1) != 0;
        of->done = true;
        take_messages(from, of->messages);
    }
    return !from->bad && k->work->take(k->work->user, from);
}

static bool share_out(run *r, recordings_share *k)
{
    const process_work work = {
        .begin = begin_share, .job = do_recording, .put = put_share, .take = take_share, .user = k};
    if (processes_share(r->arena, r->options->jobs, k->count, &work))
        return true;
    diag_error(r->diag, (span){0}, "a process of -j %u ended early, so not all was counted",
               (unsigned)r->options->jobs);
    return false;
}

/* Reports the messages about a recording; errors as warnings if the result is there without it. */
static void pass_on(diag *d, const message *m, bool errors)
{
    for (; m; m = m->next) {
        const bool is_error = m->severity == SEVERITY_ERROR && errors;
        message *to = (is_error ? diag_error : diag_warning)(d, (span){0}, "%s", m->text);
        for (const remark *help = m->helps; help; help = help->next)
            diag_help(d, to, "%s", help->text);
    }
}

bool counting_run(run *r, size_t count, bool others, const counting_work *work)
{
    recordings_share k = {r, work, ARENA_ARRAY(r->arena, counted_one, count), count};
    size_t good = 0;
    if (!share_out(r, &k))
        return false;
    for (size_t i = 0; i < count; i++)
        good += k.outcomes[i].good;
    const bool is_there = good > 0 || others;
    for (size_t i = 0; i < count; i++) {
        const message *m = diag_messages(k.outcomes[i].messages);
        pass_on(r->diag, m, !is_there);
        if (!k.outcomes[i].good && work->fault) {
            const message *error = first_error(m);
            work->fault(work->user, error ? error->text : "a recording cannot be read");
        }
    }
    if (good < count && is_there)
        r->status = EXIT_PARTLY;
    return is_there;
}

bool counting_repeat(run *r, size_t count, const counting_work *work)
{
    recordings_share k = {r, work, ARENA_ARRAY(r->arena, counted_one, count), count};
    return share_out(r, &k);
}

void counting_warn(run *r, const tally *t)
{
    if (t->unread != 0)
        r->status = EXIT_PARTLY;
    for (unsigned i = 0; i < t->fault_count; i++)
        diag_warning(r->diag, (span){0}, "%s", t->faults[i].text);
}
