/*
 * A set of fields of a field table, such as the fields that a request has sent. The set stores the
 * indexes of the rows of these fields, from 0. A set is small, and is passed by value. { 0 } is the
 * empty set.
 */
#ifndef BASE_FIELD_SET_H
#define BASE_FIELD_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"

enum {
	FIELD_SET_WORDS = 3,
	FIELD_SET_MAX = 64 * FIELD_SET_WORDS, /* the most rows of a form */
};

struct field_set {
	uint64_t words[FIELD_SET_WORDS];
};

#define FIELD_SET_NONE field_set_first(0)
/* All indexes from 0 to FIELD_SET_MAX - 1, also if the table has fewer rows. */
#define FIELD_SET_ALL  field_set_first(FIELD_SET_MAX)

/* A set of one or more indexes, such as FIELD_SET(2, 5). */
#define FIELD_SET(...) \
	field_set_of((const size_t[]){ __VA_ARGS__ }, \
		     sizeof((const size_t[]){ __VA_ARGS__ }) / sizeof(size_t))

static inline bool field_set_has(struct field_set set, size_t place)
{
	return set.words[place / 64] >> place % 64 & 1;
}

static inline void field_set_add(struct field_set *set, size_t place)
{
	set->words[place / 64] |= UINT64_C(1) << place % 64;
}

static inline void field_set_remove(struct field_set *set, size_t place)
{
	set->words[place / 64] &= ~(UINT64_C(1) << place % 64);
}

static inline struct field_set field_set_of(const size_t *places, size_t count)
{
	struct field_set set = { 0 };
	for (size_t i = 0; i < count; i++)
		field_set_add(&set, places[i]);
	return set;
}

/* The places 0 to count - 1. */
static inline struct field_set field_set_first(size_t count)
{
	struct field_set set = { 0 };
	for (size_t i = 0; i < count; i++)
		field_set_add(&set, i);
	return set;
}

static inline bool field_set_is_empty(struct field_set set)
{
	uint64_t all = 0;
	for (size_t i = 0; i < FIELD_SET_WORDS; i++)
		all |= set.words[i];
	return all == 0;
}

static inline bool field_set_equals(struct field_set one, struct field_set other)
{
	bool is_same = true;
	for (size_t i = 0; i < FIELD_SET_WORDS; i++)
		is_same &= one.words[i] == other.words[i];
	return is_same;
}

static inline struct field_set field_set_or(struct field_set one, struct field_set other)
{
	for (size_t i = 0; i < FIELD_SET_WORDS; i++)
		one.words[i] |= other.words[i];
	return one;
}

static inline struct field_set field_set_and(struct field_set one, struct field_set other)
{
	for (size_t i = 0; i < FIELD_SET_WORDS; i++)
		one.words[i] &= other.words[i];
	return one;
}

/* The indexes that are in `one` but not in `other`. */
static inline struct field_set field_set_without(struct field_set one, struct field_set other)
{
	for (size_t i = 0; i < FIELD_SET_WORDS; i++)
		one.words[i] &= ~other.words[i];
	return one;
}

#endif
