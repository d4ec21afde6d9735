/* parquet.c - tables: pages and groups of rows, files, and the memory of all of them.
 * SPDX-License-Identifier: MIT
 */
#include "base/files.h"
#include "tables/parquet_internal.h"

#include <errno.h>
#include <string.h>

enum {
    PAGE_BYTES = 1 << 20, /* of memory */
    GROUP_ROWS = 1 << 20,
    MOST_IN_PAGES = 8 << 20,  /* bytes of memory of all tables, for pages that have not ended, */
    MOST_IN_GROUPS = 8 << 20, /* for groups that have not ended, */
    MOST_IN_ENDS = 4 << 20    /* and for what files will say at their ends */
};

struct parquet_table {
    parquet_table *next;
    parquet_set *set;
    const char *directory, *name;
    parquet_table *twin; /* which counts the files; itself, if none does */
    unsigned parts;      /* of it and its twins */
    written_column *columns;
    size_t column_count, runs; /* those with runs come first */
    uint32_t stamp;
    uint32_t rows, page_rows; /* of the page; and at how many it ends */
    bool is_full;             /* the page ends because of a dictionary */
    uint32_t group_rows;
    uint64_t rows_before; /* of the page */
    bool wants_file;
    /* The file. */
    unsigned part; /* its number, and of the one before; 0: none yet */
    const char *temporary;
    FILE *file;
    uint64_t at;        /* bytes of it */
    byte_buffer groups; /* what the end will say of them */
    unsigned group_count;
    uint64_t file_rows;
};

/* A file that has all its rows. */
typedef struct finished {
    struct finished *next;
    const char *temporary, *path;
} finished;

struct parquet_set {
    arena *arena;
    parquet_table *tables, **end;
    uint32_t stamps; /* never 0 */
    size_t in_ends;
    column_work work;
    byte_buffer group; /* used again for each group */
    finished *finished;
    const char *failed; /* the file that could not be written, */
    int error;          /* and errno */
};

/* ---- rows */

uint32_t parquet_row(parquet_table *t)
{
    return t->rows++;
}

void parquet_put(parquet_table *t, size_t column, uint64_t value)
{
    t->is_full |= !column_put(&t->columns[column], t->rows - 1, value, NULL, 0);
}

void parquet_put_text(parquet_table *t, size_t column, const void *text, size_t size)
{
    static const uint8_t none[1];
    t->is_full |= !column_put(&t->columns[column], t->rows - 1, 0, size > 0 ? text : none, size);
}

uint32_t parquet_stamp(const parquet_table *t)
{
    return t->stamp;
}

void parquet_again(parquet_table *t, uint32_t row, uint32_t count)
{
    for (size_t i = t->runs; i < t->column_count; i++)
        column_again(&t->columns[i], t->rows, row, count);
    t->rows += count;
}

void parquet_repeat(parquet_table *t, uint32_t row, uint32_t count)
{
    for (size_t i = t->runs; i < t->column_count; i++)
        column_repeat(&t->columns[i], t->rows, row, count);
    t->rows += count;
}

void parquet_runs(parquet_table *t, size_t column, uint64_t value, bool counts_up)
{
    column_runs(&t->columns[column], t->rows, value, counts_up);
}

uint64_t parquet_rows(const parquet_table *t)
{
    return t->rows_before + t->rows;
}

uint32_t parquet_rows_of_page(const parquet_table *t)
{
    return t->rows;
}

static void end_page(parquet_table *t)
{
    for (size_t i = 0; i < t->column_count && t->rows > 0; i++)
        column_end_page(&t->columns[i], t->rows);
    t->group_rows += t->rows;
    t->rows_before += t->rows;
    t->rows = 0;
    t->is_full = false;
    t->stamp = ++t->set->stamps;
}

/* ---- files */

static void fail(parquet_set *set, const char *path)
{
    if (!set->failed)
        set->error = errno;
    set->failed = set->failed ? set->failed : path;
}

static void write_to_file(parquet_table *t, const void *from, size_t size)
{
    if (t->file && fwrite(from, 1, size, t->file) != size)
        fail(t->set, t->temporary);
    t->at += size;
}

static const char *path_of_part(const parquet_table *t, unsigned part)
{
    arena *a = t->set->arena;
    return file_in_directory(a, t->directory,
                             part > 1 ? arena_printf(a, "%s-%u.parquet", t->name, part)
                                      : arena_printf(a, "%s.parquet", t->name));
}

