#include "domain/page/status_page.h"

#include <string.h>

#include "base/log.h"
#include "base/secret.h"
#include "base/str.h"
#include "domain/domain_name.h"
#include "domain/page/image.h"
#include "domain/web_url.h"

const char *const status_page_privacy_words[] = { "0", "1", "2", NULL };
const char *const status_page_languages[] = { "en", "de",    "fr", "es", "it",
					      "nl", "pt-BR", "pl", "ja", NULL };

/* clang-format off */
static const struct field create_rows[] = {
	STATUS_PAGE_FIELDS(FIELD_OF_FORM, struct status_page_input, FIELD_REQUIRED)
};
static const struct field update_rows[] = {
	STATUS_PAGE_FIELDS(FIELD_OF_FORM, struct status_page_input, 0)
};
static const struct field resource_rows[] = {
	STATUS_PAGE_FIELDS(FIELD_OF_RESOURCE, struct status_page, 0)
};
static const struct field listed_rows[] = {
	STATUS_PAGE_FIELDS(FIELD_OF_LIST, struct status_page, 0)
};
/* clang-format on */

_Static_assert(ARRAY_LEN(update_rows) <= FIELD_SET_MAX, "a set has a place for each field");

const struct fields status_page_create_fields = { create_rows, ARRAY_LEN(create_rows) };
const struct fields status_page_update_fields = { update_rows, ARRAY_LEN(update_rows) };
const struct fields status_page_resource_fields = { resource_rows, ARRAY_LEN(resource_rows) };
const struct fields status_page_listed_fields = { listed_rows, ARRAY_LEN(listed_rows) };

static bool is_slug_char(char c, bool is_first)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
	       (!is_first && (c == '-' || c == '_'));
}

bool status_page_is_slug(const char *text)
{
	size_t len = 0;
	while (text[len] != '\0' && is_slug_char(text[len], len == 0))
		len++;
	return len > 0 && len <= STATUS_PAGE_SLUG_MAX && text[len] == '\0';
}

static void check_slug(struct status_page_input *input, struct arena *arena,
		       struct violations *violations)
{
	char *slug = arena_strdup(arena, input->slug);
	str_to_lower(slug);
	for (char *c = slug; *c; c++) {
		if (!is_slug_char(*c, c == slug)) {
			violations_add(
				violations, "slug",
				"The slug field may only contain letters, digits, dashes and "
				"underscores, and must begin with a letter or digit.");
			return;
		}
	}
	input->slug = slug;
}

static void check_domain(struct status_page_input *input, const struct site *site,
			 struct arena *arena, struct violations *violations)
{
	const char *ascii = domain_name_ascii(arena, input->domain);
	if (!site->has_domains)
		violations_add(
			violations, "domain",
			"The domain field cannot be used: this service does not know its own "
			"host name, which its operator sets as base_url.");
	else if (!ascii)
		violations_add(violations, "domain",
			       "The domain field must be a host name, such as status.example.org.");
	else if (site_owns(site, ascii))
		violations_add(violations, "domain",
			       "The domain field must not be a host name of this service itself.");
	else
		input->domain = ascii;
}

static void check_choice(const char *field, const char *value, const char *const *choices,
			 struct arena *arena, struct violations *violations)
{
	const char *all = "";
	for (size_t i = 0; choices[i]; i++) {
		if (strcmp(choices[i], value) == 0)
			return;
		all = arena_printf(arena, "%s%s%s", all, i > 0 ? ", " : "", choices[i]);
	}
	violations_add(violations, field, "The selected %s is invalid. It must be one of: %s.",
		       field, all);
}

/* Converts the colour to lower case and checks it. */
static void check_accent(struct status_page_input *input, struct arena *arena,
			 struct violations *violations)
{
	char *colour = arena_strdup(arena, input->accent_color);
	str_to_lower(colour);
	input->accent_color = colour;
	if (!brand_is_colour(colour))
		violations_add(violations, "accent_color",
			       "The accent color field must be a colour, such as #1f6feb.");
}

