/* The header Accept-Language (RFC 9110 12.5.4). */
#ifndef WIRE_ACCEPT_LANGUAGE_H
#define WIRE_ACCEPT_LANGUAGE_H

/*
 * Returns the language of the list (NULL at its end) that the browser prefers. Only the languages
 * themselves are compared, not their regions: "pt" and "pt-PT" accept "pt-BR". Returns the first
 * language if the browser accepts no language of the list, or `header` is NULL.
 */
const char *accepted_language(const char *header, const char *const *languages);

#endif