/* Opens the file of a table again, or makes one. */
static void open_parquet(parquet_table *t)
{
    arena *a = t->set->arena;
    if (t->temporary) {
        t->file = file_append(t->temporary);
    } else {
        const char *path = path_of_part(t, t->part = ++t->twin->parts);
        t->temporary = arena_printf(a, "%s.pktc-%ld", path, file_process());
        t->at = 0;
        file_remove(t->temporary);
        t->file = file_make_directories(a, path) ? file_create(t->temporary, &(file_target){0}) : NULL;
        write_to_file(t, "PAR1", 4);
    }
    if (!t->file)
        fail(t->set, t->temporary);
}

static void close_parquet(parquet_table *t)
{
    if (t->file && fclose(t->file) != 0)
        fail(t->set, t->temporary);
    t->file = NULL;
}

static void end_group(parquet_table *t)
{
    parquet_set *set = t->set;
    const size_t before = t->groups.room;
    uint64_t raw_size = 0;
    unsigned last = 0;
    end_page(t);
    if (t->group_rows == 0)
        return;
    open_parquet(t);
    thrift_list(&t->groups, &last, 1, THRIFT_STRUCT, t->column_count);
    for (size_t i = 0; i < t->column_count; i++) {
        set->group.size = 0;
        raw_size += column_end_group(&t->columns[i], t->group_rows, t->at, &set->group, &t->groups);
        write_to_file(t, set->group.at, set->group.size);
    }
    close_parquet(t);
    thrift_i64(&t->groups, &last, 2, raw_size);
    thrift_i64(&t->groups, &last, 3, t->group_rows);
    thrift_stop(&t->groups);
    set->in_ends += t->groups.room - before;
    t->file_rows += t->group_rows;
    t->group_rows = 0;
    t->group_count++;
}

static void describe_file(byte_buffer *b, const parquet_table *t)
{
    unsigned last = 0, root = 0;
    thrift_i32(b, &last, 1, 1);
    thrift_list(b, &last, 2, THRIFT_STRUCT, t->column_count + 1);
    thrift_binary(b, &root, 4, t->name, strlen(t->name));
    thrift_i32(b, &root, 5, (int64_t)t->column_count);
    thrift_stop(b);
    for (size_t i = 0; i < t->column_count; i++)
        column_describe_type(b, t->columns[i].is);
    thrift_i64(b, &last, 3, t->file_rows);
    thrift_list(b, &last, 4, THRIFT_STRUCT, t->group_count);
    bytes_copy(b, t->groups.at, t->groups.size);
    thrift_binary(b, &last, 6, "pktc", 4);
    thrift_list(b, &last, 7, THRIFT_STRUCT, t->column_count);
    for (size_t i = 0; i < t->column_count; i++) {
        unsigned order = 0;
        thrift_empty(b, &order, 1); /* bounds are in the order of the type */
        thrift_stop(b);
    }
    thrift_stop(b);
}

/* Describes the file, which then waits for its name. */
static void end_file(parquet_table *t)
{
    parquet_set *set = t->set;
    end_group(t);
    if (t->group_count == 0 && !(t->wants_file && t->part == 0))
        return;
    open_parquet(t);
    set->group.size = 0;
    describe_file(&set->group, t);
    bytes_low(&set->group, set->group.size, 4);
    write_to_file(t, set->group.at, set->group.size);
    write_to_file(t, "PAR1", 4);
    close_parquet(t);
    set->finished = ARENA_WITH(set->arena, finished, .temporary = t->temporary, .path = path_of_part(t, t->part),
                               .next = set->finished);
    set->in_ends -= t->groups.room;
    bytes_free(&t->groups);
    t->temporary = NULL;
    t->group_count = 0;
    t->file_rows = 0;
}

/* ---- all tables */

parquet_set *parquet_set_new(arena *a)
{
    parquet_set *set = ARENA_WITH(a, parquet_set, .arena = a);
    set->end = &set->tables;
#ifdef PKTC_ZSTD
    if (!(set->work.zstd = ZSTD_createCCtx()))
        arena_out_of_memory();
#endif
    return set;
}

