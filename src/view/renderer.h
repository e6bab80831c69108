/* Identifies the version of the code that renders published files. The build makes it. */
#ifndef VIEW_RENDERER_H
#define VIEW_RENDERER_H

/*
 * A hash of the sources that read, render and write pages: see Makefile.am. If two programs have
 * the same hash, they write the same files from the same rows.
 */
extern const char renderer_id[];

#endif
