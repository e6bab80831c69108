#include "ctl/incident/incident_input.h"

#include <string.h>

#include "view/json/incident_json.h"
#include "wire/json.h"

static void note_sent(size_t place, struct field_set *sent)
{
	if (sent)
		field_set_add(sent, place);
}

int incident_read_time(struct ctl *ctl, const char *option, struct instant *at, size_t place,
		       struct field_set *sent)
{
	const char *text = ctl_option(ctl, option);
	if (!text)
		return CTL_OK;
	*at = strcmp(text, "now") == 0 ? clock_now() : (struct instant){ 0 };
	if (*text && at->s == 0 && !instant_parse(str_from(text), at))
		return ctl_usage(ctl, "--%s must be a time such as 2026-11-20T19:58:30Z, or now",
				 option);
	note_sent(place, sent);
	return CTL_OK;
}

int incident_read_promise(struct ctl *ctl, struct instant *at, size_t place, struct field_set *sent)
{
	static const char option[] = "next-update";
	int64_t seconds;
	const char *text = ctl_option(ctl, option);
	if (!text || !ctl_duration(text, &seconds))
		return incident_read_time(ctl, option, at, place, sent);
	*at = (struct instant){ clock_now().s + seconds };
	note_sent(place, sent);
	return CTL_OK;
}

int incident_read_word(struct ctl *ctl, const char *option, const char *const *words, int *value,
		       size_t place, struct field_set *sent)
{
	const char *text = ctl_option(ctl, option), *all = "";
	if (!text)
		return CTL_OK;
	for (int i = 0; words[i]; i++) {
		all = arena_printf(&ctl->arena, "%s%s%s", all, i > 0 ? ", " : "", words[i]);
		if (strcmp(words[i], text) != 0)
			continue;
		*value = i;
		note_sent(place, sent);
		return CTL_OK;
	}
	return ctl_usage(ctl, "--%s must be one of: %s", option, all);
}

int incident_read_ids(struct ctl *ctl, const char *option, struct id_list *ids, size_t place,
		      struct field_set *sent)
{
	const char *text = ctl_option(ctl, option);
	struct str rest = str_from(text), item;
	size_t room = 1;
	if (!text)
		return CTL_OK;
	for (const char *c = text; *c; c++)
		room += *c == ',';
	*ids = (struct id_list){ .ids = ARENA_ARRAY(&ctl->arena, room, int64_t) };
	while (str_split(&rest, ',', &item)) {
		int64_t id;
		bool is_known = false;
		if (!str_to_int64(str_trim(item), &id) || id < 1)
			return ctl_usage(ctl, "--%s must be ids, separated by commas", option);
		for (size_t i = 0; i < ids->count; i++)
			is_known |= ids->ids[i] == id;
		if (!is_known)
			ids->ids[ids->count++] = id;
	}
	if (ids->count > INCIDENT_MONITORS_MAX)
		return ctl_usage(ctl, "--%s must be at most %d ids", option, INCIDENT_MONITORS_MAX);
	note_sent(place, sent);
	return CTL_OK;
}

struct json_object *incident_tree(struct ctl *ctl, const struct incident *incident, bool is_whole)
{
	struct incident shown = *incident;
	shown.url = incident_url(&shown, ctl->config.base_url, &ctl->arena);
	return is_whole ? incident_shown_json(&shown, clock_now())
			: incident_json(&shown, clock_now());
}

int incident_finish(struct ctl *ctl, const struct service *service, enum result result,
		    const struct incident *incident, const char *sentence)
{
	if (result != OK)
		return ctl_fail_find(ctl, result, "incident", ctl->arguments[0]);
	int status = ctl_published(ctl, service);
	if (status != CTL_OK)
		return status;
	ctl_say(ctl, incident_tree(ctl, incident, true), "%s", sentence);
	return CTL_OK;
}
