/* The field json_path of a check. */
#include <stdio.h>

#include "domain/monitor/check_path.h"
#include "fuzz/fuzz.h"

enum { TEXT_SIZE = 512 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[TEXT_SIZE], again[2 * TEXT_SIZE] = "";
	struct check_path_step step;
	size_t len = 0, steps = 0;
	if (size >= sizeof(path) || memchr(data, '\0', size))
		return 0;
	memcpy(path, data, size);
	path[size] = '\0';
	struct str rest = check_path_begin(path);
	bool is_text_left = rest.len > 0;
	while (check_path_next(&rest, &step)) {
		len += (size_t)(step.name.data ? snprintf(again + len, sizeof(again) - len,
							  "%s%.*s", steps > 0 ? "." : "",
							  (int)step.name.len, step.name.data)
					       : snprintf(again + len, sizeof(again) - len, "[%zu]",
							  step.index));
		steps++;
	}
	MUST_HOLD(check_path_is_valid(path) == (is_text_left && rest.len == 0));
	/* The steps of a valid path make the same path, but for "$." at its front. */
	if (check_path_is_valid(path))
		MUST_HOLD(strcmp(path + (size - len), again) == 0);
	return 0;
}
