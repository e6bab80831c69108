#include "view/words/words_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "base/fd.h"
#include "base/secret.h"
#include "base/str.h"
#include "view/words/time_text_cache.h"

enum { TABLES_MAX_BYTES = 2 << 20 };

/* A copy of a language's table with the sentences of the file, so that looking up a sentence takes
 * no longer than without a file. */
struct table {
	struct words words;
	const char *sentences[SENTENCES][PLURALS];
};

struct reading {
	const char *path;
	size_t line;
	struct arena arena;
	/* in the order of words_tables; an element is NULL if the file does not change the table */
	struct table **tables;
	struct table *table; /* the table of the language whose section is read; NULL: none yet */
	const struct words *original;
	struct error *error;
};

static struct arena kept; /* owns the operator's sentences that are in use */
static bool is_kept;
static char id[WORDS_FILE_ID_CHARS + 1];

static enum result refuse(const struct reading *reading, struct str key, const char *why)
{
	return error_client(reading->error, E_INVALID, "%.100s:%zu: %.*s: %s", reading->path,
			    reading->line, (int)(key.len < 40 ? key.len : 40), key.data, why);
}

static size_t count_of(const char *text, const char *part)
{
	size_t count = 0;
	for (; (text = strstr(text, part)); text += strlen(part))
		count++;
	return count;
}

static bool has_values_of(const char *text, const char *original, struct arena *arena)
{
	if (count_of(text, "{") != count_of(original, "{") ||
	    count_of(text, "}") != count_of(original, "}"))
		return false;
	for (const char *at = original; (at = strchr(at, '{')); at++) {
		const char *value = arena_strndup(arena, at, strcspn(at, "}") + 1);
		if (count_of(text, value) != count_of(original, value))
			return false;
	}
	return true;
}

/* Returns whether the sentence is used as a value of other sentences, or by the page's script. */
static bool is_time(enum sentence sentence)
{
	return sentence >= SAY_TIME && sentence <= SAY_DURATION_SECONDS;
}

static const char *fault_of(struct reading *reading, enum sentence sentence, const char *text)
{
	const char *original = words_say(reading->original, sentence);
	if (text[0] == '\0' || strlen(text) > WORDS_FILE_TEXT_MAX)
		return "needs a text of at most 500 bytes";
	if (is_time(sentence) && strlen(text) > WORDS_FILE_TIME_MAX)
		return "needs a text of at most 100 bytes";
	if (!has_values_of(text, original, &reading->arena))
		return "needs the values in braces of the original, and no others";
	if (strpbrk(text, "$|") &&
	    (is_time(sentence) || sentence == SAY_DAY_IS || sentence == SAY_OWN_TIME))
		return "cannot have $ or |";
	return is_time(sentence) && strpbrk(text, "<>&\"'") ? "cannot have <, >, & or quotes"
							    : NULL;
}

/* Returns the plural category with a name such as "few"; PLURALS: there is none. */
static enum plural plural_named(struct str name)
{
	static const char *const names[PLURALS] = { "other", "zero", "one", "two", "few", "many" };
	size_t plural = 0;
	while (plural < PLURALS && !str_eq(name, str_from(names[plural])))
		plural++;
	return (enum plural)plural;
}

static enum sentence sentence_named(struct str key)
{
	size_t sentence = 0;
	while (sentence < SENTENCES && !str_eq(key, str_from(words_keys[sentence])))
		sentence++;
	return (enum sentence)sentence;
}

static enum result replace(struct reading *reading, struct str key, const char *text)
{
	struct str form = key, name;
	str_split(&form, '.', &name);
	enum sentence sentence = sentence_named(name);
	enum plural only = name.len < key.len ? plural_named(form) : PLURALS;
	if (!reading->table)
		return refuse(reading, key, "stands before a language such as [en]");
	if (sentence == SENTENCES)
		return refuse(reading, key, "no sentence has this key");
	if (name.len < key.len &&
	    (only == PLURALS || !reading->original->sentences[sentence][only]))
		return refuse(reading, key, "the sentence has no such form in this language");
	const char *fault = fault_of(reading, sentence, text);
	if (fault)
		return refuse(reading, key, fault);
	for (size_t plural = 0; plural < PLURALS; plural++)
		if (reading->original->sentences[sentence][plural] &&
		    (only == PLURALS || only == plural))
			reading->table->sentences[sentence][plural] = text;
	return OK;
}

static struct table *copy_table(const struct words *words, struct arena *arena)
{
	struct table *table = ARENA_NEW(arena, struct table);
	table->words = *words;
	memcpy(table->sentences, words->sentences, sizeof(table->sentences));
	table->words.sentences = table->sentences;
	return table;
}

static enum result begin_language(struct reading *reading, struct str line)
{
	struct str name = { line.data + 1, line.len - 2 };
	for (size_t i = 0; i < words_table_count; i++) {
		if (!str_eq(name, str_from(words_tables[i]->language)))
			continue;
		if (!reading->tables[i])
			reading->tables[i] = copy_table(words_tables[i], &reading->arena);
		reading->table = reading->tables[i];
		reading->original = words_tables[i];
		return OK;
	}
	return refuse(reading, line, "no page can have this language");
}

static enum result read_line(struct reading *reading, struct str line)
{
	struct str rest = str_trim(line), key;
	reading->line++;
	if (rest.len == 0 || rest.data[0] == '#')
		return OK;
	if (rest.data[0] == '[' && rest.data[rest.len - 1] == ']')
		return begin_language(reading, rest);
	struct str whole = rest;
	str_split(&rest, '=', &key);
	if (key.len == whole.len)
		return refuse(reading, whole, "not a `key = text` line");
	struct str text = str_trim(rest);
	return replace(reading, str_trim(key),
		       arena_strndup(&reading->arena, text.data ? text.data : "", text.len));
}

static enum result read_file(struct reading *reading, struct str *text)
{
	int fd CLEANUP(close_fd) = open(reading->path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || !fd_read_file(fd, WORDS_FILE_MAX_BYTES, &reading->arena, text))
		return error_client(reading->error, E_INVALID, "[pages] words_file: %.100s: %s",
				    reading->path, strerror(errno));
	if (!str_is_text(*text))
		return error_client(reading->error, E_INVALID,
				    "[pages] words_file: %.100s is not UTF-8", reading->path);
	reading->tables = ARENA_ARRAY(&reading->arena, words_table_count, struct table *);
	enum result result = OK;
	struct str rest = *text, line;
	while (result == OK && str_split(&rest, '\n', &line))
		result = read_line(reading, line);
	return result;
}

static void put_in_force(struct reading *reading, struct str text)
{
	for (size_t i = 0; i < words_table_count; i++)
		words_replace(i, reading->tables && reading->tables[i] ? &reading->tables[i]->words
								       : NULL);
	time_text_forget();
	id[0] = '\0';
	if (reading->path)
		memcpy(id, secret_digest_fast(&reading->arena, &text, 1), WORDS_FILE_ID_CHARS);
	if (is_kept)
		arena_done(&kept);
	kept = reading->arena;
	is_kept = true;
}

enum result words_file_load(const char *path, struct error *error)
{
	struct reading reading = { .path = path, .error = error };
	struct str text = { 0 };
	arena_init(&reading.arena, TABLES_MAX_BYTES);
	enum result result = path ? read_file(&reading, &text) : OK;
	if (result == OK)
		put_in_force(&reading, text);
	else
		arena_done(&reading.arena);
	return result;
}

const char *words_file_id(void)
{
	return id;
}
