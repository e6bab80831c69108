#include "domain/monitor.h"

#include <string.h>

#include "base/str.h"
#include "domain/short_text.h"
#include "domain/web_url.h"

const char *monitor_name(struct arena *arena, const char *text)
{
	return short_text(arena, text, MONITOR_NAME_MAX_CHARS);
}

bool monitor_url_is_valid(const char *url)
{
	return str_is_text(str_from(url)) && web_url_is_valid(url);
}

const char *monitor_label(struct arena *arena, const char *text)
{
	const char *label = short_text(arena, text, MONITOR_LABEL_MAX_CHARS);
	const char *equals = label ? strchr(label, '=') : NULL;
	return equals && equals != label && equals[1] != '\0' ? label : NULL;
}
