/* The header Accept-Language (RFC 9110 12.5.4). */
#ifndef WIRE_ACCEPT_LANGUAGE_H
#define WIRE_ACCEPT_LANGUAGE_H

/*
 * The language of the list, which ends with NULL, that the browser prefers. Only the languages
 * themselves are compared, not their regions: "pt" and "pt-PT" accept "pt-BR". Without an accepted
 * language, and without a header (NULL), it is the first language.
 */
const char *accepted_language(const char *header, const char *const *languages);

#endif
