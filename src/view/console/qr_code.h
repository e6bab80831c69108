/* QR codes (ISO/IEC 18004) as inline SVG, by libqrencode. */
#ifndef VIEW_CONSOLE_QR_CODE_H
#define VIEW_CONSOLE_QR_CODE_H

#include "base/buf.h"
#include "base/error.h"

/*
 * Appends the text as an image of a QR code. It is black on white even in dark mode, because QR
 * readers expect this. `label` describes the image. Returns E_FAILED if the library is missing,
 * E_BUSY if memory is short.
 */
enum result qr_code_svg(struct buf *out, const char *text, const char *label, struct error *error)
	MUST_USE;

#endif
