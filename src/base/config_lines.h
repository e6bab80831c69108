/*
 * Reads the lines of daymark.conf for libinih: with semicolons in values, and lines that are longer
 * than libinih's 200 bytes. Only for base/config.c.
 */
#ifndef BASE_CONFIG_LINES_H
#define BASE_CONFIG_LINES_H

#include <stdbool.h>
#include <stdio.h>

#include "base/arena.h"

struct config_lines {
	FILE *file;
	int number;	  /* of the line that was read last, from 1 */
	char *text;	  /* the line as it is in the file */
	size_t text_size; /* for getline() */
	bool has_nul;	  /* the line has a NUL; the lines end before it */
};

/* With the interface of fgets(); `lines` is a struct config_lines. */
char *config_lines_read(char *line, int size, void *lines);
/* The value as it is in the file, owned by the arena. A password or mirror is used whole; other
 * values end before " ;". */
const char *config_lines_value(const struct config_lines *lines, const char *key, const char *value,
			       struct arena *arena);
void config_lines_done(struct config_lines *lines);

#endif