void status_page_check(struct status_page_input *input, const struct site *site,
		       struct arena *arena, struct violations *violations)
{
	if (input->slug && !violations_has(violations, "slug"))
		check_slug(input, arena, violations);
	if (input->domain && !violations_has(violations, "domain"))
		check_domain(input, site, arena, violations);
	if (input->website_url && !violations_has(violations, "website_url") &&
	    !web_url_is_valid(input->website_url))
		violations_add(violations, "website_url",
			       "The website url field must be an absolute http or https URL.");
	if (input->contact_url && !violations_has(violations, "contact_url") &&
	    !web_url_is_contact(input->contact_url))
		violations_add(violations, "contact_url",
			       "The contact url field must be an absolute http or https URL, or a "
			       "mailto: address.");
	if (input->time_zone && !violations_has(violations, "time_zone") &&
	    !zone_find(input->time_zone))
		violations_add(violations, "time_zone",
			       "The time zone field must be a time zone of the IANA database, such "
			       "as Europe/Berlin.");
	if (input->language && !violations_has(violations, "language"))
		check_choice("language", input->language, status_page_languages, arena, violations);
	if (input->color_scheme && !violations_has(violations, "color_scheme"))
		check_choice("color_scheme", input->color_scheme, brand_schemes, arena, violations);
	if (input->accent_color && !violations_has(violations, "accent_color"))
		check_accent(input, arena, violations);
	if (input->support_text && strstr(input->support_text, "\n\n"))
		violations_add(violations, "support_text",
			       "The support text field must be a single paragraph.");
}

void status_page_check_merged(const struct status_page *page, const struct status_page_input *input,
			      struct violations *violations)
{
	const char *field = input->accent_color ? "accent_color" : "color_scheme";
	bool is_sent = input->accent_color || input->color_scheme;
	if (is_sent && !violations_has(violations, "accent_color") &&
	    !violations_has(violations, "color_scheme"))
		brand_check(page->accent_color, page->color_scheme, field, violations);
}

/* Returns whether the page shows a system that it did not show before. */
static bool adds_monitor(const struct status_page *before, const struct status_page *page)
{
	for (size_t i = 0; i < page->monitor_ids.count; i++) {
		size_t at = 0;
		while (at < before->monitor_ids.count &&
		       before->monitor_ids.ids[at] != page->monitor_ids.ids[i])
			at++;
		if (at == before->monitor_ids.count)
			return true;
	}
	return false;
}

void status_page_check_owner(const struct status_page *before, const struct status_page *page,
			     const struct status_page_input *input, struct field_set sent,
			     struct violations *violations)
{
	struct field_set changed = fields_differing(status_page_update_fields, sent,
						    status_page_resource_fields, before, page);
	if (input->password)
		field_set_add(&changed, STATUS_PAGE_FIELD_password);
	for (size_t i = 0; i < status_page_update_fields.count; i++) {
		const struct field *field = &status_page_update_fields.rows[i];
		if (field_set_has(changed, i) && field_is_for_owners(field, before->id == 0))
			violations_add(violations, field->name, "Only an owner can set %s.",
				       field->name);
	}
	if (before->needs_second_person && !page->needs_second_person)
		violations_add(violations, "needs_second_person",
			       "Only an owner can switch off needs_second_person.");
	/* Otherwise the page would show incidents of the added system without a second person. */
	if (before->needs_second_person && adds_monitor(before, page))
		violations_add(violations, "monitor_ids",
			       "Only an owner can add systems to a page that needs a second "
			       "person.");
}

struct status_page status_page_new(int64_t account_id, struct instant now)
{
	return (struct status_page){ .account_id = account_id,
				     .time_zone = zone_name(zone_utc()),
				     .language = status_page_languages[0],
				     .color_scheme = brand_schemes[0],
				     .logo_height = STATUS_PAGE_LOGO_HEIGHT,
				     .allow_subscribers = true,
				     .show_reports = true,
				     .created_at = now };
}

const struct zone *status_page_zone(const struct status_page *page)
{
	const struct zone *zone = page->time_zone ? zone_find(page->time_zone) : NULL;
	return zone ? zone : zone_utc();
}

const char *const status_page_pictures[STATUS_PAGE_PICTURES] = { "logo", "logo_dark",
								 "header_image", "favicon" };

const char **status_page_file(struct status_page *page, const char *picture)
{
	if (strcmp(picture, "logo") == 0)
		return &page->logo_file;
	if (strcmp(picture, "logo_dark") == 0)
		return &page->logo_dark_file;
	return strcmp(picture, "header_image") == 0 ? &page->header_image_file
						    : &page->favicon_file;
}

