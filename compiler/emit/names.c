/* names.c - lists the names that generated C makes from a schema's names.
 * SPDX-License-Identifier: MIT
 *
 * A type takes all names of its kind, even those of functions that are not generated for it. So no name of a schema has
 * to change when a type becomes @delta or gets a ref. If a name is missing here, tests/emit/test_names.c fails.
 */
#include "emit/names.h"
#include "base/utf8.h"

#include <ctype.h>
#include <string.h>

/* clang-format off */
static const taken_name taken[] = {
    {TAKEN_BY_PROTOCOL, TAKEN_AS_CONSTANT, "PROTOCOL_ID"},
    {TAKEN_BY_PROTOCOL, TAKEN_AS_CONSTANT, "PROTOCOL_FRAME"},
    {TAKEN_BY_PROTOCOL, TAKEN_AS_CONSTANT, "PROTOCOL_SCHEMA"},
    {TAKEN_BY_PROTOCOL, TAKEN_AS_CONSTANT, "PROTOCOL_VERSION"},
    {TAKEN_BY_PROTOCOL, TAKEN_AS_CONSTANT, "PROTOCOL_VERSION_OF"},
    {TAKEN_BY_CONSTANT, TAKEN_AS_CONSTANT, "T"},

    {TAKEN_BY_ENUM | TAKEN_BY_FLAGS | TAKEN_BY_TYPE, TAKEN_AS_TYPE, "T"},
    {TAKEN_BY_ENUM, TAKEN_AS_FUNCTION, "T_name"},
    {TAKEN_BY_ENUM | TAKEN_BY_TYPE, TAKEN_AS_FUNCTION, "T_valid"},
    {TAKEN_BY_ENUM | TAKEN_BY_FLAGS, TAKEN_AS_DATA, "T_reflection"},
    {TAKEN_BY_ENUM | TAKEN_BY_FLAGS, TAKEN_AS_DATA, "T_reflection_names"},
    {TAKEN_BY_ENUM | TAKEN_BY_FLAGS, TAKEN_AS_CONSTANT, "T_m"},

    {TAKEN_BY_TYPE, TAKEN_AS_MACRO, "T_MIN_BITS"},
    {TAKEN_BY_TYPE, TAKEN_AS_MACRO, "T_MAX_BITS"},
    {TAKEN_BY_TYPE, TAKEN_AS_MACRO, "T_DELTA_MAX_BITS"},
    {TAKEN_BY_TYPE, TAKEN_AS_MACRO, "T_REF"},
    {TAKEN_BY_TYPE, TAKEN_AS_FUNCTION, "T_init"},
    {TAKEN_BY_TYPE, TAKEN_AS_FUNCTION, "T_write"},
    {TAKEN_BY_TYPE, TAKEN_AS_FUNCTION, "T_read"},
    {TAKEN_BY_TYPE, TAKEN_AS_FUNCTION, "T_measure"},
    {TAKEN_BY_TYPE, TAKEN_AS_FUNCTION, "T_equal"},
    {TAKEN_BY_TYPE, TAKEN_AS_FUNCTION, "T_valid_refs"},
    {TAKEN_BY_TYPE, TAKEN_AS_FUNCTION, "T_quantize"},
    {TAKEN_BY_TYPE, TAKEN_AS_FUNCTION, "T_mix"},
    {TAKEN_BY_TYPE, TAKEN_AS_FUNCTION, "T_near"},
    {TAKEN_BY_TYPE, TAKEN_AS_FUNCTION, "T_save"},
    {TAKEN_BY_TYPE, TAKEN_AS_FUNCTION, "T_restore"},
    {TAKEN_BY_TYPE, TAKEN_AS_FUNCTION, "T_hash"},
    {TAKEN_BY_TYPE, TAKEN_AS_FUNCTION, "T_hash_refs"},
    {TAKEN_BY_TYPE, TAKEN_AS_FUNCTION, "T_write_delta"},
    {TAKEN_BY_TYPE, TAKEN_AS_FUNCTION, "T_read_delta"},
    {TAKEN_BY_TYPE, TAKEN_AS_FUNCTION, "T_measure_delta"},
    {TAKEN_BY_STRUCT, TAKEN_AS_FUNCTION, "T_fit_write"},
    {TAKEN_BY_STRUCT, TAKEN_AS_FUNCTION, "T_fit_write_delta"},
    {TAKEN_BY_STRUCT, TAKEN_AS_FUNCTION, "T_fit_write_delta_blank"},
    {TAKEN_BY_STRUCT, TAKEN_AS_FUNCTION, "T_fit_write_delta_from"},
    {TAKEN_BY_STRUCT, TAKEN_AS_TYPE, "T_came"},
    {TAKEN_BY_STRUCT, TAKEN_AS_FUNCTION, "T_what_came"},
    {TAKEN_BY_STRUCT, TAKEN_AS_FUNCTION, "T_what_came_blank"},
    {TAKEN_BY_STRUCT, TAKEN_AS_FUNCTION, "T_fit_write_delta_moved"},
    {TAKEN_BY_TYPE, TAKEN_AS_FUNCTION, "T_serialize"},
    {TAKEN_BY_TYPE, TAKEN_AS_FUNCTION, "T_base"},
    {TAKEN_BY_TYPE, TAKEN_AS_FUNCTION, "T_side"},
    {TAKEN_BY_TYPE, TAKEN_AS_FUNCTION, "T_copy"},
    {TAKEN_BY_TYPE, TAKEN_AS_FUNCTION, "T_copy_sent"},
    {TAKEN_BY_TYPE, TAKEN_AS_FUNCTION, "T_same"},
    {TAKEN_BY_TYPE, TAKEN_AS_FUNCTION, "T_sound"},
    {TAKEN_BY_TYPE, TAKEN_AS_FUNCTION, "T_delta"},
    {TAKEN_BY_TYPE, TAKEN_AS_FUNCTION, "T_delta_write"},
    {TAKEN_BY_TYPE, TAKEN_AS_FUNCTION, "T_delta_read"},
    {TAKEN_BY_TYPE, TAKEN_AS_FUNCTION, "T_delta_write_blank"},
    {TAKEN_BY_TYPE, TAKEN_AS_FUNCTION, "T_delta_read_blank"},
    {TAKEN_BY_TYPE, TAKEN_AS_FUNCTION, "T_delta_differs"},
    {TAKEN_BY_TYPE, TAKEN_AS_FUNCTION, "T_delta_differs_blank"},
    {TAKEN_BY_TYPE, TAKEN_AS_DATA, "T_delta_explanation"},
    {TAKEN_BY_PREDICTED, TAKEN_AS_TYPE, "T_motion"},
    {TAKEN_BY_PREDICTED, TAKEN_AS_FUNCTION, "T_predict"},
    {TAKEN_BY_PREDICTED, TAKEN_AS_FUNCTION, "T_expected"},
    {TAKEN_BY_TYPE, TAKEN_AS_DATA, "T_reflection"},
    {TAKEN_BY_TYPE, TAKEN_AS_DATA, "T_reflection_entries"},
    {TAKEN_BY_TYPE, TAKEN_AS_FUNCTION, "T_reflection_side"},
    {TAKEN_BY_PACKET, TAKEN_AS_MACRO, "T_MAX_BYTES"},
    {TAKEN_BY_PACKET, TAKEN_AS_FUNCTION, "T_pack"},
    {TAKEN_BY_PACKET, TAKEN_AS_FUNCTION, "T_unpack"},
    {TAKEN_BY_PACKET, TAKEN_AS_FUNCTION, "T_pack_delta"},
    {TAKEN_BY_PACKET, TAKEN_AS_FUNCTION, "T_unpack_delta"},
    {TAKEN_BY_PACKET, TAKEN_AS_FUNCTION, "T_fit_pack"},
    {TAKEN_BY_PACKET, TAKEN_AS_FUNCTION, "T_fit_pack_delta"},
    {TAKEN_BY_PACKET, TAKEN_AS_FUNCTION, "T_pack_error"},
    {TAKEN_BY_PACKET, TAKEN_AS_FUNCTION, "T_unpack_error"},
    {TAKEN_BY_PACKET, TAKEN_AS_FUNCTION, "T_pack_refs"},
    {TAKEN_BY_PACKET, TAKEN_AS_FUNCTION, "T_unpack_refs"},
    {TAKEN_BY_PACKET, TAKEN_AS_FUNCTION, "T_pack_delta_error"},
    {TAKEN_BY_PACKET, TAKEN_AS_FUNCTION, "T_unpack_delta_error"},
    {TAKEN_BY_PACKET, TAKEN_AS_FUNCTION, "T_pack_delta_refs"},
    {TAKEN_BY_PACKET, TAKEN_AS_FUNCTION, "T_unpack_delta_refs"},
    {TAKEN_BY_PACKET, TAKEN_AS_FUNCTION, "T_pack_body"},
    {TAKEN_BY_PACKET, TAKEN_AS_FUNCTION, "T_unpack_body"},
    {TAKEN_BY_PACKET, TAKEN_AS_FUNCTION, "T_pack_body_error"},
    {TAKEN_BY_PACKET, TAKEN_AS_FUNCTION, "T_unpack_body_error"},
    {TAKEN_BY_PACKET, TAKEN_AS_FUNCTION, "T_pack_body_refs"},
    {TAKEN_BY_PACKET, TAKEN_AS_FUNCTION, "T_unpack_body_refs"},
    {TAKEN_BY_PACKET, TAKEN_AS_FUNCTION, "T_pack_delta_body"},
    {TAKEN_BY_PACKET, TAKEN_AS_FUNCTION, "T_unpack_delta_body"},
    {TAKEN_BY_PACKET, TAKEN_AS_FUNCTION, "T_pack_delta_body_error"},
    {TAKEN_BY_PACKET, TAKEN_AS_FUNCTION, "T_unpack_delta_body_error"},
    {TAKEN_BY_PACKET, TAKEN_AS_FUNCTION, "T_pack_delta_body_refs"},
    {TAKEN_BY_PACKET, TAKEN_AS_FUNCTION, "T_unpack_delta_body_refs"},
    {TAKEN_BY_PACKET, TAKEN_AS_MACRO, "T_DELTA_MAX_BYTES"},
    {TAKEN_BY_PACKET, TAKEN_AS_FUNCTION, "T_write_body"},
    {TAKEN_BY_PACKET, TAKEN_AS_FUNCTION, "T_read_body"},
    {TAKEN_BY_PACKET, TAKEN_AS_FUNCTION, "T_write_delta_body"},
    {TAKEN_BY_PACKET, TAKEN_AS_FUNCTION, "T_read_delta_body"},
    {TAKEN_BY_PACKET, TAKEN_AS_FUNCTION, "T_version"},
    {TAKEN_BY_PACKET, TAKEN_AS_FUNCTION, "T_unpack_any"},
    {TAKEN_BY_PACKET, TAKEN_AS_FUNCTION, "T_unpack_any_error"},
    {TAKEN_BY_PACKET, TAKEN_AS_FUNCTION, "T_unpack_any_refs"},
    {TAKEN_BY_PACKET, TAKEN_AS_DATA, "T_packet"},

    {TAKEN_BY_PACKET, TAKEN_AS_DATA, "T_frame"},
    {TAKEN_BY_DATAGRAM, TAKEN_AS_TYPE, "T_baselines"},
    {TAKEN_BY_DATAGRAM, TAKEN_AS_TYPE, "T_names"},
    {TAKEN_BY_DATAGRAM, TAKEN_AS_TYPE, "T_rings"},
    {TAKEN_BY_DATAGRAM, TAKEN_AS_TYPE, "T_receiver"},
    {TAKEN_BY_DATAGRAM, TAKEN_AS_FUNCTION, "T_receiver_begin"},
    {TAKEN_BY_DATAGRAM, TAKEN_AS_FUNCTION, "T_receive"},
    {TAKEN_BY_DATAGRAM, TAKEN_AS_FUNCTION, "T_receive_error"},
    {TAKEN_BY_DATAGRAM, TAKEN_AS_TYPE, "T_sender"},
    {TAKEN_BY_DATAGRAM, TAKEN_AS_FUNCTION, "T_sender_begin"},
    {TAKEN_BY_DATAGRAM, TAKEN_AS_FUNCTION, "T_sender_baselines"},
    {TAKEN_BY_DATAGRAM, TAKEN_AS_FUNCTION, "T_acknowledged"},
    {TAKEN_BY_DATAGRAM, TAKEN_AS_FUNCTION, "T_send"},
    {TAKEN_BY_DATAGRAM, TAKEN_AS_FUNCTION, "T_send_error"},
    {TAKEN_BY_DATAGRAM, TAKEN_AS_FUNCTION, "T_peek"},
    {TAKEN_BY_DATAGRAM, TAKEN_AS_DATA, "T_datagram"},
    {TAKEN_BY_PART, TAKEN_AS_MACRO, "T_m_REACH"},
    {TAKEN_BY_PART, TAKEN_AS_TYPE, "T_m_baseline"},
    {TAKEN_BY_PART, TAKEN_AS_TYPE, "T_m_ring"},
    {TAKEN_BY_PART, TAKEN_AS_FUNCTION, "T_m_ring_find"},
    {TAKEN_BY_PART, TAKEN_AS_FUNCTION, "T_m_ring_keep"},
    {TAKEN_BY_START, TAKEN_AS_FUNCTION, "T_m_start"},
    {TAKEN_BY_PART, TAKEN_AS_MEMBER, "m_before"},
    {TAKEN_BY_START, TAKEN_AS_MEMBER, "m_start"},

    {TAKEN_BY_UNION, TAKEN_AS_TAG, "T_tag"},
    {TAKEN_BY_UNION, TAKEN_AS_TAG, "T_tag_m"},
    {TAKEN_BY_SPARSE, TAKEN_AS_FUNCTION, "T_m_set"},
    {TAKEN_BY_SPARSE, TAKEN_AS_FUNCTION, "T_m_clear"},
    {TAKEN_BY_SPARSE, TAKEN_AS_FUNCTION, "T_m_has"},
    {TAKEN_BY_SPARSE, TAKEN_AS_FUNCTION, "T_m_next"},
    {TAKEN_BY_SPARSE | TAKEN_BY_COMPUTED, TAKEN_AS_FUNCTION, "T_m_count"},
    {TAKEN_BY_LIST, TAKEN_AS_FUNCTION, "T_m_find"},
    {TAKEN_BY_LIST, TAKEN_AS_FUNCTION, "T_m_add"},
    {TAKEN_BY_LIST, TAKEN_AS_FUNCTION, "T_m_remove"},
    {TAKEN_BY_LIST, TAKEN_AS_FUNCTION, "T_m_unused"},
    {TAKEN_BY_FIT, TAKEN_AS_MACRO, "T_FIT_m"},
    {TAKEN_BY_FIT, TAKEN_AS_FUNCTION, "T_m_fit_bits"},
    {TAKEN_BY_FIT, TAKEN_AS_FUNCTION, "T_m_fit_copy"},
    {TAKEN_BY_FIT, TAKEN_AS_FUNCTION, "T_m_fit_expected"},

    {TAKEN_BY_COUNTED, TAKEN_AS_MEMBER, "m_count"},
    {TAKEN_BY_SPARSE, TAKEN_AS_MEMBER, "m_present"},
    {TAKEN_BY_OPTIONAL, TAKEN_AS_MEMBER, "has_m"},
    {TAKEN_BY_BYTES, TAKEN_AS_MEMBER, "m_size"},
    {TAKEN_BY_UNION, TAKEN_AS_MEMBER, "tag"},
    {TAKEN_BY_UNION, TAKEN_AS_MEMBER, "as"},

    {TAKEN_BY_STRING, TAKEN_AS_LOCAL, "m_size_"},
    {TAKEN_BY_UNLESS, TAKEN_AS_LOCAL, "m_sent_"},
    {TAKEN_BY_COUNTED, TAKEN_AS_LOCAL, "m_old_"},
    {TAKEN_BY_ARRAY, TAKEN_AS_LOCAL, "m_changed_"},
    {TAKEN_BY_ARRAY, TAKEN_AS_LOCAL, "m_expected_"},
    {TAKEN_BY_QUANTIZED, TAKEN_AS_LOCAL, "m_codes_"},
    {TAKEN_BY_LIST, TAKEN_AS_LOCAL, "m_moved_"},
    {TAKEN_BY_FIT, TAKEN_AS_LOCAL, "m_kept_"},
    {TAKEN_BY_FIT, TAKEN_AS_LOCAL, "m_offered_"},
    {TAKEN_BY_QUANTIZED, TAKEN_AS_LOCAL, "m_step_"},
};
/* clang-format on */

