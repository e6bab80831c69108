/* A bucket on tests/lib/s3-server, and pages that are made by hand. */
#ifndef UNIT_MIRROR_BUCKET_WORLD_H
#define UNIT_MIRROR_BUCKET_WORLD_H

#include "unit/lib/unit.h"

#include "mirror/target/bucket.h"
#include "unit/lib/server.h"

#define BUCKET_PREFIX "pages+of~us/(1)"

extern bool has_server;
extern struct mirror mirror;
extern struct config config;
extern struct target target;
extern struct error error;

/* For groups of tests. */
int world_start(void **state);
int world_end(void **state);
/* For each test: an empty bucket, no records, an open target. */
int world_open(void **state);
int world_close(void **state);
/* Closes and opens the target, as another process would. */
void world_restart(void);
void world_forget_records(void);

/* The text of the address /-/… of the server. */
const char *control(const char *path);
/* Whether the text has the line. */
bool has_line(const char *text, const char *line);
size_t count_lines(const char *text);
/* Whether the bucket has exactly the pages' files, and all else that is expected of it. */
void bucket_has_exactly(struct page_copy *const *pages, size_t count);
/* No reader saw an index.html whose files were missing. */
void no_reader_saw_a_gap(void);

/* A page whose files depend on the version; domain may be NULL. The arena owns it. */
struct page_copy *make_page(int64_t id, const char *slug, const char *domain, int version);
struct page_copy *make_gone(int64_t id);
void set_place(struct page_copy *page, enum pages_place place);

enum result send_one(struct page_copy *page);
/* The version that the bucket is listed with; NULL: the page is not listed. */
const char *listed_version(int64_t page_id);

#endif
