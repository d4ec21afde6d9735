/* command_report.c - `pktc report`: prints where the bytes of recordings go.
 * SPDX-License-Identifier: MIT
 */
#include "recordings/report.h"
#include "recordings/recordings_rows.h"
#include "recordings/counting.h"
#include "recordings/counting_report.h"

void command_report(run *r)
{
    const options *o = r->options;
    counted_files files;
    datagrams_request request;
    if ((recordings_chosen(o)->follow && !follow_begun(r)) || !counted_open(r, &files) ||
        !counting_request(r, &files, &request))
        return;
    if (recordings_chosen(o)->follow) {
        follow_recording(r, &request);
        return;
    }
    const tally *t = counting_report(r, &files, &request, false);
    if (!t)
        return;
    out *to = out_new(r->arena);
    size_t size;
    (o->html ? report_html : o->json ? report_json : report_text)(r->arena, t, to);
    const char *text = out_result(to, &size);
    put_text(r, o->html, text, size);
}
