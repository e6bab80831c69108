/*
 * curl-server: makes the requests of a test as curl does, with the same library, but without
 * starting a program for each. tests/accept/lib.bash asks it, and starts curl itself for requests
 * with other options.
 *
 * Standard input has requests, standard output the replies: words that end with NUL. A request is
 * the number of its words, then an id, the folder for relative paths, the files for the body and
 * for the headers of the response, the method, the URL, and options of curl. A reply is the id, the
 * exit status of curl, the status of the response and a message. Exit status OTHER: the options are
 * not known here, and nothing was sent.
 */
#include <curl/curl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

enum { WORDS_MAX = 4096, OTHER = 255, REQUEST_MAX_S = 60 };
enum { ID, FOLDER, BODY_FILE, HEADER_FILE, METHOD, URL, OPTIONS };

struct request {
	CURL *curl;
	curl_mime *form;
	struct curl_slist *headers;
	char *data; /* NULL: none */
	size_t len;
	bool is_query; /* data belongs to the URL */
};

/* Appends to the data, behind an & if there is data already. */
static void add_data(struct request *request, const char *data, size_t len)
{
	bool is_next = request->data != NULL;
	char *room = realloc(request->data, request->len + len + 2);
	if (!room)
		abort();
	if (is_next)
		room[request->len++] = '&';
	memcpy(room + request->len, data, len);
	request->data = room;
	request->len += len;
	room[request->len] = '\0';
}

/* Returns the contents of a file, to be freed; NULL: the file cannot be read. */
static char *read_file(const char *path, size_t *len)
{
	FILE *file = fopen(path, "r");
	char *data = NULL;
	size_t got;
	*len = 0;
	if (!file)
		return NULL;
	do {
		data = realloc(data, *len + 65536);
		if (!data)
			abort();
		got = fread(data + *len, 1, 65536, file);
		*len += got;
	} while (got > 0);
	fclose(file);
	return data;
}

static bool add_file(struct request *request, const char *path, bool is_binary)
{
	size_t len, kept = 0;
	char *data = read_file(path, &len);
	if (!data)
		return false;
	for (size_t i = 0; i < len; i++)
		if (is_binary || !memchr("\r\n", data[i], 3))
			data[kept++] = data[i];
	add_data(request, data, kept);
	free(data);
	return true;
}

/* Adds CONTENT, =CONTENT or NAME=CONTENT, and encodes the content. */
static bool add_encoded(struct request *request, const char *value)
{
	const char *equals = strchr(value, '='), *content = equals ? equals + 1 : value;
	int name_len = equals && equals > value ? (int)(content - value) : 0;
	if (!equals && strchr(value, '@'))
		return false;
	if (equals && memchr(value, '@', (size_t)(equals - value)))
		return false;
	char *encoded = curl_easy_escape(request->curl, content, (int)strlen(content)), *text;
	if (!encoded || asprintf(&text, "%.*s%s", name_len, value, encoded) < 0)
		abort();
	add_data(request, text, strlen(text));
	curl_free(encoded);
	free(text);
	return true;
}

/* Adds NAME=CONTENT or NAME=@FILE to the form. ;type=TYPE may follow. */
static bool add_part(struct request *request, const char *value, bool is_literal)
{
	const char *equals = strchr(value, '='), *content, *end;
	if (!equals)
		return false;
	content = equals + 1;
	end = is_literal ? NULL : strchr(content, ';');
	bool is_file = !is_literal && *content == '@';
	if (!is_literal && (strpbrk(content, "\"\\") || strchr("(<", *content ? *content : 'a')))
		return false;
	if (end && (strncmp(end, ";type=", 6) != 0 || strchr(end + 1, ';')))
		return false;
	if (is_file && strchr(content, ','))
		return false;
	if (!request->form)
		request->form = curl_mime_init(request->curl);
	curl_mimepart *part = curl_mime_addpart(request->form);
	char *name = strndup(value, (size_t)(equals - value));
	char *text = strndup(content, end ? (size_t)(end - content) : strlen(content));
	CURLcode code = curl_mime_name(part, name);
	if (code == CURLE_OK)
		code = is_file ? curl_mime_filedata(part, text + 1)
			       : curl_mime_data(part, text, CURL_ZERO_TERMINATED);
	if (code == CURLE_OK && end)
		code = curl_mime_type(part, end + 6);
	free(name);
	free(text);
	return code == CURLE_OK;
}

static bool add_cookies(struct request *request, const char *value)
{
	return curl_easy_setopt(request->curl,
				strchr(value, '=') ? CURLOPT_COOKIE : CURLOPT_COOKIEFILE,
				value) == CURLE_OK;
}

static bool add_header(struct request *request, const char *value)
{
	request->headers = curl_slist_append(request->headers, value);
	return *value != '@';
}

