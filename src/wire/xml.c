#include "wire/xml.h"

#include <expat.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/library.h"

#define EXPAT_FUNCTIONS(X) \
	X(ErrorString) \
	X(GetErrorCode) \
	X(Parse) \
	X(ParserCreate) \
	X(ParserFree) \
	X(SetCharacterDataHandler) \
	X(SetElementHandler) \
	X(SetStartDoctypeDeclHandler) \
	X(SetUserData) \
	X(StopParser)

/* The functions of expat, without "XML_" in their names. Use them only after load_library(). */
static struct {
#define MEMBER(name) __typeof__(XML_##name) *name;
	EXPAT_FUNCTIONS(MEMBER)
#undef MEMBER
} expat;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char failure[LIBRARY_FAILURE_SIZE]; /* why the library cannot be used; empty: it is ready */

static void load_library(void)
{
#ifdef EXPAT_LIBRARY
	static const struct library_symbol symbols[] = {
#define SYMBOL(name) { "XML_" #name, &expat.name },
		EXPAT_FUNCTIONS(SYMBOL)
#undef SYMBOL
	};
	library_load(EXPAT_LIBRARY, symbols, ARRAY_LEN(symbols), failure);
#else
#define LINKED(name) expat.name = XML_##name;
	EXPAT_FUNCTIONS(LINKED)
#undef LINKED
#endif
}

struct reading {
	XML_Parser parser;
	xml_element *element;
	void *context;
	char path[XML_PATH_MAX];
	size_t depth;
	size_t ends[XML_DEPTH_MAX]; /* for each open element: the length of its parent's path */
	/* The text of the innermost open element. The begin and end of an inner element clear the
	 * text: the documents that are read have no elements with both text and elements. */
	char text[XML_TEXT_MAX];
	size_t len;
	const char *problem;
};

static void stop(struct reading *reading, const char *problem)
{
	reading->problem = problem;
	expat.StopParser(reading->parser, XML_FALSE);
}

static void begin_element(void *context, const char *name, const char **attributes)
{
	(void)attributes;
	struct reading *reading = context;
	const char *colon = strchr(name, ':');
	size_t before = strlen(reading->path);
	if (reading->depth == XML_DEPTH_MAX) {
		stop(reading, "it is nested too deeply");
		return;
	}
	reading->ends[reading->depth++] = before;
	reading->len = 0;
	size_t room = sizeof(reading->path) - before;
	int len = snprintf(reading->path + before, room, "%s%s", before > 0 ? "/" : "",
			   colon ? colon + 1 : name);
	if (len < 0 || (size_t)len >= room)
		stop(reading, "a name is too long");
}

static void end_element(void *context, const char *name)
{
	(void)name;
	struct reading *reading = context;
	if (reading->problem)
		return;
	reading->text[reading->len] = '\0';
	reading->element(reading->context, reading->path,
			 (struct str){ reading->text, reading->len });
	reading->path[reading->ends[--reading->depth]] = '\0';
	reading->len = 0;
}

static void add_text(void *context, const char *data, int len)
{
	struct reading *reading = context;
	if (reading->len + (size_t)len >= sizeof(reading->text)) {
		stop(reading, "a text is too long");
		return;
	}
	memcpy(reading->text + reading->len, data, (size_t)len);
	reading->len += (size_t)len;
}

static void refuse_type(void *context, const char *name, const char *system_id,
			const char *public_id, int has_subset)
{
	(void)name;
	(void)system_id;
	(void)public_id;
	(void)has_subset;
	stop(context, "it has a document type");
}

enum result xml_read(struct str document, xml_element *element, void *context, struct error *error)
{
	struct reading reading = { .element = element, .context = context };
	pthread_once(&once, load_library);
	if (failure[0] != '\0')
		return error_log(error, E_FAILED, "the library for XML cannot be loaded: %s",
				 failure);
	reading.parser = expat.ParserCreate(NULL);
	if (!reading.parser)
		return error_log(error, E_FAILED, "no memory for reading XML");
	expat.SetUserData(reading.parser, &reading);
	expat.SetElementHandler(reading.parser, begin_element, end_element);
	expat.SetCharacterDataHandler(reading.parser, add_text);
	expat.SetStartDoctypeDeclHandler(reading.parser, refuse_type);
	bool is_read = document.len <= INT_MAX &&
		       expat.Parse(reading.parser, document.data, (int)document.len, XML_TRUE) ==
			       XML_STATUS_OK;
	if (!is_read && !reading.problem)
		reading.problem = expat.ErrorString(expat.GetErrorCode(reading.parser));
	expat.ParserFree(reading.parser);
	return is_read ? OK
		       : error_log(error, E_MALFORMED, "not an XML document that is expected: %s",
				   reading.problem);
}
