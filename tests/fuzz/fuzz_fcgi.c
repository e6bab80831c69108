/* What comes over the FastCGI socket, before libfcgi reads it: in one piece, and as it arrives. */
#include "fuzz/fuzz.h"
#include "http/fcgi_guard.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	enum fcgi_sight former = FCGI_IS_PART;
	for (size_t len = 8; len <= size; len++) {
		/* A copy, so that a read behind its end is found. */
		uint8_t *bytes = malloc(len);
		memcpy(bytes, data, len);
		enum fcgi_sight sight = fcgi_look(bytes, len);
		free(bytes);
		/* More bytes complete a request or spoil it, and change nothing afterwards. */
		MUST_HOLD(former == FCGI_IS_PART || sight == former);
		former = sight;
	}
	return 0;
}
