#include "probe/json_path.h"

#include <stdio.h>
#include <string.h>

#include "base/attr.h"
#include "base/buf.h"
#include "domain/monitor/check_path.h"
#include "probe/excerpt.h"
#include "wire/json.h"
#include "wire/json_read.h"
#include "wire/json_reader.h"

/* The limits for a response; 20,000 containers take 20 MB of memory. See WIRE_JSON_*. */
static const struct json_limits limits = { "A response", { 1 << 20, 20000, 100000 }, 32 };

static enum result read_body(struct str body, struct json_object **root)
{
	struct json_reader reader CLEANUP(json_reader_done);
	struct error error = { 0 };
	*root = NULL;
	enum result result = json_reader_init(&reader, body, &limits, &error);
	if (result == OK)
		result = json_reader_value(&reader, root);
	return result == OK ? json_reader_end(&reader) : result;
}

static bool find(struct json_object *root, const char *path, struct json_object **value)
{
	struct str rest = check_path_begin(path);
	struct check_path_step step;
	*value = root;
	while (check_path_next(&rest, &step)) {
		char name[4 * 255 + 1]; /* a name of json_path has at most 255 characters */
		if (!step.name.data && step.index >= json_length(*value))
			return false;
		if (!step.name.data) {
			*value = json_item(*value, step.index);
			continue;
		}
		snprintf(name, sizeof(name), "%.*s", (int)step.name.len, step.name.data);
		if (!json_find(*value, name, value))
			return false;
	}
	return rest.len == 0;
}

static bool compare(const char *found, int operator, const char * wanted)
{
	double number = 0, limit = 0;
	bool are_numbers = check_number_read(found, &number) && check_number_read(wanted, &limit);
	/* Compilers warn of `==` between floating-point numbers, so this uses `<` and `>`. */
	bool is_equal = strcmp(found, wanted) == 0 ||
			(are_numbers && !(number < limit) && !(number > limit));
	switch (operator) {
	case CHECK_EQUAL:
		return is_equal;
	case CHECK_NOT_EQUAL:
		return !is_equal;
	case CHECK_LESS:
		return are_numbers && number < limit;
	default:
		return are_numbers && number > limit;
	}
}

/* Prints a string without quotes, and any other value as JSON. */
static void print_value(struct buf *text, struct json_object *value)
{
	struct arena arena CLEANUP(arena_done);
	arena_init(&arena, 2 * limits.most.bytes);
	const char *string = value ? json_text(value, &arena) : "null";
	if (string)
		buf_puts(text, string);
	else
		json_print(text, value);
}

static bool judge(struct json_object *value, const struct check_settings *settings,
		  const char *path, struct buf *cause)
{
	static const char *const demands[] = { "not ", NULL, "not below ", "not above " };
	struct buf text CLEANUP(buf_done) = BUF_INIT(2 * limits.most.bytes);
	const char *wanted = settings->json_value ? settings->json_value : "";
	const char *demand = demands[settings->json_operator];
	struct excerpt found;
	print_value(&text, value);
	/* Add a NUL. Without it, the data of an empty text would be NULL. */
	buf_add(&text, "", 1);
	cause->is_failed |= !buf_ok(&text);
	if (!buf_ok(&text))
		return false;
	if (compare(text.data, settings->json_operator, wanted))
		return true;
	excerpt_make(&found, str_from(text.data));
	buf_printf(cause, "%s is \"%s\"", path, found.text);
	excerpt_make(&found, str_from(wanted));
	if (demand)
		buf_printf(cause, ", %s\"%s\"", demand, found.text);
	return false;
}

bool json_path_holds(struct str body, const struct check_settings *settings, struct buf *cause)
{
	struct json_object *root, *value;
	struct excerpt path;
	bool holds = false;
	excerpt_make(&path, str_from(settings->json_path));
	enum result result = read_body(body, &root);
	if (result == E_BUSY)
		cause->is_failed = true;
	else if (result != OK)
		buf_puts(cause, "the response is not valid JSON");
	else if (!find(root, settings->json_path, &value))
		buf_printf(cause, "the response has no %s", path.text);
	else
		holds = judge(value, settings, path.text, cause);
	json_free(root);
	return holds;
}
