/* The bodies that an origin sends to a mirror: manifests, parts of files, and the site. */
#include "fuzz/fuzz.h"

#include "mirror/manifest.h"
#include "mirror/protocol.h"
#include "mirror/protocol_part.h"
#include "mirror/shared_data.h"

static void parse_manifest(struct str body, struct arena *arena)
{
	struct error error = { 0 };
	struct manifest manifest, again;
	struct buf out = BUF_INIT(PROTOCOL_BODY_MAX);
	if (manifest_parse(body, arena, &manifest, &error) != OK) {
		MUST_HOLD(error.client[0] != '\0');
		return;
	}
	for (size_t i = 0; i < manifest.count; i++) {
		const struct page_copy *page = &manifest.pages[i];
		for (size_t at = 0; at < page->file_count; at++) {
			MUST_HOLD(!strchr(page->files[at].name, '/'));
			MUST_HOLD(page->files[at].name[0] != '.');
		}
		MUST_HOLD(page->is_gone || (!strchr(page->slug, '/') && page->slug[0] != '.'));
		MUST_HOLD(!page->domain || (!strchr(page->domain, '/') && page->domain[0] != '.'));
		manifest_print(&out, page);
	}
	const struct str printed = { out.data ? out.data : "", out.len };
	MUST_HOLD(!buf_ok(&out) || manifest_parse(printed, arena, &again, &error) == OK);
	buf_done(&out);
}

static void parse_parts(struct str body)
{
	struct error error = { 0 };
	struct protocol_part part;
	struct str rest = body;
	enum result result;
	while ((result = protocol_part_next(&rest, &part, &error)) == OK) {
		MUST_HOLD(part.offset + part.data.len <= part.size);
		MUST_HOLD(part.data.data >= body.data);
		MUST_HOLD(part.data.data + part.data.len <= body.data + body.len);
	}
	MUST_HOLD(result == E_NOT_FOUND ? rest.len == 0 : error.client[0] != '\0');
}

static void parse_site(struct str body, struct arena *arena)
{
	struct error error = { 0 };
	struct shared_data site;
	if (shared_data_parse(body, arena, &site, &error) == OK) {
		MUST_HOLD(strlen(site.secret) == 64);
		MUST_HOLD(site.count <= FORMER_LISTS);
	}
	/* A line of a list. */
	struct former_line line;
	if (former_line_parse(body, arena, &line))
		MUST_HOLD(!strchr(line.name, '/') && line.name[0] != '.' && line.page_id > 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena arena;
	arena_init(&arena, (size_t)256 << 20);
	parse_manifest(fuzz_str(data, size), &arena);
	parse_parts(fuzz_str(data, size));
	parse_site(fuzz_str(data, size), &arena);
	arena_done(&arena);
	return 0;
}