const name_rules c_name_rules = {taken, sizeof taken / sizeof *taken, name_reserved, name_begins_reserved};

/* ---- files */

static const char *const endings[] = {".h",         ".c",         "_codec.h",   "_reflect.h", "_reflect.c",
                                      "_capture.h", "_capture.c", "_upgrade.h", "_upgrade.c", NULL};

/* Headers of C and of POSIX, and those that common C libraries include in turn. */
/* clang-format off */
static const char *const system_headers[] = {
    "aio", "alloca", "assert", "complex", "conio", "cpio", "crtdbg", "ctype", "direct", "dirent", "dlfcn", "endian",
    "err", "errno", "fcntl", "features", "fenv", "float", "fmtmsg", "fnmatch", "ftw", "getopt", "glob", "grp",
    "iconv", "ifaddrs", "intrin", "inttypes", "io", "iso646", "langinfo", "libgen", "libintl", "limits", "locale",
    "malloc", "math", "memory", "monetary", "mqueue", "ndbm", "netdb", "nl_types", "poll", "process", "pthread",
    "pwd", "regex", "sal", "sched", "search", "semaphore", "setjmp", "share", "signal", "spawn", "stdalign",
    "stdarg", "stdatomic", "stdbit", "stdbool", "stdckdint", "stddef", "stdint", "stdio", "stdlib", "stdnoreturn",
    "string", "strings", "stropts", "syslog", "tar", "tchar", "termios", "tgmath", "threads", "time", "uchar",
    "ulimit", "unistd", "utime", "utmpx", "vcruntime", "wchar", "wctype", "windows", "winsock", "winsock2",
    "wordexp", "ws2tcpip",
};
/* clang-format on */

