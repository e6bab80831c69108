/* The snapshot of the tests of the JSON documents, and values in a document. */
#ifndef UNIT_VIEW_PAGE_JSON_SAMPLE_H
#define UNIT_VIEW_PAGE_JSON_SAMPLE_H

#include "unit/lib/unit.h"

#include <json-c/json.h>

#include "view/page.h"

enum { PAGE_JSON_NOON = 1795176000 };

extern struct buf out;			   /* of the document that was read last */
extern struct page_incident down;	   /* found by monitoring, and on no page */
extern struct incident_monitor covered[2]; /* by `reported` */
extern struct posted_update posts[3];
extern struct page_incident reported;
extern struct page_monitor systems[4];
extern struct page_maintenance windows[3];

/* Gives all of them their values; for cmocka_unit_test_setup(). */
int page_json_start(void **state);
struct page_snapshot snapshot_of(void);

/* The document of that name; the caller releases it. */
struct json_object *read_document(const struct page_snapshot *snapshot, const char *name);
/* The value at a path such as "incidents.0.name"; as text; the length of a list. */
struct json_object *find(struct json_object *root, const char *path);
const char *text_at(struct json_object *root, const char *path);
size_t length_at(struct json_object *root, const char *path);

#define assert_text(root, path, text) assert_string_equal(text, text_at(root, path))

#endif
