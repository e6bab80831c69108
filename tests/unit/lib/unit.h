/* What every unit test includes first: cmocka and the headers that it needs. */
#ifndef UNIT_LIB_UNIT_H
#define UNIT_LIB_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/attr.h"

#include "base/arena.h"

#define RUN(tests) cmocka_run_group_tests(tests, NULL, NULL)

/* Whether the function ends the program by die(). */
bool dies(void (*function)(void));

/* For groups whose tests share an arena. */
extern struct arena arena;
int arena_start(void **state);
int arena_end(void **state);
#define RUN_WITH_ARENA(tests) cmocka_run_group_tests(tests, arena_start, arena_end)

/* For groups whose tests share a temporary folder, and an arena. */
extern char test_folder[];
extern int test_folder_fd;
int folder_start(void **state);
/* Removes the folder with all that is in it. */
int folder_end(void **state);
void folder_remove(void);
/* Writes a file of the folder. */
void folder_write_text(const char *path, const char *text);

#endif
