/* XML documents, by expat, which is loaded when a process first reads a document. A document with a
 * document type is rejected, because the type could define entities. */
#ifndef WIRE_XML_H
#define WIRE_XML_H

#include "base/error.h"
#include "base/str.h"

enum { XML_DEPTH_MAX = 8, XML_PATH_MAX = 256, XML_TEXT_MAX = 4096 };

/*
 * Called at the end of each element. `path` leads from the root to the element, such as
 * "Error/Code", without prefixes of namespaces. `text` is the element's text after its last inner
 * element. Both are borrowed.
 */
typedef void xml_element(void *context, const char *path, struct str text);

/* Reads a document. Returns E_MALFORMED if the text is no XML, has a document type, or exceeds the
 * limits above. Returns E_FAILED if expat is not installed. The error's log text has the reason. */
enum result xml_read(struct str document, xml_element *element, void *context, struct error *error)
	MUST_USE;

#endif
