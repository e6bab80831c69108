/* The section [mail] of the configuration. */
#include <string.h>

#include "base/config/config.h"

static bool is_address(const char *text)
{
	return text && strchr(text, '@') && text[strcspn(text, " <>\"\r\n")] == '\0';
}

bool config_takes_subscribers(const struct config *config)
{
	return config->has_outbox && config->mail_server && config->base_url;
}

enum result config_check_mail(const struct config *config, struct error *error)
{
	const struct str server = str_from(config->mail_server);
	const char *bounces = config->mail_bounce_address, *wrong = NULL;
	if (server.len == 0)
		return OK;
	if (!str_starts(server, STR("smtp://")) && !str_starts(server, STR("smtps://")))
		wrong = "server must begin with smtp:// or smtps://";
	else if (!is_address(config->mail_from))
		wrong = "from must be an address such as status@example.org";
	else if (!config->mail_user != !config->mail_password_file)
		wrong = "user and password_file need each other";
	else if (bounces && !is_address(bounces))
		wrong = "bounce_address must be an address such as bounces@example.org";
	return wrong ? error_client(error, E_INVALID, "[mail] %s", wrong) : OK;
}