parquet_table *parquet_table_new(parquet_set *set, parquet_table *twin, const char *directory, const char *name,
                                 const parquet_column *columns, size_t count)
{
    parquet_table *t = ARENA_WITH(set->arena, parquet_table, .set = set, .directory = directory, .name = name,
                                  .column_count = count, .stamp = ++set->stamps);
    size_t row_bytes = 1;
    t->twin = twin ? twin : t;
    t->columns = ARENA_ARRAY(set->arena, written_column, count);
    for (size_t i = 0; i < count; i++) {
        t->columns[i] = (written_column){.is = &columns[i], .work = &set->work};
        t->runs += columns[i].runs;
        row_bytes += columns[i].runs ? 0 : sizeof(uint32_t) + columns[i].optional;
    }
    t->page_rows = (uint32_t)(PAGE_BYTES / row_bytes) + 1;
    *set->end = t;
    set->end = &t->next;
    return t;
}

void parquet_wants_file(parquet_table *t)
{
    t->wants_file = true;
}

void parquet_row_end(parquet_table *t)
{
    if (t->rows >= t->page_rows || t->is_full)
        end_page(t);
    if (t->group_rows >= GROUP_ROWS)
        end_group(t);
}

/* Calls a function for each table that takes at least half as much of something as all do in the mean. */
static void end_large(parquet_set *set, size_t (*taken)(const parquet_table *t), void (*end)(parquet_table *t))
{
    size_t all = 0, count = 0;
    for (const parquet_table *t = set->tables; t; t = t->next) {
        all += taken(t);
        count += taken(t) > 0;
    }
    for (parquet_table *t = set->tables; t; t = t->next)
        if (taken(t) > 0 && taken(t) >= all / count / 2)
            end(t);
}

/* Ends a page, and frees the memory that the next one would take again. */
static void drop_page(parquet_table *t)
{
    end_page(t);
    for (size_t i = 0; i < t->column_count; i++)
        column_drop_page(&t->columns[i]);
}

static size_t taken_by_page(const parquet_table *t)
{
    size_t all = 0;
    for (size_t i = 0; i < t->column_count; i++)
        all += column_taken_by_page(&t->columns[i]);
    return all;
}

static size_t taken_by_group(const parquet_table *t)
{
    size_t all = 0;
    for (size_t i = 0; i < t->column_count; i++)
        all += column_taken_by_group(&t->columns[i]);
    return all;
}

static size_t taken_by_end(const parquet_table *t)
{
    return t->groups.room;
}

void parquet_set_settle(parquet_set *set)
{
    if (set->work.in_pages > MOST_IN_PAGES)
        end_large(set, taken_by_page, drop_page);
    if (set->work.in_groups > MOST_IN_GROUPS)
        end_large(set, taken_by_group, end_group);
    if (set->in_ends > MOST_IN_ENDS)
        end_large(set, taken_by_end, end_file);
}

/* Gives the files their names, and removes what an earlier set may have left under those that would follow. */
static void name_files(parquet_set *set)
{
    for (const finished *f = set->finished; f; f = f->next)
        if (!file_replace(f->temporary, f->path))
            fail(set, f->path);
    for (const parquet_table *t = set->tables; t; t = t->next)
        for (unsigned part = t->parts + 1; t->twin == t && file_remove(path_of_part(t, part)); part++)
            continue;
}

static void remove_files(parquet_set *set)
{
    for (const finished *f = set->finished; f; f = f->next)
        file_remove(f->temporary);
    for (const parquet_table *t = set->tables; t; t = t->next)
        if (t->temporary)
            file_remove(t->temporary);
}

bool parquet_set_end(parquet_set *set, diag *d, bool keep)
{
    for (parquet_table *t = set->tables; t && keep; t = t->next)
        end_file(t);
    if (keep && !set->failed)
        name_files(set);
    if (!keep || set->failed)
        remove_files(set);
    if (set->failed)
        diag_error(d, (span){0}, "cannot write '%s': %s", set->failed, strerror(set->error));
    for (parquet_table *t = set->tables; t; t = t->next) {
        bytes_free(&t->groups);
        for (size_t i = 0; i < t->column_count; i++)
            column_free(&t->columns[i]);
    }
    bytes_free(&set->group);
    bytes_free(&set->work.page);
    bytes_free(&set->work.packed);
    bytes_free(&set->work.chosen);
#ifdef PKTC_ZSTD
    ZSTD_freeCCtx(set->work.zstd);
#endif
    return !set->failed;
}
