/* page.css, page.js and report.css; the build makes the array from the files. */
#ifndef VIEW_ASSETS_H
#define VIEW_ASSETS_H

#include "base/embedded.h"

extern const struct embedded page_assets[]; /* the style sheet, the script, the style of reports */
extern const size_t page_assets_count;

#endif
