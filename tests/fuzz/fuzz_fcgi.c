/* What comes over the FastCGI socket: whole, and in single bytes. */
#include "fuzz/fuzz.h"
#include "http/fcgi_input.h"

enum { BODY_MAX_BYTES = 64 };

/* How many requests came, and whether the connection was kept to the end. */
struct outcome {
	size_t requests;
	size_t bytes;
	enum fcgi_state state;
};

static struct outcome run(const uint8_t *data, size_t size, size_t piece)
{
	struct outcome outcome = { 0 };
	struct fcgi_input input;
	struct str rest = fuzz_str(data, size);
	fcgi_input_init(&input, BODY_MAX_BYTES);
	while (rest.len > 0 && outcome.state != FCGI_IS_BROKEN) {
		struct str bytes = { rest.data, rest.len < piece ? rest.len : piece };
		size_t before = bytes.len;
		outcome.state = fcgi_feed(&input, &bytes);
		rest = str_skip(rest, before - bytes.len);
		if (outcome.state != FCGI_HAS_REQUEST)
			continue;
		struct fcgi_request request;
		fcgi_take(&input, &request);
		MUST_HOLD(request.body.len <= BODY_MAX_BYTES + 1);
		const char *value = fcgi_variable(&request, "A");
		outcome.requests++;
		outcome.bytes += request.body.len + (value ? strlen(value) : 0);
		fcgi_request_done(&request);
	}
	fcgi_input_done(&input);
	return outcome;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct outcome whole = run(data, size, size + 1);
	struct outcome bytes = run(data, size, 1);
	MUST_HOLD(whole.requests == bytes.requests && whole.bytes == bytes.bytes);
	MUST_HOLD((whole.state == FCGI_IS_BROKEN) == (bytes.state == FCGI_IS_BROKEN));
	return 0;
}
