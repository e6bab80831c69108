/*
 * The descriptors of the pages folder and of its places, which a process opens once and keeps. Only
 * for publish/folder/pages_dir.c and pages_lock.c.
 */
#ifndef PUBLISH_FOLDER_PAGES_FOLDERS_H
#define PUBLISH_FOLDER_PAGES_FOLDERS_H

#include "publish/folder/pages_dir.h"

enum { PAGES_LOCK_FILES = 64 };

/* Writes the name of the lock file with this number, and returns it. The number is below
 * PAGES_LOCK_FILES. */
const char *pages_lock_name(int number, char name[16]);
/* Opens a lock file, and creates it if it does not exist. -1: see errno. */
int pages_lock_open(int lock_fd, const char *name);

#endif
