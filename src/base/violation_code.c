#include "base/violation_code.h"

#include <stddef.h>
#include <string.h>

#include "base/attr.h"

const struct violation_word violation_words[] = {
	{ "required", "A value is missing." },
	{ "type", "The value is of another type, such as text for a number." },
	{ "encoding", "The text is not valid UTF-8, or has a NUL byte." },
	{ "choice", "The value is none of those that the field allows." },
	{ "length", "The text is too short or too long." },
	{ "size", "The file or picture is too large." },
	{ "range", "The number or the time is too low or too high." },
	{ "count", "There are too many values." },
	{ "format", "The text has not the form that the field needs." },
	{ "time_order", "The time is not before or after another one." },
	{ "in_future", "The time must have passed." },
	{ "in_past", "The time must not have passed." },
	{ "overlap", "The times overlap with those of another incident." },
	{ "unknown", "There is no object with this id or name, or it is another account's." },
	{ "ambiguous", "Several objects have this name." },
	{ "taken", "Another object has the value already." },
	{ "read_only", "The field cannot be set." },
	{ "not_allowed", "Another field, or the state of the object, does not allow the value." },
	{ "unproven", "A DNS record must prove the domain first." },
	{ "rule", "The recurrence rule is not allowed." },
	{ "quota", "A quota of the account is used up." },
	{ "invalid", "Another reason." },
	{ NULL, NULL },
};

/* A sentence gets the word of the first row whose phrase it contains. Phrases of sentences that
 * quote a client's text come first, because the quoted text may contain other phrases. */
static const struct phrase {
	const char *text, *word;
} phrases[] = {
	{ "There is no monitor ", "unknown" },
	{ "There are several monitors ", "ambiguous" },
	{ "monitors of this name", "ambiguous" },
	{ "The rrule field cannot be added", "not_allowed" },
	{ "The rrule field ", "rule" },
	{ "post another update", "not_allowed" },
	{ "_daymark.", "unproven" },
	{ "too long to be proven", "length" },
	{ "already been taken", "taken" },
	{ "is already used by", "taken" },
	{ "was changed by another request", "taken" },
	{ "can no longer be", "not_allowed" },
	{ "stays.", "not_allowed" },
	{ "while it is open", "not_allowed" },
	{ "is not opened again", "not_allowed" },
	{ "its own monitor only", "not_allowed" },
	{ "has no next update", "not_allowed" },
	{ "that is over must be", "not_allowed" },
	{ "than the newest one cannot", "not_allowed" },
	{ " needs rrule", "not_allowed" },
	{ "must be empty", "not_allowed" },
	{ "must not name the monitor itself", "not_allowed" },
	{ "cannot be used", "not_allowed" },
	{ "must not be a host name of this service", "not_allowed" },
	{ "must be true in", "not_allowed" },
	{ "exclude each other", "not_allowed" },
	{ "a contrast of ", "not_allowed" },
	{ "The window ", "not_allowed" },
	{ "the window ", "not_allowed" },
	{ "account may ", "quota" },
	{ "uploads may have", "quota" },
	{ "overlap", "overlap" },
	{ "is required", "required" },
	{ "cannot be set", "read_only" },
	{ "or its current value", "type" },
	{ "There is no such key", "unknown" },
	{ "is invalid. It must be", "choice" },
	{ "selected", "unknown" },
	{ "firing or resolved", "choice" },
	{ "must be \"4\"", "choice" },
	{ "kilobytes", "size" },
	{ "pixels", "size" },
	{ "whole image", "format" },
	{ "is wrong in line", "format" },
	{ "than the time between", "range" },
	{ "must have ", "length" },
	{ "must not be greater", "length" },
	{ "366 days", "range" },
	{ "more than five years", "range" },
	{ "must not be later than", "range" },
	{ "must not have more", "count" },
	{ "at most", "count" },
	{ "must be from", "range" },
	{ "number from", "range" },
	{ "must not be in the future", "in_future" },
	{ "must be in the future", "in_past" },
	{ "must not be before", "time_order" },
	{ "must be after", "time_order" },
	{ "UTF-8", "encoding" },
	{ "may only contain", "format" },
	{ "must not contain", "format" },
	{ "host name", "format" },
	{ "HOST", "format" },
	{ "address:port", "format" },
	{ "name of a header", "format" },
	{ "30 or 60", "choice" },
	{ "such as", "format" },
	{ "URL", "format" },
	{ "IANA", "format" },
	{ "NAME=VALUE", "format" },
	{ "a color", "format" },
	{ "a single paragraph", "format" },
	{ "must be ", "type" },
};

const char *violation_code(const char *message)
{
	for (size_t i = 0; i < ARRAY_LEN(phrases); i++)
		if (strstr(message, phrases[i].text))
			return phrases[i].word;
	return "invalid";
}
