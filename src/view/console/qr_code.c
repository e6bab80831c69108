#include "view/console/qr_code.h"

#include <pthread.h>
#include <qrencode.h>

#include "base/library.h"
#include "view/html.h"

enum { MARGIN = 4 }; /* modules; the standard demands this margin */

static struct {
	__typeof__(QRcode_encodeString) *encode;
	__typeof__(QRcode_free) *release;
} qr;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static char failure[LIBRARY_FAILURE_SIZE]; /* why the library cannot be used; empty: it is ready */

static void load_library(void)
{
	static const struct library_symbol symbols[] = {
		{ "QRcode_encodeString", &qr.encode },
		{ "QRcode_free", &qr.release },
	};
	library_load(QRENCODE_LIBRARY, symbols, ARRAY_LEN(symbols), failure);
}

/* Appends an SVG path. Adjacent dark modules of a row are one bar. */
static void put_modules(struct buf *out, const QRcode *code)
{
	for (int y = 0; y < code->width; y++)
		for (int x = 0, run; x < code->width; x += run + 1) {
			const unsigned char *row = code->data + y * code->width;
			for (run = 0; x + run < code->width && row[x + run] & 1;)
				run++;
			if (run > 0)
				buf_printf(out, "M%d %dh%dv1h-%dz", x + MARGIN, y + MARGIN, run,
					   run);
		}
}

enum result qr_code_svg(struct buf *out, const char *text, const char *label, struct error *error)
{
	pthread_once(&once, load_library);
	if (failure[0])
		return error_log(error, E_FAILED, "libqrencode: %s", failure);
	QRcode *code = qr.encode(text, 0, QR_ECLEVEL_M, QR_MODE_8, 1);
	if (!code)
		return E_BUSY;
	int width = code->width + 2 * MARGIN;
	buf_puts(out, "<svg class=\"qr\" role=\"img\" aria-label=\"");
	html_attr(out, label);
	buf_printf(out,
		   "\" viewBox=\"0 0 %d %d\" width=\"240\" height=\"240\" "
		   "shape-rendering=\"crispEdges\"><path fill=\"#fff\" d=\"M0 0h%dv%dh-%dz\"/>"
		   "<path d=\"",
		   width, width, width, width, width);
	put_modules(out, code);
	buf_puts(out, "\"/></svg>\n");
	qr.release(code);
	return OK;
}
