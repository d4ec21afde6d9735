#include "sizes_internal.h"
void sizes_html(arena *a, const wire *w, const sizes_options *how, out *to) { (void)a; (void)w;(void)how;(void)to; }
