/*
 * write_samples FOLDER [LANGUAGE]: writes the sample pages, for tests/page/samples.cjs and for
 * looking at: SAMPLE/index.html, its style and script, 404.html, and incidents/ID.html.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/attr.h"
#include "unit/view/samples.h"
#include "view/page.h"

static void write_file(const char *folder, const char *name, const char *text)
{
	char path[4096];
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	FILE *file = fopen(path, "w");
	if (!file || fputs(text, file) < 0 || fclose(file) != 0)
		err(1, "%s", path);
}

static void write_sample(const struct sample *sample, const char *top, const char *language,
			 struct arena *arena)
{
	struct page_snapshot snapshot = sample->make(arena);
	struct buf out = BUF_INIT(PAGE_FILE_MAX_BYTES);
	const char *folder = arena_printf(arena, "%s/%s", top, sample->name);
	if (language)
		snapshot.page.language = language;
	mkdir(folder, 0755);
	mkdir(arena_printf(arena, "%s/incidents", folder), 0755);
	page_html(&out, &snapshot, arena);
	write_file(folder, "index.html", out.data);
	for (size_t i = 0; i < snapshot.incident_count; i++) {
		if (!page_incident_has_text(&snapshot.incidents[i]))
			continue;
		buf_clear(&out);
		page_incident(&out, &snapshot, &snapshot.incidents[i], arena);
		write_file(folder,
			   arena_printf(arena, "%s.html",
					page_incident_path(&snapshot.incidents[i].row, arena)),
			   out.data);
	}
	if (snapshot.month_count > 0) {
		snapshot.months[0].incidents = snapshot.incidents;
		snapshot.months[0].incident_count = snapshot.months[0].total =
			snapshot.incident_count;
		buf_clear(&out);
		page_history(&out, &snapshot, 0, arena);
		write_file(folder, "2026-11.html", out.data);
	}
	page_report_find_months(&snapshot, arena);
	if (snapshot.report_count > 0) {
		struct page_report report;
		page_report_make(&report, &snapshot, snapshot.reports, arena);
		buf_clear(&out);
		page_report(&out, &snapshot, &report, snapshot.reports, arena);
		write_file(folder, page_report_file(arena, snapshot.reports, "html"), out.data);
		write_file(folder, page_asset_name(PAGE_REPORT_STYLE),
			   page_asset(PAGE_REPORT_STYLE));
	}
	buf_clear(&out);
	page_feed_html(&out, &snapshot, arena);
	write_file(folder, "feed.html", out.data);
	buf_clear(&out);
	page_error(&out, &snapshot, arena);
	write_file(folder, PAGE_ERROR_FILE, out.data);
	buf_clear(&out);
	page_style_of(&out, &snapshot.page);
	write_file(folder, page_style_name_of(&snapshot.page, arena), out.data);
	if (snapshot.page.custom_css)
		write_file(folder, page_custom_name(arena, snapshot.page.custom_css, "css"),
			   snapshot.page.custom_css);
	write_file(folder, page_asset_name(PAGE_SCRIPT), page_asset(PAGE_SCRIPT));
	buf_done(&out);
}

int main(int argc, char **argv)
{
	enum { ARENA_MAX_BYTES = 256 << 20 };
	if (argc != 2 && argc != 3)
		errx(2, "usage: write_samples FOLDER [LANGUAGE]");
	mkdir(argv[1], 0755);
	for (size_t i = 0; i < sample_count; i++) {
		struct arena arena CLEANUP(arena_done);
		arena_init(&arena, ARENA_MAX_BYTES);
		write_sample(&samples[i], argv[1], argv[2], &arena);
	}
	return 0;
}
