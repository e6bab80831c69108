/*
 * Who may see a page that is not public, without asking the database: what is
 * needed is published beside the page's files, and the signing key lies in the
 * pages folder.
 *
 * A link is bound to the page and its end. A cookie keeps what its visitor was
 * admitted by, a password or a link, and so does a pass, which opens the files
 * that a page is made of for some minutes. Both are judged by the privacy that the
 * page has when they come back: a password counts only while the page asks for that
 * very password, a link until its end.
 */
#ifndef PUBLISH_GATE_H
#define PUBLISH_GATE_H

#include "base/buf.h"
#include "base/clock.h"
#include "domain/status_page.h"
#include "publish/pages_dir.h"

/* Its name has no extension that is served. */
#define GATE_FILE "gate"

/* Below a domain's name: the slug of the page whose domain it is. */
#define GATE_HOST_FILE "slug"

enum {
	GATE_PASS_S = 600,	   /* how long the files that a page is made of can be fetched */
	GATE_COOKIE_S = 12 * 3600, /* how long a right password is remembered */
	GATE_TRIES = 10,	   /* wrong passwords a minute, for each page and address */
};

struct gate {
	int64_t page_id;
	int64_t account_id;
	int privacy;
	const char *password_hash; /* "" for none; owned by the arena */
};

void gate_write(struct buf *out, const struct status_page *page);
/* E_NOT_FOUND when there is no such gated page; E_UNAVAILABLE when there may be one, and its
 * gate or the signing key cannot be read. */
enum result gate_read(const struct pages_dir *dir, const char *slug, struct arena *arena,
		      struct gate *gate, struct error *error) MUST_USE;

enum gate_means {
	GATE_BY_PASSWORD,
	GATE_BY_LINK, /* or by a key */
};

/* What a visitor was admitted by, and how long that lasts. */
struct gate_grant {
	enum gate_means means;
	struct instant end;
};

/*
 * "<end>.<signature>", owned by the arena; NULL when the key cannot be had. The
 * signature says what it is for: no cookie is a pass or a link.
 */
const char *gate_cookie(const struct pages_dir *dir, const struct gate *gate,
			const struct gate_grant *grant, struct arena *arena);
const char *gate_pass(const struct pages_dir *dir, const struct gate *gate,
		      const struct gate_grant *grant, struct arena *arena);
const char *gate_link(const struct pages_dir *dir, int64_t page_id, struct instant end,
		      struct arena *arena);

/* What was given to a visitor, and when it comes back. */
struct gate_token {
	struct str text;
	struct instant now;
};
/* True: it opens the page as it is now, and *grant is what it stands for. */
bool gate_cookie_holds(const struct pages_dir *dir, const struct gate *gate,
		       const struct gate_token *token, struct arena *arena,
		       struct gate_grant *grant);
bool gate_pass_holds(const struct pages_dir *dir, const struct gate *gate,
		     const struct gate_token *token, struct arena *arena, struct gate_grant *grant);
bool gate_link_holds(const struct pages_dir *dir, const struct gate *gate,
		     const struct gate_token *token, struct arena *arena, struct gate_grant *grant);

/* The signing key in hexadecimal, for a backup; NULL when it cannot be had. */
const char *gate_key_text(const struct pages_dir *dir, struct arena *arena);
/* Puts it back: cookies and links that were signed by it hold. E_INVALID: it is none. */
enum result gate_key_replace(const struct pages_dir *dir, struct str text, struct error *error)
	MUST_USE;

#endif
