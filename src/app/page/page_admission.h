/*
 * Admits visitors to pages that are not public. Only page_admission_check() decides whether a
 * request is admitted, for all files of a page.
 *
 * A private page admits an API key of the page's account as Bearer, or a signed link. Other
 * requests get the same response as for a page that does not exist. A page with a password also
 * admits visitors who send the password in a form; their next requests have a cookie. Only an API
 * key needs the database, so passwords and links work while the database is down.
 */
#ifndef APP_PAGE_PAGE_ADMISSION_H
#define APP_PAGE_PAGE_ADMISSION_H

#include "access/admission.h"
#include "app/exchange.h"
#include "publish/page/pages_reader.h"

/* A request for a file of a page that is not public. */
struct page_visit {
	const struct pages_reader *reader;
	const char *slug;
	bool is_asset; /* an asset token admits to the file */
	/* Set by page_admission_check(). */
	enum admission admission;
	struct visitor_grant grant; /* the visitor's grant, if `admission` is ADMISSION_OPEN */
	struct page_access access;
	struct signing_key key; /* the signing key, if has_key */
	bool has_key;
};

/*
 * Sets visit->admission. For ADMISSION_REDIRECT, also adds the redirect and the link's cookie to
 * the response. E_UNAVAILABLE: the page's access file, the signing key, or the database with the
 * API keys cannot be read. If no such page exists, sets ADMISSION_CLOSED after the same work:
 * whether the page exists or not, a guessed key takes the same time, and counts as a wrong key.
 */
enum result page_admission_check(struct exchange *exchange, struct page_visit *visit) MUST_USE;

/* Returns the asset token with which an admitted visitor gets the files of the page. NULL: the
 * signing key cannot be read. */
const char *page_admission_asset_token(struct exchange *exchange, const struct page_visit *visit);

/* Sets *is_private. Only visitors with a token may know that a private page exists. */
enum result page_admission_is_private(struct exchange *exchange, const char *slug, bool *is_private)
	MUST_USE;
/* Responds with the page's password form. `problem`: a sentence about the last attempt, or NULL. */
void page_admission_ask_password(struct exchange *exchange, const struct page_access *access,
				 const char *problem);

/* POST /s/{slug}/, with a password. */
enum result page_admission_enter_password(struct exchange *exchange);
extern const struct fields page_admission_fields;

#endif
