/*
 * The former addresses of pages on a mirror, in 256 lists in DIR/received/former/. A hash of the
 * address decides to which list it belongs. Only the origin replaces a list, and always as a whole
 * (mirror/protocol.h). A list is a file of lines "former <slug> <page id>" and "former-host
 * <domain> <page id>". An origin has no lists, but the files of publish/folder/former_address.h.
 */
#ifndef PUBLISH_FOLDER_FORMER_LIST_H
#define PUBLISH_FOLDER_FORMER_LIST_H

#include "base/buf.h"
#include "publish/page/pages_reader.h"

enum {
	FORMER_LISTS = 256,
	FORMER_LIST_MAX_BYTES = 16 << 20,
	FORMER_LIST_NAME_SIZE = 3, /* "7f", with NUL */
};

/* A former address and its page; `place` is PAGES_FORMER or PAGES_FORMER_HOST. */
struct former_line {
	enum pages_place place;
	const char *name;
	int64_t page_id;
};

/* Returns the number of the list to which the address belongs. */
unsigned former_list_of(enum pages_place place, const char *name);
/* Writes the name of a list's file. */
void former_list_name(unsigned list, char name[FORMER_LIST_NAME_SIZE]);
void former_line_print(struct buf *out, const struct former_line *line);
/*
 * Parses a line without its newline, and copies the name into the arena. Returns false if the line
 * is invalid.
 */
bool former_line_parse(struct str text, struct arena *arena, struct former_line *line);

/* Opens the folder of the lists. is_made: first creates the folder and its parent "received" if
 * they do not exist. Returns -1, with errno, after a failure. */
int former_lists_open(int root_fd, bool is_made);
/* Finds the page of a former address. Sets *is_listed if this machine has the list to which the
 * address belongs. *id is NULL if the address is not in the list. */
enum result former_list_find(const struct pages_reader *reader, enum pages_place place,
			     const char *name, struct arena *arena, bool *is_listed,
			     const char **id, struct error *error) MUST_USE;
/* Removes the lists from an origin, which may have been a mirror before. */
enum result former_lists_forget(const struct pages_dir *dir, struct error *error) MUST_USE;

#endif
