/* The version of the code that decides on the content of published files; the build makes it. */
#ifndef VIEW_RENDERER_H
#define VIEW_RENDERER_H

/*
 * A hash of the sources that read, render and write a page: see Makefile.am. It differs between
 * programs that may render the same rows differently.
 */
extern const char renderer_id[];

#endif
