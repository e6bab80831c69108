/* A folder of published pages for each test, which tests/integration/run removes, and a publisher
 * to it. */
#ifndef INTEGRATION_LIB_PAGES_H
#define INTEGRATION_LIB_PAGES_H

#include "integration/lib/database.h"

#include "publish/publish.h"

enum { FOLDER_MAX_BYTES = 256 };

/* Makes another empty folder, and writes its path. */
void make_pages_folder(char path[FOLDER_MAX_BYTES]);

/* Before each test: an empty database and an empty folder. */
extern char pages_folder[FOLDER_MAX_BYTES];
int pages_clear(void **state);
#define PAGES_TEST(function) cmocka_unit_test_setup(function, pages_clear)

/* Publishes to the folder at 10:00 of 5 March 2026. */
struct publisher publisher(void);
void publish(int64_t page);

/*
 * Of a file in the folder: its whole path; whether it exists; its text, or "" for a missing file.
 */
const char *path_of(const char *path);
bool is_published(const char *path);
const char *published(const char *path);
/* A missing file fails the test. */
const char *text_of(const char *path);
#define assert_shows(path, what) assert_non_null(strstr(text_of(path), what))
#define assert_hides(path, what) assert_null(strstr(text_of(path), what))

#endif
