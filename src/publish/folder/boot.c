#include "publish/folder/boot.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/lines.h"
#include "publish/folder/folder.h"
#include "view/renderer.h"
#include "view/words/words_file.h"

#define SYSTEM_FILE "/proc/sys/kernel/random/boot_id"
#define BOOT_FILE   "boot"

enum { BOOT_ID_SIZE = 64, BOOT_ID_MIN_CHARS = 16, BOOT_LINE_SIZE = 128 };

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char id[BOOT_ID_SIZE];

/* Reads the first line of the file; "" if the file cannot be read. */
static void read_line(int folder_fd, const char *name, char *line, size_t size)
{
	struct error ignored = { 0 };
	bool is_there;
	if (folder_read_line(folder_fd, name, line, size, &is_there, &ignored) != OK)
		line[0] = '\0';
}

static void read_id(void)
{
	read_line(AT_FDCWD, SYSTEM_FILE, id, sizeof(id));
}

const char *boot_id(void)
{
	pthread_once(&once, read_id);
	return strlen(id) >= BOOT_ID_MIN_CHARS ? id : NULL;
}

struct pages_settings pages_settings(const struct config *config)
{
	return (struct pages_settings){ .takes_subscribers = config_takes_subscribers(config),
					.has_previews = config->has_previews };
}

static const char *wanted_line(struct pages_settings settings, char line[BOOT_LINE_SIZE])
{
	snprintf(line, BOOT_LINE_SIZE, "%s %s%s%s%s%s", boot_id() ? boot_id() : "-", renderer_id,
		 settings.takes_subscribers ? " subscribers" : "",
		 settings.has_previews ? " previews" : "", words_file_id()[0] ? " words " : "",
		 words_file_id());
	return line;
}

bool boot_is_new(const struct pages_dir *dir, struct pages_settings settings)
{
	char recorded[BOOT_LINE_SIZE], wanted[BOOT_LINE_SIZE];
	read_line(dir->root_fd, BOOT_FILE, recorded, sizeof(recorded));
	return strcmp(recorded, wanted_line(settings, wanted)) != 0;
}

enum result boot_record(const struct pages_dir *dir, struct pages_settings settings,
			struct error *error)
{
	char line[BOOT_LINE_SIZE];
	/* No sync: even if a loss of power damages the file, its content differs from the id of the
	 * next boot. */
	return folder_put(dir->new_fd, dir->root_fd, BOOT_FILE,
			  str_from(wanted_line(settings, line)), false, error);
}

static int64_t up_s(void)
{
	struct timespec up;
	clock_gettime(CLOCK_BOOTTIME, &up);
	return (int64_t)up.tv_sec;
}

struct boot_moment boot_moment_now(void)
{
	struct boot_moment moment = { .at = clock_now(), .up_s = up_s() };
	snprintf(moment.boot, sizeof(moment.boot), "%s", boot_id() ? boot_id() : "-");
	return moment;
}

int64_t boot_moment_age_s(const struct boot_moment *moment)
{
	bool is_this_boot = boot_id() && strcmp(moment->boot, boot_id()) == 0;
	int64_t age_s = is_this_boot ? up_s() - moment->up_s : clock_now().s - moment->at.s;
	return moment->at.s > 0 && age_s >= 0 ? age_s : -1;
}

char *boot_moment_format(const struct boot_moment *moment, char text[BOOT_MOMENT_SIZE])
{
	snprintf(text, BOOT_MOMENT_SIZE, "%lld %s %lld", (long long)moment->at.s,
		 moment->boot[0] ? moment->boot : "-", (long long)moment->up_s);
	return text;
}

struct boot_moment boot_moment_parse(struct str text)
{
	struct boot_moment moment = { .boot = LINE_NONE };
	struct str boot;
	if (!line_number(&text, INT64_MIN, &moment.at.s) || !line_word(&text, &boot) ||
	    boot.len >= sizeof(moment.boot) || !line_number(&text, INT64_MIN, &moment.up_s))
		return (struct boot_moment){ .boot = LINE_NONE };
	snprintf(moment.boot, sizeof(moment.boot), "%.*s", (int)boot.len, boot.data);
	return moment;
}
