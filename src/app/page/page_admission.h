/*
 * Admits visitors to pages that are not public. page_admission_check() is the only function that
 * decides this for a request, for all files of a page.
 *
 * A private page admits an API key of the page's account as Bearer, or a signed link. Other
 * requests get the same response as for a page that does not exist. A page with a password also
 * admits visitors who send the password in a form, and later their cookie. Only an API key needs
 * the database, so passwords and links work while the database is down.
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
	bool is_asset; /* an asset token is enough for the file */
	/* Set by page_admission_check(). */
	enum admission admission;
	struct visitor_grant grant; /* the grant of the visitor, with ADMISSION_OPEN */
	struct page_access access;
	struct signing_key key; /* the key, if has_key */
	bool has_key;
};

/*
 * Sets visit->admission. With ADMISSION_REDIRECT, the redirect and the link's cookie are in the
 * response. E_UNAVAILABLE: the page's access file or the signing key cannot be read, or the
 * database, which has the API keys, is away. If no such page exists, takes the same steps and gives
 * ADMISSION_CLOSED. So guessed keys take the same time, and count against the same limit, as keys
 * at a page that exists.
 */
enum result page_admission_check(struct exchange *exchange, struct page_visit *visit) MUST_USE;

/* The token for the files of an admitted visitor's page; NULL: the key cannot be read. */
const char *page_admission_asset_token(struct exchange *exchange, const struct page_visit *visit);

/* Whether the page is private: only visitors with a token may learn that the page exists. */
enum result page_admission_is_private(struct exchange *exchange, const char *slug, bool *is_private)
	MUST_USE;
/* Responds with the page's password form. problem: a sentence about the last attempt, or NULL. */
void page_admission_ask_password(struct exchange *exchange, const struct page_access *access,
				 const char *problem);

/* POST /s/{slug}/: a password. */
enum result page_admission_enter_password(struct exchange *exchange);
extern const struct fields page_admission_fields;

#endif
