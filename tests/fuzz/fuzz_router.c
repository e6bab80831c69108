/* A request's path, from its bytes to its route. */
#include "base/secret.h"
#include "fuzz/fuzz.h"
#include "http/router.h"
#include "unit/lib/fake_gateway.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct route routes[] = {
		{ .method = "GET", .pattern = "/api/v1/status-pages" },
		{ .method = "GET", .pattern = "/api/v1/status-pages/{id}" },
		{ .method = "GET", .pattern = "/s/{slug}/{file}" },
	};
	static const struct config config = { .trusted_proxies = "" };
	struct arena arena;
	struct request request;
	struct route_match match = { 0 };
	struct error error = { 0 };
	secret_init();
	arena_init(&arena, 1 << 20);
	char *uri = arena_strndup(&arena, (const char *)data, size < 8192 ? size : 8192);
	struct fake_gateway fake = {
		FAKE_GATEWAY, { { "REQUEST_URI", uri }, { "HTTP_HOST", uri } }, { 0 }, 0, false
	};
	if (request_read(&request, &fake.gateway, &config, &arena, &error) == OK) {
		bool has_id = false;
		for (size_t i = 0; i < ARRAY_LEN(routes); i++)
			has_id |= router_try(&match, &routes[i], &request) && i == 1;
		MUST_HOLD((router_result(&match) == OK) == match.is_found);
		MUST_HOLD(!match.is_found || match.pattern);
		MUST_HOLD(!has_id || match.id > 0);
	}
	MUST_HOLD(!strpbrk(request.base_url, "\r\n\"<> "));
	arena_done(&arena);
	return 0;
}
