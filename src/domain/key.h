/* The rules of an API key's fields. */
#ifndef DOMAIN_KEY_H
#define DOMAIN_KEY_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/clock.h"

enum { KEY_LABEL_MAX_CHARS = 255 };

/* The label in its stored form, "" for none (NULL); NULL: it is empty or too long. */
const char *key_label(struct arena *arena, const char *text);

#endif