/* Whether a file is STEM.h in capital or small letters: some file systems do not tell them apart. */
static bool is_header(const char *file, const char *stem)
{
    for (; *stem != 0; stem++, file++)
        if (tolower((unsigned char)*file) != *stem)
            return false;
    return strcmp(file, ".h") == 0;
}

static bool has_trigraph(const char *text)
{
    for (const char *at = strstr(text, "??"); at != NULL; at = strstr(at + 1, "??"))
        if (at[2] != 0 && strchr("=/'()!<>-", at[2]) != NULL)
            return true;
    return false;
}

/* Windows opens the device whatever follows the point. */
static bool is_device(const char *file)
{
    static const char *const devices[] = {"con", "prn", "aux", "nul", "com", "lpt"};
    char stem[5] = "";
    const size_t size = strcspn(file, ".");
    for (size_t i = 0; i < size && i < sizeof stem - 1; i++)
        stem[i] = (char)tolower((unsigned char)file[i]);
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
        if (strncmp(stem, devices[i], 3) == 0 && (i < 4 ? size == 3 : size == 4 && isdigit((unsigned char)stem[3])))
            return true;
    return false;
}

static const char *file_refused(const char *file)
{
    if (is_device(file))
        return "would be a device on Windows";
    for (const char *at = file; *at != 0; at += utf8_printable(at, strlen(at)))
        if (utf8_printable(at, strlen(at)) == 0)
            return "could not be included in C: its name is not UTF-8 without control characters";
    if (strchr(file, '"') != NULL)
        return "could not be included in C: its name has a '\"'";
    if (has_trigraph(file))
        return "could not be included in C: its name has two question marks that begin a trigraph";
    for (size_t i = 0; i < sizeof system_headers / sizeof *system_headers; i++)
        if (is_header(file, system_headers[i]))
            return "would hide the system's header of that name";
    if (tolower((unsigned char)file[0]) == 'p' && tolower((unsigned char)file[1]) == 'k' &&
        tolower((unsigned char)file[2]) == 't' && (file[3] == '_' || file[3] == '.'))
        return file[3] == '_' ? "could hide a file of the runtime: names that begin with 'pkt_' are kept for it"
                              : "would hide a file of the runtime";
    return NULL;
}

const file_rules c_file_rules = {endings, file_refused};
