/* A mirror that receives pages, in a temporary folder; it can die or fail at each step. */
#ifndef UNIT_MIRROR_RECEIVER_WORLD_H
#define UNIT_MIRROR_RECEIVER_WORLD_H

#include "unit/lib/unit.h"

#include "base/config/config.h"
#include "mirror/receive/receive.h"

extern struct receiver receiver;
extern struct site site;
extern struct config config;
extern struct error error;

/* For groups of tests: an empty mirror. */
int receiver_start(void **state);
int receiver_end(void **state);

/*
 * The calls that change folders, by the linker's --wrap: the one behind the next steps_left of them
 * kills the process, or fails. Nothing is synced: these processes die, and the machine does not.
 */
extern int steps_left; /* -1: all succeed */
extern int failure;    /* 0: the process dies */

/* "page 7 <version> public acme -" and so on: its files are pairs of name and content. */
const char *page_of(const char *head, const char *const *pairs);
#define FILES(...) ((const char *const[]){ __VA_ARGS__, NULL })
#define GATE(id)   "gate", #id " 3 1 - en - -\n"
extern const char *const first[], *const second[];

void hash_of(const char *text, uint8_t hash[SECRET_HASH_BYTES]);
/* Sends the content of a file, or of all files. */
void send(const char *content);
void send_all(const char *const *pairs);
/* Receives pages; `missing` has the hashes of the files that they lack. */
enum result receive(const char *body);
extern char missing[4096];

/* Sends a list of that number; without its file, if has_file is false. */
enum result send_text(unsigned number, const char *text, bool has_file);
void send_list(enum pages_place place, const char *name, int64_t id);
extern char shared_missing[4096];
extern const char *secret;

/* The text of a file of the mirror; NULL: it is not there. */
const char *content(const char *path);
bool is_there(const char *path);
/* The pages that the mirror tells. */
const char *list(void);
/* The id that visitors' requests find. */
const char *listed(enum pages_place place, const char *name);

#endif
