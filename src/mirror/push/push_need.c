/* Explains why a mirror waits for a person, or for the background loop. */
#include "mirror/push/push_round.h"
#include "publish/folder/filled.h"

enum mirror_need push_need(const struct pusher *pusher)
{
	if (!filled_is(&pusher->dir))
		return MIRROR_NEED_FILL;
	if (pusher->target.has_other_origin)
		return MIRROR_NEED_TAKE_OVER;
	if (pusher->unconfirmed_count > 0)
		return MIRROR_NEED_CONFIRM;
	return pusher->target.has_other_key ? MIRROR_NEED_KEY : MIRROR_NEED_NONE;
}

enum result push_explain_need(const struct pusher *pusher, struct error *error)
{
	const char *text = mirror_need_text(pusher->status.need), *name = pusher->mirror->name;
	switch (pusher->status.need) {
	case MIRROR_NEED_FILL:
		return error_log(error, E_REFUSED,
				 "%s: the service does that when the database can be reached",
				 text);
	case MIRROR_NEED_CONFIRM:
		return error_log(error, E_REFUSED,
				 "%s: the mirror has %zu pages that are not here and that nobody "
				 "has deleted here; `daymarkctl mirror push --confirm --name %s` "
				 "removes them there",
				 text, pusher->unconfirmed_count, name);
	case MIRROR_NEED_KEY:
		return error_log(error, E_REFUSED,
				 "%s, so that links and cookies of one side are not valid at the "
				 "other: `daymarkctl mirror take-over --name %s` brings the "
				 "mirror's key here, `daymarkctl mirror push --confirm --name %s` "
				 "replaces it there",
				 text, name, name);
	case MIRROR_NEED_TAKE_OVER:
	case MIRROR_NEED_NONE:
	case MIRROR_NEEDS:
		break;
	}
	return error_log(error, E_REFUSED, "%s", text ? text : "");
}
