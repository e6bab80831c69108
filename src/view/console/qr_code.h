/* QR codes (ISO/IEC 18004) as inline SVG, by libqrencode. */
#ifndef VIEW_CONSOLE_QR_CODE_H
#define VIEW_CONSOLE_QR_CODE_H

#include "base/buf.h"
#include "base/error.h"

/*
 * Appends a QR code of the text as an image. The code is black on white even in dark mode, because
 * QR readers expect this. `label` is the image's text for screen readers. Returns E_FAILED if the
 * library is missing, E_BUSY if memory is short.
 */
enum result qr_code_svg(struct buf *out, const char *text, const char *label, struct error *error)
	MUST_USE;

#endif
