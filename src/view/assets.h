/* page.css and page.js; the build makes the array from the files. */
#ifndef VIEW_ASSETS_H
#define VIEW_ASSETS_H

#include "base/embedded.h"

extern const struct embedded page_assets[]; /* the style sheet, the script */
extern const size_t page_assets_count;

#endif
