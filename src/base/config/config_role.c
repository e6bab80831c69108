/* Checks the settings for the role of the program: to serve an installation, or to mirror one. */
#include <string.h>

#include "base/config/config.h"

bool config_is_mirror(const struct config *config)
{
	return config->mirror_key != NULL;
}

/* Whether the text has only characters of a bearer token (RFC 6750 section 2.1). */
static bool is_token(const char *text)
{
	static const char chars[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789-._~+/=";
	return text[strspn(text, chars)] == '\0';
}

bool config_has_metrics(const struct config *config)
{
	return config->metrics_allow || config->metrics_key;
}

/* Checks the length and the characters of a key. The error's text has `hint`: how to make a key. */
static enum result check_key(const char *name, const char *key, const char *hint,
			     struct error *error)
{
	if (!key ||
	    (strlen(key) >= CONFIG_KEY_MIN && strlen(key) <= CONFIG_KEY_MAX && is_token(key)))
		return OK;
	return error_client(error, E_INVALID,
			    "%s must have %d to %d letters, digits, or -._~+/= (%s)", name,
			    CONFIG_KEY_MIN, CONFIG_KEY_MAX, hint);
}

enum result config_check_role(const struct config *config, struct error *error)
{
	const char *key = config->mirror_key;
	enum result result = check_key("[server] metrics_key", config->metrics_key,
				       "openssl rand -hex 32 prints one", error);
	if (result == OK)
		result = check_key("[mirror_host] key", key, "daymarkctl mirror key prints one",
				   error);
	if (result != OK)
		return result;
	if (!config->check_centre != !config->check_centre_key)
		return error_client(error, E_INVALID,
				    "[checker] centre and centre_key need each other");
	if (!key && !config->check_centre && !config->database_socket && !config->database_hosts)
		return error_client(error, E_INVALID, "[database] needs socket or hosts");
	if (!key)
		return OK;
	if (!config->base_url)
		return error_client(
			error, E_INVALID,
			"[site] base_url must be the base_url of the mirrored installation");
	if (config->max_body_bytes < CONFIG_MIRROR_BODY)
		return error_client(error, E_INVALID,
				    "[server] max_body_bytes must be at least %d on a mirror",
				    CONFIG_MIRROR_BODY);
	return OK;
}
