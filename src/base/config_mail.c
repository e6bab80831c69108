/* The section [mail] of the configuration. */
#include <string.h>

#include "base/config.h"

enum result config_check_mail(const struct config *config, struct error *error)
{
	const struct str server = str_from(config->mail_server);
	const char *from = config->mail_from, *wrong = NULL;
	if (server.len == 0)
		return OK;
	if (!str_starts(server, STR("smtp://")) && !str_starts(server, STR("smtps://")))
		wrong = "server must begin with smtp:// or smtps://";
	else if (!from || !strchr(from, '@') || from[strcspn(from, " <>\"\r\n")] != '\0')
		wrong = "from must be an address such as status@example.org";
	else if (!config->mail_user != !config->mail_password_file)
		wrong = "user and password_file need each other";
	return wrong ? error_client(error, E_INVALID, "[mail] %s", wrong) : OK;
}
