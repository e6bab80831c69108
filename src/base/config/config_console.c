/* The settings of [console]. */
#include <string.h>

#include "base/config/config.h"

/* The words of the roles, in the order of domain/account/user.c. */
static const char *const roles[] = { "reader", "responder", "editor", "owner" };

/* Splits "owners=owner" into a group, which may contain "=", and the number of a role. */
static bool read_rule(struct str rule, struct str *group, int *role)
{
	const char *mark = rule.len > 0 ? memrchr(rule.data, '=', rule.len) : NULL;
	if (!mark)
		return false;
	size_t len = (size_t)(mark - rule.data);
	const struct str word = str_trim_ows(str_skip(rule, len + 1));
	*group = str_trim_ows((struct str){ rule.data, len });
	for (size_t i = 0; i < ARRAY_LEN(roles); i++) {
		*role = (int)i;
		if (str_eq(word, str_from(roles[i])))
			return group->len > 0;
	}
	return false;
}

static bool has_group(const char *groups, struct str group)
{
	struct str rest = str_from(groups), item;
	while (groups && str_split(&rest, ',', &item))
		if (str_eq(str_trim_ows(item), group))
			return true;
	return false;
}

int config_role_of_groups(const char *rules, const char *groups)
{
	struct str rest = str_from(rules), rule, group;
	int role, highest = -1;
	while (rules && str_split(&rest, ',', &rule))
		if (read_rule(rule, &group, &role) && role > highest && has_group(groups, group))
			highest = role;
	return highest;
}

static bool rules_are_valid(const char *rules)
{
	struct str rest = str_from(rules), rule, group;
	int role;
	while (rules && str_split(&rest, ',', &rule))
		if (!read_rule(rule, &group, &role))
			return false;
	return true;
}

/* Returns the host of a URL, without its port. */
static struct str host_of(const char *url)
{
	const char *host = strstr(url, "://") + 3;
	const char *end = host[0] == '[' ? strchr(host, ']') : NULL;
	return (struct str){ host, end ? (size_t)(end + 1 - host) : strcspn(host, ":/") };
}

const char *config_console_base(const struct config *config, const char *base_url)
{
	return config->console_url ? config->console_url : base_url;
}

bool config_is_console_host(const struct config *config, const char *host)
{
	return config->console_url && str_eq_nocase(host_of(config->console_url), str_from(host));
}

enum result config_check_console(const struct config *config, struct error *error)
{
	const struct str create = str_from(config->sso_create);
	bool creates = str_eq(create, STR(CONFIG_CREATE_READER));
	if (config->console_url && config->base_url &&
	    str_eq_nocase(host_of(config->console_url), host_of(config->base_url)))
		return error_client(error, E_INVALID,
				    "[console] url must have another host than base_url");
	if (!creates && !str_eq(create, STR(CONFIG_CREATE_NO)))
		return error_client(error, E_INVALID, "[console] sso_create must be no or reader");
	if (!rules_are_valid(config->sso_groups))
		return error_client(error, E_INVALID,
				    "[console] sso_groups must be groups with reader, responder, "
				    "editor or owner, such as admins=owner, oncall=responder");
	if ((creates || config->sso_groups) && !config->sso_account)
		return error_client(error, E_INVALID,
				    "[console] sso_create and sso_groups need sso_account");
	if (config->sso_logout_url && strncmp(config->sso_logout_url, "http://", 7) != 0 &&
	    strncmp(config->sso_logout_url, "https://", 8) != 0)
		return error_client(error, E_INVALID,
				    "[console] sso_logout_url must begin with http:// or https://");
	if (!config->has_passwords && !config->has_sso)
		return error_client(error, E_INVALID, "[console] passwords = no needs sso = yes");
	return OK;
}
