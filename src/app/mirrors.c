#include "app/mirrors.h"

#include "mirror/mirror_state.h"

static bool open_mirrors(struct exchange *exchange, struct pages_dir *dir, struct mirrors *mirrors)
{
	struct error ignored = { 0 };
	*mirrors = (struct mirrors){ 0 };
	return exchange->config->mirror_count > 0 &&
	       mirrors_parse(exchange->config, &exchange->arena, mirrors, &ignored) == OK &&
	       pages_dir_open(dir, exchange->config->pages_dir, &ignored) == OK;
}

void exchange_tell_mirrors(struct exchange *exchange)
{
	struct pages_dir dir CLEANUP(pages_dir_close) = PAGES_DIR_CLOSED;
	struct mirrors mirrors;
	struct error ignored = { 0 };
	const char *names = "";
	int64_t tightened = exchange->service.publishing.tightened_page;
	int64_t page_id = tightened ? tightened : exchange->service.publishing.updated_page;
	if (page_id == 0 || !open_mirrors(exchange, &dir, &mirrors))
		return;
	for (size_t i = 0; i < mirrors.count; i++) {
		const struct mirror *mirror = &mirrors.rows[i];
		bool lags;
		/* If the mirror's state file cannot be read, assume that the mirror still shows the
		 * page. */
		if ((tightened ? mirror_lags : mirror_shows_more)(
			    &dir, mirror, page_id, &exchange->arena, &lags, &ignored) != OK ||
		    lags)
			names = arena_printf(&exchange->arena, "%s%s%s", names, names[0] ? " " : "",
					     mirror->name);
	}
	if (names[0])
		response_header(&exchange->response, "X-Daymark-Mirrors", "pending;names=\"%s\"",
				names);
}

size_t mirrors_in_trouble(struct exchange *exchange, struct mirror_trouble **rows)
{
	struct pages_dir dir CLEANUP(pages_dir_close) = PAGES_DIR_CLOSED;
	struct mirrors mirrors;
	size_t count = 0;
	if (!open_mirrors(exchange, &dir, &mirrors))
		return 0;
	*rows = ARENA_ARRAY(&exchange->arena, mirrors.count, struct mirror_trouble);
	for (size_t i = 0; i < mirrors.count; i++) {
		struct mirror_report report;
		mirror_report(&dir, &mirrors.rows[i], &report);
		if (report.trouble)
			(*rows)[count++] =
				(struct mirror_trouble){ mirrors.rows[i].name, report.trouble };
	}
	return count;
}

struct json_object *mirrors_tree(struct exchange *exchange)
{
	struct pages_dir dir CLEANUP(pages_dir_close) = PAGES_DIR_CLOSED;
	struct json_object *array = json_array_tree();
	struct mirrors mirrors;
	if (!open_mirrors(exchange, &dir, &mirrors))
		return array;
	for (size_t i = 0; i < mirrors.count; i++) {
		struct json_object *tree = json_object_tree();
		struct mirror_report report;
		mirror_report(&dir, &mirrors.rows[i], &report);
		json_put_text(tree, "name", report.mirror->name);
		json_put_int_or_null(tree, "age_s", report.age_s >= 0, report.age_s);
		json_put_int_or_null(tree, "pages_waiting", report.status.waiting >= 0,
				     report.status.waiting);
		json_put_text(tree, "error", report.trouble);
		json_append(array, tree);
	}
	return array;
}

void mirrors_print_metrics(struct exchange *exchange, const struct metrics_output *output)
{
	static const enum metric metrics[] = { METRIC_MIRROR_BEHIND, METRIC_MIRROR_WAITING };
	struct pages_dir dir CLEANUP(pages_dir_close) = PAGES_DIR_CLOSED;
	struct mirrors mirrors;
	if (!open_mirrors(exchange, &dir, &mirrors))
		return;
	for (size_t m = 0; m < ARRAY_LEN(metrics); m++) {
		metrics_print_head(output, metrics[m]);
		for (size_t i = 0; i < mirrors.count; i++) {
			const char *const labels[METRIC_LABELS_MAX] = { mirrors.rows[i].name };
			struct mirror_report report;
			mirror_report(&dir, &mirrors.rows[i], &report);
			int64_t value = metrics[m] == METRIC_MIRROR_BEHIND ? report.age_s
									   : report.status.waiting;
			if (value >= 0)
				metrics_print_value(output, metrics[m], labels, value);
		}
	}
}
