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
	    .text = "The heading of the page.") \
	ROW(SET, const char *, slug, .flags = FIELD_NOT_EMPTY | (needed), \
	    .max_chars = STATUS_PAGE_SLUG_MAX, .pattern = "^[A-Za-z0-9][A-Za-z0-9_-]*$", \
	    .text = "The page's address below /s/. Stored in lower case; unique in the " \
		    "installation.") \
	ROW(SHOWN, const char *, url, .flags = FIELD_NOT_EMPTY, .format = "uri", \
	    .text = "The address of the page.") \
	ROW(APART, struct id_list, monitor_ids, .max = STATUS_PAGE_MONITORS_MAX, \
	    .text = "The account's own monitors, in the order of the page. Replaces the " \
		    "whole list.") \
	ROW(SET, int, privacy, .choices = privacy_choices, \
	    .text = "0 public; 1 private: opens with a key of the account, or with a signed " \
		    "link; 2 password. Default on create: 0.") \
	ROW(SHOWN, bool, has_password, .text = "Whether a password is stored.") \
	ROW(SENT, const char *, password, .flags = FIELD_EXACT, \
	    .max_bytes = STATUS_PAGE_PASSWORD_MAX_BYTES, \
	    .text = "1 to 128 bytes. Stored whenever it is sent, and asked for while privacy is " \
		    "2. Never returned.") \
	ROW(SET, const char *, domain, .max_chars = 253, \
	    .text = "A host name for this page only, stored in its ASCII form. It must be " \
		    "unique, and none of the service's own names. If the service has more than " \
		    "one account, a DNS record must prove it; the 422 names the record. Empty " \
		    "removes it.") \
	ROW(SENT, struct field_file *, logo, .max_bytes = STATUS_PAGE_LOGO_MAX_BYTES, \
	    .text = "PNG, JPEG, GIF or WebP, recognised by its content; at most 2 MiB, and " \
		    "4,096 pixels wide and high.") \
	ROW(SENT, struct field_file *, favicon, .max_bytes = STATUS_PAGE_FAVICON_MAX_BYTES, \
	    .text = "ICO, PNG, GIF or WebP; at most 512 KiB, and 1,024 pixels wide and high.") \
	ROW(SHOWN, const char *, logo_url, \
	    .text = "The address of the logo; null without a logo.") \
	ROW(SHOWN, const char *, favicon_url, \
	    .text = "The address of the favicon; null without a favicon.") \
	ROW(SENT, bool, remove_logo, \
	    .text = "Removes the logo, unless the same request uploads one.") \
	ROW(SENT, bool, remove_favicon, \
	    .text = "Removes the favicon, unless the same request uploads one.") \
	ROW(SET, const char *, website_url, .max_bytes = WEB_URL_MAX_BYTES, \
	    .text = "An absolute http or https URL.") \
	ROW(SET, const char *, contact_url, .max_bytes = WEB_URL_MAX_BYTES, \
	    .text = "An absolute http or https URL, or mailto: with an address.") \
	ROW(LONG, const char *, custom_css, .flags = FIELD_EXACT, .max_bytes = 65536, \
	    .text = "At most 64 KiB. Stored unchanged.") \
	ROW(LONG, const char *, custom_js, .flags = FIELD_EXACT, .max_bytes = 65536, \
	    .text = "At most 64 KiB. Stored unchanged.") \
	ROW(SET, const char *, meta_title, .max_chars = 255, \
	    .text = "The title in browsers and search results, in place of the name.") \
	ROW(SET, const char *, meta_description, .max_chars = 1000, \
	    .text = "The description of the page in search results.") \
	ROW(SET, bool, noindex, .text = "Asks search engines not to list the page.") \
	ROW(SET, bool, show_causes, \
	    .text = "Whether the page shows the cause of an incident that has no title.") \
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
