/* daymarkctl mirror key */
#include "base/secret.h"
#include "ctl/ctl.h"
#include "wire/json.h"

_Static_assert((int)SECRET_TOKEN_SIZE > (int)CONFIG_KEY_MIN, "a token is long enough");

static int mirror_key_run(struct ctl *ctl)
{
	char token[SECRET_TOKEN_SIZE];
	struct json_object *tree = json_object_tree();
	secret_token(token);
	json_put_text(tree, "key", token);
	ctl_say(ctl, tree, "%s", token);
	return CTL_OK;
}

const struct ctl_command mirror_key_command = {
	.words = "mirror key",
	.summary = "Print a new random key, for the configurations of a mirror and of its origin",
	.is_bare = true,
	.run = mirror_key_run,
};
