/* Content-Type and Content-Disposition values. */
#include "fuzz/fuzz.h"
#include "wire/mediatype.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct mediatype mediatype;
	struct header_params params;
	struct header_param param;
	mediatype_parse(fuzz_str(data, size), &mediatype);
	if (mediatype.type == BODY_MULTIPART) {
		MUST_HOLD(mediatype.boundary[0] != '\0');
		MUST_HOLD(!strpbrk(mediatype.boundary, "\r\n"));
	}
	header_value(fuzz_str(data, size), &params);
	while (header_next_param(&params, &param)) {
		MUST_HOLD(param.name.len > 0);
		MUST_HOLD(param.value.len <= sizeof(param.storage));
	}
	return 0;
}
