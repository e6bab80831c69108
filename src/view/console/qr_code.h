/* QR codes (ISO/IEC 18004) as inline SVG, by libqrencode. */
#ifndef VIEW_CONSOLE_QR_CODE_H
#define VIEW_CONSOLE_QR_CODE_H

#include "base/buf.h"
#include "base/error.h"

/* Appends an image with the text as its content: black on white also in dark mode, since readers
 * expect it. `label` describes the image. E_FAILED: the library is missing; E_BUSY: no memory. */
enum result qr_code_svg(struct buf *out, const char *text, const char *label, struct error *error)
	MUST_USE;

#endif
