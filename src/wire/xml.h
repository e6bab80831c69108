/* Reads XML documents by expat, which is loaded when a process reads its first document. Rejects a
 * document with a document type, because the document type could define entities. */
#ifndef WIRE_XML_H
#define WIRE_XML_H

#include "base/error.h"
#include "base/str.h"

enum { XML_DEPTH_MAX = 8, XML_PATH_MAX = 256, XML_TEXT_MAX = 4096 };

/*
 * Called at the end of each element. `path` has the names from the root to the element, without
 * namespace prefixes: "Error/Code". `text` is the element's text after its last inner element.
 * `path` and `text` are borrowed.
 */
typedef void xml_element(void *context, const char *path, struct str text);

/* Reads a document. E_MALFORMED: the text is not XML, has a document type, or exceeds
 * XML_DEPTH_MAX, XML_PATH_MAX or XML_TEXT_MAX. E_FAILED: expat is missing. The error's log text has
 * the reason. */
enum result xml_read(struct str document, xml_element *element, void *context, struct error *error)
	MUST_USE;

#endif