struct image_rule {
	const char *field;
	const char *stem; /* the first part of the names of its files: lower-case letters */
	unsigned refused; /* the refused types, as bits such as 1 << IMAGE_ICO */
	uint32_t max_px;
	const char *kinds;
};

static const struct image_rule image_rules[] = {
	{ "logo", "logo", 1 << IMAGE_ICO, STATUS_PAGE_LOGO_MAX_PX, "PNG, JPEG, GIF or WebP" },
	{ "logo_dark", "logodark", 1 << IMAGE_ICO, STATUS_PAGE_LOGO_MAX_PX,
	  "PNG, JPEG, GIF or WebP" },
	{ "header_image", "header", 1 << IMAGE_ICO | 1 << IMAGE_GIF, STATUS_PAGE_LOGO_MAX_PX,
	  "PNG, JPEG or WebP" },
	{ "favicon", "favicon", 1 << IMAGE_JPEG, STATUS_PAGE_FAVICON_MAX_PX,
	  "ICO, PNG, GIF or WebP" },
};

static const struct image_rule *image_rule_of(const char *field)
{
	for (size_t i = 0; i < ARRAY_LEN(image_rules); i++)
		if (strcmp(image_rules[i].field, field) == 0)
			return &image_rules[i];
	die("status_page: there is no image %s", field);
}

bool status_page_check_image(const char *field, const void *bytes, size_t len, const char **name,
			     struct arena *arena, struct violations *violations)
{
	const struct image_rule *rule = image_rule_of(field);
	struct image image;
	if (!image_identify(bytes, len, &image) || (rule->refused & 1u << image.type)) {
		violations_add(violations, field, "The %s field must be a whole image of type %s.",
			       field, rule->kinds);
		return false;
	}
	if (image.width_px > rule->max_px || image.height_px > rule->max_px) {
		violations_add(violations, field,
			       "The %s field must not be larger than %u by %u pixels.", field,
			       rule->max_px, rule->max_px);
		return false;
	}
	*name = arena_printf(arena, "%s-%s.%s", rule->stem, secret_hash_hex(arena, bytes, len, 16),
			     image_extension(image.type));
	return true;
}

size_t status_page_place(const char *name)
{
	const struct field *field = fields_find(status_page_update_fields, name);
	if (!field)
		die("status_page: there is no field %s", name);
	return (size_t)(field - update_rows);
}

void status_page_merge(struct status_page *row, const struct status_page_input *input,
		       struct field_set sent)
{
	STATUS_PAGE_FIELDS(FIELD_MERGE, STATUS_PAGE_FIELD_, 0)
}

const char *status_page_url_of(const char *address, const char *base_url, struct arena *arena)
{
	const char *slash = address ? strchr(address, '/') : NULL;
	if (!slash)
		return NULL;
	const struct status_page page = {
		.slug = arena_strndup(arena, address, (size_t)(slash - address)),
		.domain = slash[1] ? slash + 1 : NULL,
	};
	return status_page_url(&page, base_url, arena);
}

const char *status_page_shared_url(const struct status_page *page, const char *base_url,
				   struct arena *arena)
{
	return arena_printf(arena, "%s/s/%s/", base_url ? base_url : "", page->slug);
}

const char *status_page_url(const struct status_page *page, const char *base_url,
			    struct arena *arena)
{
	if (!page->domain)
		return status_page_shared_url(page, base_url, arena);
	if (!base_url)
		return arena_printf(arena, "https://%s/", page->domain);
	const char *host = strstr(base_url, "://") + 3;
	size_t host_len = strcspn(host, "/");
	/* The port follows the last colon. A colon inside the brackets of an IPv6 address does not
	 * count. */
	const char *port = memrchr(host, ':', host_len);
	if (!port || memchr(port, ']', (size_t)(host + host_len - port)))
		port = host + host_len;
	return arena_printf(arena, "%.*s%s%.*s/", (int)(host - base_url), base_url, page->domain,
			    (int)(host + host_len - port), port);
}

bool status_page_is_at_domain(const struct status_page *page, const struct site *site)
{
	return site_shows(site, page->domain) && page->domain_proof.lost_at.s == 0;
}
