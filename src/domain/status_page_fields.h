/*
 * The fields of a status page, a row for each, in the order of JSON and of the documentation:
 *
 *   ROW(kind, C type, name, limits and text as base/field.h has them)
 *
 *   SET    a client sends it, the column of the same name stores it, the resource shows it
 *   LONG   the same, but lists omit it
 *   APART  the same as SET, but stored in a table of its own
 *   SENT   a client sends it; it is not shown
 *   SHOWN  the resource shows it; a client may send it back unchanged
 *
 * Derived from these rows: the members of struct status_page and struct status_page_input, the
 * forms of create and update, the merge of both, JSON, the columns of the statements in
 * store/status_page.c, openapi.json and the table in docs/API.md.
 *
 * `needed` is FIELD_REQUIRED in the form of create, and 0 elsewhere.
 */
#ifndef DOMAIN_STATUS_PAGE_FIELDS_H
#define DOMAIN_STATUS_PAGE_FIELDS_H

/* clang-format off */
#define STATUS_PAGE_FIELDS(ROW, needed) \
	ROW(SHOWN, int64_t, id, .min = 1, .max = INT64_MAX) \
	ROW(SET, const char *, name, .flags = FIELD_NOT_EMPTY | (needed), .max_chars = 255, \
	    .text = "The page's heading.") \
	ROW(SET, const char *, slug, .flags = FIELD_NOT_EMPTY | (needed), \
	    .max_chars = STATUS_PAGE_SLUG_MAX, .pattern = "^[A-Za-z0-9][A-Za-z0-9_-]*$", \
	    .text = "The page's address below /s/. Stored in lower case; unique in the " \
		    "installation.") \
	ROW(SHOWN, const char *, url, .flags = FIELD_NOT_EMPTY, .format = "uri", \
	    .text = "Where the page is seen.") \
	ROW(APART, struct id_list, monitor_ids, .max = STATUS_PAGE_MONITORS_MAX, \
	    .text = "The account's own monitors in display order; replaces the whole list.") \
	ROW(SET, int, privacy, .choices = privacy_choices, \
	    .text = "0 public, 1 private (for the account's keys and signed links), 2 password. " \
		    "Default 0 on create.") \
	ROW(SHOWN, bool, has_password, .text = "Whether a password is stored.") \
	ROW(SENT, const char *, password, .flags = FIELD_EXACT, \
	    .max_bytes = STATUS_PAGE_PASSWORD_MAX_BYTES, \
	    .text = "1 to 128 bytes. Kept whenever sent, in force while privacy is 2. Never " \
		    "returned.") \
	ROW(SET, const char *, domain, .max_chars = 253, \
	    .text = "A host name of the page's own; stored in its ASCII form; unique; none of " \
		    "the service's own names. Where there is more than one account it must be " \
		    "proven by a DNS record, which the 422 names. Empty removes it.") \
	ROW(SENT, struct field_file *, logo, .max_bytes = STATUS_PAGE_LOGO_MAX_BYTES, \
	    .text = "PNG, JPEG, GIF or WebP, told by its bytes; at most 2 MiB and 4,096 pixels a " \
		    "side.") \
	ROW(SENT, struct field_file *, favicon, .max_bytes = STATUS_PAGE_FAVICON_MAX_BYTES, \
	    .text = "ICO, PNG, GIF or WebP; at most 512 KiB and 1,024 pixels a side.") \
	ROW(SHOWN, const char *, logo_url, .text = "Where the logo is seen; null without one.") \
	ROW(SHOWN, const char *, favicon_url, \
	    .text = "Where the favicon is seen; null without one.") \
	ROW(SENT, bool, remove_logo, .text = "An upload in the same request wins.") \
	ROW(SENT, bool, remove_favicon, .text = "An upload in the same request wins.") \
	ROW(SET, const char *, website_url, .max_bytes = WEB_URL_MAX_BYTES, \
	    .text = "An absolute http or https URL.") \
	ROW(SET, const char *, contact_url, .max_bytes = WEB_URL_MAX_BYTES, \
	    .text = "An absolute http or https URL, or mailto: and an address.") \
	ROW(LONG, const char *, custom_css, .flags = FIELD_EXACT, .max_bytes = 65536, \
	    .text = "At most 64 KiB. Taken as it is.") \
	ROW(LONG, const char *, custom_js, .flags = FIELD_EXACT, .max_bytes = 65536, \
	    .text = "At most 64 KiB. Taken as it is.") \
	ROW(SET, const char *, meta_title, .max_chars = 255, \
	    .text = "The title in browsers and search results, instead of the name.") \
	ROW(SET, const char *, meta_description, .max_chars = 1000, \
	    .text = "What search results say about the page.") \
	ROW(SET, bool, noindex, .text = "Asks search engines to leave the page out.") \
	ROW(SET, bool, show_causes, \
	    .text = "Whether the page shows the causes that monitoring reports, for incidents " \
		    "without a title.") \
	ROW(SHOWN, struct instant, created_at, .flags = FIELD_NOT_EMPTY) \
	ROW(SHOWN, struct instant, updated_at, .flags = FIELD_NOT_EMPTY)

/* Of each kind: its argument where the filter lets the kind pass, else nothing. */
#define STATUS_PAGE_SENT_SET(...) __VA_ARGS__
#define STATUS_PAGE_SENT_LONG(...) __VA_ARGS__
#define STATUS_PAGE_SENT_APART(...) __VA_ARGS__
#define STATUS_PAGE_SENT_SENT(...) __VA_ARGS__
#define STATUS_PAGE_SENT_SHOWN(...)

#define STATUS_PAGE_SHOWN_SET(...) __VA_ARGS__
#define STATUS_PAGE_SHOWN_LONG(...) __VA_ARGS__
#define STATUS_PAGE_SHOWN_APART(...) __VA_ARGS__
#define STATUS_PAGE_SHOWN_SENT(...)
#define STATUS_PAGE_SHOWN_SHOWN(...) __VA_ARGS__

#define STATUS_PAGE_LISTED_SET(...) __VA_ARGS__
#define STATUS_PAGE_LISTED_LONG(...)
#define STATUS_PAGE_LISTED_APART(...) __VA_ARGS__
#define STATUS_PAGE_LISTED_SENT(...)
#define STATUS_PAGE_LISTED_SHOWN(...) __VA_ARGS__

#define STATUS_PAGE_BOTH_SET(...) __VA_ARGS__ /* sent and shown */
#define STATUS_PAGE_BOTH_LONG(...) __VA_ARGS__
#define STATUS_PAGE_BOTH_APART(...) __VA_ARGS__
#define STATUS_PAGE_BOTH_SENT(...)
#define STATUS_PAGE_BOTH_SHOWN(...)

#define STATUS_PAGE_STORED_SET(...) __VA_ARGS__ /* in a column of the same name */
#define STATUS_PAGE_STORED_LONG(...) __VA_ARGS__
#define STATUS_PAGE_STORED_APART(...)
#define STATUS_PAGE_STORED_SENT(...)
#define STATUS_PAGE_STORED_SHOWN(...)

#define STATUS_PAGE_SHORT_SET(...) __VA_ARGS__ /* columns that lists read */
#define STATUS_PAGE_SHORT_LONG(...)
#define STATUS_PAGE_SHORT_APART(...)
#define STATUS_PAGE_SHORT_SENT(...)
#define STATUS_PAGE_SHORT_SHOWN(...)
/* clang-format on */

#endif
