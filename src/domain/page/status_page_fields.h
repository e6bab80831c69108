/*
 * The fields of a status page, a row for each: see domain/field_table.h. Derived from these rows:
 *   the members of struct status_page and struct status_page_input, and the merge of both structs
 *   the forms of create and update
 *   the JSON of a page
 *   the columns of the statements in store/page/status_page.c
 *   openapi.json, and the table in docs/API.md
 */
#ifndef DOMAIN_PAGE_STATUS_PAGE_FIELDS_H
#define DOMAIN_PAGE_STATUS_PAGE_FIELDS_H

#include "domain/field_table.h"

/* clang-format off */
#define STATUS_PAGE_FIELDS(ROW, of, needed) \
	ROW(of, SHOWN, int64_t, id, .min = 1, .max = INT64_MAX) \
	ROW(of, SET, const char *, name, .flags = FIELD_NOT_EMPTY | (needed), .max_chars = 255, \
	    .text = "The heading of the page.") \
	ROW(of, SET, const char *, slug, \
	    .label = "Address below /s/", .flags = FIELD_NOT_EMPTY | (needed), \
	    .max_chars = STATUS_PAGE_SLUG_MAX, .pattern = "^[A-Za-z0-9][A-Za-z0-9_-]*$", \
	    .text = "The page's address below /s/. Stored in lower case; unique in the " \
		    "installation.") \
	ROW(of, SHOWN, const char *, url, .flags = FIELD_NOT_EMPTY, .format = "uri", \
	    .text = "The address of the page.") \
	ROW(of, APART, struct id_list, monitor_ids, \
	    .label = "Systems", .max = STATUS_PAGE_MONITORS_MAX, \
	    .text = "The account's own monitors, in the order of the page. Replaces the " \
		    "whole list.") \
	ROW(of, SET, int, privacy, .choices = status_page_privacy_words, \
	    .flags = FIELD_FOR_OWNERS | FIELD_FREE_AT_FIRST, \
	    .text = "0 public; 1 private: opens with a key of the account, or with a signed " \
		    "link; 2 password. Default on create: 0. Only an owner changes it later.") \
	ROW(of, SHOWN, bool, has_password, .text = "Whether a password is stored.") \
	ROW(of, SENT, const char *, password, \
	    .flags = FIELD_EXACT | FIELD_SECRET | FIELD_FOR_OWNERS | FIELD_FREE_AT_FIRST, \
	    .max_bytes = STATUS_PAGE_PASSWORD_MAX_BYTES, \
	    .text = "1 to 128 bytes. Stored whenever it is sent, and asked for while privacy is " \
		    "2. Never returned. Only an owner changes it later.") \
	ROW(of, SET, const char *, domain, .max_chars = 253, .flags = FIELD_FOR_OWNERS, \
	    .text = "A host name for this page only, stored in its ASCII form. It must be " \
		    "unique, and none of the service's own names. If the service has more than " \
		    "one account, a DNS record must prove it; the 422 names the record. Empty " \
		    "removes it. Only an owner sets it.") \
	ROW(of, SENT, struct field_file *, logo, .max_bytes = STATUS_PAGE_LOGO_MAX_BYTES, \
	    .text = "PNG, JPEG, GIF or WebP, recognised by its content; at most 2 MiB, and " \
		    "4,096 pixels wide and high.") \
	ROW(of, SENT, struct field_file *, logo_dark, .max_bytes = STATUS_PAGE_LOGO_MAX_BYTES, \
	    .text = "The logo in dark mode; the same kinds and sizes. Without one, a logo that " \
		    "is transparent stands on white there.") \
	ROW(of, SENT, struct field_file *, header_image, \
	    .max_bytes = STATUS_PAGE_HEADER_MAX_BYTES, \
	    .text = "A picture across the top of the page: PNG, JPEG or WebP; at most 1 MiB, and " \
		    "4,096 pixels wide and high. Shown at most 160 pixels high, cut above and " \
		    "below.") \
	ROW(of, SENT, struct field_file *, favicon, .max_bytes = STATUS_PAGE_FAVICON_MAX_BYTES, \
	    .text = "ICO, PNG, GIF or WebP; at most 512 KiB, and 1,024 pixels wide and high.") \
	ROW(of, SHOWN, const char *, logo_url, \
	    .text = "The address of the logo; null without a logo.") \
	ROW(of, SHOWN, const char *, logo_dark_url, \
	    .text = "The address of the logo in dark mode; null: there is none.") \
	ROW(of, SHOWN, const char *, header_image_url, \
	    .text = "The address of the picture across the top; null: there is none.") \
	ROW(of, SHOWN, const char *, favicon_url, \
	    .text = "The address of the favicon; null without a favicon.") \
	ROW(of, SENT, bool, remove_logo, \
	    .text = "Removes the logo, unless the same request uploads one.") \
	ROW(of, SENT, bool, remove_logo_dark, \
	    .text = "Removes the logo in dark mode, unless the same request uploads one.") \
	ROW(of, SENT, bool, remove_header_image, \
	    .text = "Removes the picture across the top, unless the same request uploads one.") \
	ROW(of, SENT, bool, remove_favicon, \
	    .text = "Removes the favicon, unless the same request uploads one.") \
	ROW(of, SET, int64_t, logo_height, .min = STATUS_PAGE_LOGO_HEIGHT_MIN, \
	    .max = STATUS_PAGE_LOGO_HEIGHT_MAX, .initial = "48", \
	    .text = "The height of the logo on the page, in pixels: 16 to 160.") \
	ROW(of, SET, const char *, accent_color, .max_chars = BRAND_COLOUR_SIZE - 1, \
	    .pattern = "^#[0-9A-Fa-f]{6}$", \
	    .text = "The colour of the line at the top, of links and of buttons, such as " \
		    "#1f6feb. Stored in lower case. It must have a contrast of 3:1 with the " \
		    "backgrounds of a mode that the page has. Where the colour has less than " \
		    "4.5:1, links are darker or lighter than the colour.") \
	ROW(of, SET, const char *, color_scheme, .flags = FIELD_NOT_EMPTY, .empty_value = "auto", \
	    .choices = brand_schemes, \
	    .text = "The modes of the page: auto (light or dark, as the visitor prefers), light, " \
		    "dark. Default on create, and if empty: auto.") \
	ROW(of, SET, const char *, support_text, .flags = FIELD_PROSE, \
	    .max_chars = STATUS_PAGE_SUPPORT_MAX, \
	    .text = "A paragraph in the footer, such as how to reach support. CommonMark.") \
	ROW(of, SET, const char *, website_url, .max_bytes = WEB_URL_MAX_BYTES, \
	    .text = "An absolute http or https URL.") \
	ROW(of, SET, const char *, contact_url, .max_bytes = WEB_URL_MAX_BYTES, \
	    .text = "An absolute http or https URL, or mailto: with an address.") \
	ROW(of, LONG, const char *, custom_css, .flags = FIELD_EXACT, .max_bytes = 65536, \
	    .text = "At most 64 KiB. Stored unchanged.") \
	ROW(of, LONG, const char *, custom_js, .flags = FIELD_EXACT | FIELD_FOR_OWNERS, \
	    .max_bytes = 65536, \
	    .text = "At most 64 KiB. Stored unchanged. Only an owner sets it.") \
	ROW(of, SET, const char *, meta_title, .max_chars = 255, \
	    .text = "The title in browsers and search results, in place of the name.") \
	ROW(of, SET, const char *, meta_description, .max_chars = 1000, \
	    .text = "The description of the page in search results.") \
	ROW(of, SET, bool, noindex, \
	    .label = "Hide from search engines", \
	    .text = "Asks search engines not to list the page.") \
	ROW(of, SET, bool, show_causes, \
	    .text = "Whether the page shows the cause of an incident that has no title.") \
	ROW(of, SET, bool, show_response_times, \
	    .text = "Whether the page shows how fast the systems that Daymark checks respond.") \
	ROW(of, SET, bool, allow_subscribers, .initial = "true", \
	    .text = "Whether visitors may subscribe to messages on the page, where the service " \
		    "sends mail.") \
	ROW(of, SET, bool, show_reports, .initial = "true", \
	    .text = "Whether the page has reports of months: uptime, incidents, maintenance.") \
	ROW(of, SET, bool, needs_second_person, \
	    .label = "Texts need a second person", \
	    .text = "Whether what people and keys write about incidents waits until another " \
		    "person publishes it in the console. Only an owner can switch this off.") \
	ROW(of, SET, const char *, time_zone, .flags = FIELD_NOT_EMPTY, .empty_value = "UTC", \
	    .max_chars = ZONE_NAME_SIZE - 1, \
	    .text = "The IANA time zone of the page's days and times, such as Europe/Berlin. " \
		    "Default on create, and if empty: UTC.") \
	ROW(of, SET, const char *, language, .flags = FIELD_NOT_EMPTY, .empty_value = "en", \
	    .choices = status_page_languages, \
	    .text = "The language of the page's own words. Default on create, and if empty: en.") \
	ROW(of, SHOWN, struct instant, created_at, .flags = FIELD_NOT_EMPTY) \
	ROW(of, SHOWN, struct instant, updated_at, .flags = FIELD_NOT_EMPTY)
/* clang-format on */

#endif
