#include "unit/lib/unit.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/log.h"

static int pipe_fds[2];

/* The logged line without its time. */
static const char *logged(void)
{
	static char text[4096];
	ssize_t len = read(pipe_fds[0], text, sizeof(text) - 1);
	assert_true(len > 0);
	text[len] = '\0';
	assert_memory_equal("time=", text, 5);
	return strchr(text, ' ') + 1;
}

static void values_are_quoted_where_they_must_be(void **state)
{
	(void)state;
	struct log_line line;
	log_begin(&line, "info", "test");
	log_text(&line, "plain", "/api/v1");
	log_text(&line, "blank", "a b");
	log_text(&line, "empty", "");
	log_text(&line, "none", NULL);
	log_text(&line, "hostile", "x\" level=error\nlevel=\\");
	log_int(&line, "number", -7);
	log_end(&line);
	assert_string_equal("level=info event=test plain=/api/v1 blank=\"a b\" empty=\"\" "
			    "hostile=\"x\\\" level=error\\u000alevel=\\\\\" number=-7\n",
			    logged());
}

static void a_long_line_is_cut_and_still_ends(void **state)
{
	(void)state;
	struct log_line line;
	char value[4000];
	memset(value, 'x', sizeof(value) - 1);
	value[sizeof(value) - 1] = '\0';
	log_begin(&line, "info", "test");
	log_text(&line, "long", value);
	log_text(&line, "more", value);
	log_end(&line);
	const char *text = logged();
	assert_int_equal('\n', text[strlen(text) - 1]);
	assert_int_equal(sizeof(line.text), line.len);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_are_quoted_where_they_must_be),
		cmocka_unit_test(a_long_line_is_cut_and_still_ends),
	};
	if (pipe(pipe_fds) != 0)
		return 1;
	log_to_fd(pipe_fds[1]);
	return RUN(tests);
}