/* Adds an option with a value. Returns false if curl itself must send the request. */
static bool add_option(struct request *request, const char *option, const char *value)
{
	bool is_binary = strcmp(option, "--data-binary") == 0;
	if ((is_binary || strcmp(option, "-d") == 0) && *value == '@')
		return add_file(request, value + 1, is_binary);
	if (is_binary || strcmp(option, "-d") == 0) {
		add_data(request, value, strlen(value));
		return true;
	}
	if (strcmp(option, "--data-urlencode") == 0)
		return add_encoded(request, value);
	if (strcmp(option, "-F") == 0)
		return add_part(request, value, false);
	if (strcmp(option, "--form-string") == 0)
		return add_part(request, value, true);
	if (strcmp(option, "-H") == 0)
		return add_header(request, value);
	if (strcmp(option, "-b") == 0)
		return add_cookies(request, value);
	return strcmp(option, "-c") == 0 &&
	       curl_easy_setopt(request->curl, CURLOPT_COOKIEJAR, value) == CURLE_OK;
}

static bool add_options(struct request *request, char **options, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (strcmp(options[i], "--get") == 0 || strcmp(options[i], "-G") == 0)
			request->is_query = true;
		else if (i + 1 == count || !add_option(request, options[i], options[i + 1]))
			return false;
		else
			i++;
	}
	return !(request->form && request->data);
}

static void set_target(struct request *request, char **words)
{
	CURL *curl = request->curl;
	char *url;
	if (asprintf(&url, "%s%s%s", words[URL],
		     !request->is_query	       ? ""
		     : strchr(words[URL], '?') ? "&"
					       : "?",
		     request->is_query && request->data ? request->data : "") < 0)
		abort();
	curl_easy_setopt(curl, CURLOPT_URL, url);
	free(url);
	if (request->data && !request->is_query) {
		curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->len);
		curl_easy_setopt(curl, CURLOPT_POSTFIELDS, request->data);
	}
	if (request->form)
		curl_easy_setopt(curl, CURLOPT_MIMEPOST, request->form);
	if (strcmp(words[METHOD], "HEAD") == 0)
		curl_easy_setopt(curl, CURLOPT_NOBODY, 1L);
	else
		curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, words[METHOD]);
}

/* Sends a request, and returns the exit status of curl. */
static int perform(char **words, size_t count, long *status)
{
	struct request request = { .curl = curl_easy_init() };
	CURL *curl = request.curl;
	int result = OTHER;
	char agent[64];
	if (!curl || chdir(words[FOLDER]) != 0 ||
	    !add_options(&request, words + OPTIONS, count - OPTIONS))
		goto end;
	FILE *body = fopen(words[BODY_FILE], "w"), *headers = fopen(words[HEADER_FILE], "w");
	if (!body || !headers)
		abort();
	snprintf(agent, sizeof(agent), "curl/%s", curl_version_info(CURLVERSION_NOW)->version);
	set_target(&request, words);
	curl_easy_setopt(curl, CURLOPT_USERAGENT, agent);
	if (getenv("CURL_CA_BUNDLE"))
		curl_easy_setopt(curl, CURLOPT_CAINFO, getenv("CURL_CA_BUNDLE"));
	curl_easy_setopt(curl, CURLOPT_HTTPHEADER, request.headers);
	curl_easy_setopt(curl, CURLOPT_TIMEOUT, (long)REQUEST_MAX_S);
	curl_easy_setopt(curl, CURLOPT_WRITEDATA, body);
	curl_easy_setopt(curl, CURLOPT_HEADERDATA, headers);
	result = (int)curl_easy_perform(curl);
	curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, status);
	fclose(body);
	fclose(headers);
end:
	/* Writes the cookies. */
	curl_easy_cleanup(curl);
	curl_mime_free(request.form);
	curl_slist_free_all(request.headers);
	free(request.data);
	return result;
}

/* Reads a word, to be freed; NULL: the input has ended. */
static char *read_word(void)
{
	char *word = NULL;
	size_t size = 0;
	if (getdelim(&word, &size, '\0', stdin) > 0)
		return word;
	free(word);
	return NULL;
}

int main(void)
{
	char *words[WORDS_MAX], *word;
	signal(SIGPIPE, SIG_IGN);
	/* Daemons that the tests start may have the other end of the input open. */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	curl_global_init(CURL_GLOBAL_DEFAULT);
	while ((word = read_word())) {
		size_t count = (size_t)atol(word), i;
		long status = 0;
		free(word);
		if (count < OPTIONS || count > WORDS_MAX)
			return 1;
		for (i = 0; i < count; i++)
			if (!(words[i] = read_word()))
				return 1;
		int result = perform(words, count, &status);
		printf("%s%c%d%c%03ld%c%s%c", words[ID], 0, result, 0, status, 0,
		       result == OTHER ? "" : curl_easy_strerror((CURLcode)result), 0);
		fflush(stdout);
		while (i > 0)
			free(words[--i]);
	}
	return 0;
}
