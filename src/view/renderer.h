/* The version of what decides on the content of published files: the build makes it. */
#ifndef VIEW_RENDERER_H
#define VIEW_RENDERER_H

/* A hash of the sources that read a page, render it and put it into files: see Makefile.am. It
 * differs where another program may render the same rows otherwise. */
extern const char renderer_id[];

#endif
