/* Pictures: no bytes make the walk leave them. */
#include "domain/page/image.h"
#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct image image;
	bool is_image = image_identify(data, size, &image);
	MUST_HOLD(is_image == (image.type != IMAGE_NONE));
	MUST_HOLD(!is_image || (image.width_px > 0 && image.height_px > 0));
	return 0;
}
