/*
 * How an origin sends pages to a mirror host: HTTP requests below `/mirror/v1/`, over HTTPS through
 * the mirror's web server. Each request has `Authorization: Bearer KEY` (the mirror key). A
 * response other than 2xx has the usual JSON envelope. A host that is not a mirror responds 404.
 *
 * Each request names its origin by `X-Daymark-Origin: <id> <step> <token>` (mirror/origin_mark.h).
 * The mirror follows the first origin that sends more than a beat, until another origin takes over.
 * To other origins it responds 409 with a body of text/plain that begins with the line
 * "another-origin", and changes nothing. Origins of older versions do not send the header. They are
 * accepted until an origin with the header has come.
 *
 *   GET  /mirror/v1/pages    200, text/plain: "digest <digest>" (origin_digest_add()), and a line
 *                            "<page id> <version>" for each page. Version "-": some files of the
 *                            page are not as they were sent. The origin sends the page again, or
 *                            sends that it is gone.
 *   POST /mirror/v1/files    parts of files: see mirror/protocol_part.h; 204
 *   POST /mirror/v1/pages    manifests of pages; 204 after all of them are in place and on the
 *                            disk. 409 with a body of text/plain, a SHA-256 in each line, if files
 *                            are missing: the origin sends the files and repeats the request.
 *                            Nothing was changed, with one exception: pages that the body calls
 *                            private are not public any more.
 *   GET  /mirror/v1/site     200, text/plain: a line "<number> <sha256>" for each list of former
 *                            addresses that the mirror has
 *   PUT  /mirror/v1/site     the signing key, and lists of former addresses; 204. 409 as above: all
 *                            lists whose files exist were put in place. If no file is missing, but
 *                            the mirror has another signing key: 409 with the line "another-key";
 *                            all lists were put in place. With the word "replaces-key" after the
 *                            token the mirror replaces its key.
 *   POST /mirror/v1/origin   "take-over\n": the mirror follows this origin from now on, at this
 *                            step. 200, text/plain: "taken over", and "secret <64 hexadecimal
 *                            digits>", the mirror's signing key, if it has one.
 *   POST /mirror/v1/beat     "complete\n" or "incomplete\n": whether the origin has more to
 *                            send; 200, text/plain: "digest <digest>". 409 if the mirror's folder
 *                            was made after the last GET /mirror/v1/pages: pages may be missing,
 *                            and the origin compares them.
 *
 * All bodies are at most PROTOCOL_BODY_MAX bytes. Large files come in parts, and many pages in
 * several requests. Each request is complete by itself.
 *
 * A body of parts has for each part the line "<sha256 of the file> <size of the file> <offset>
 * <length>\n" and `length` bytes. Parts of a file come in ascending order and may be repeated. The
 * mirror keeps the files aside. It forgets a file that no manifest and no shared data have named
 * for an hour. 422 if a part does not continue the mirror's part of the file, or if the complete
 * file has another SHA-256: the origin sends the file from its beginning.
 *
 * A body of manifests has lines in this order for each page:
 *
 *   page <page id> <version> <place> <slug> <domain, or ->
 *   file <sha256> <size> <name>         once for each file, index.html last
 *   end
 * or, for a page that is to be removed:
 *   gone <page id>
 *
 * <place> is public, noindex or private. A private page has its access record (PAGE_ACCESS_FILE)
 * among its files. Compressed twins ("status.json.gz") are files like others; index.html.gz comes
 * directly before index.html. No two pages of a body have the same id, slug or domain. A page takes
 * over an address of another page only if that page loses the address in the same body, or has lost
 * it before. Otherwise the mirror responds 422.
 *
 * A body of shared data (mirror/shared_data.h) has the line "secret <64 hexadecimal digits>". It
 * has a line "list <number> <sha256> <size>" for each list that the mirror replaces. Its path is
 * /site, as in older versions. A list has lines "former <slug> <page id>" or "former-host <domain>
 * <page id>". The number of a list is two hexadecimal digits. For each of its lines, the SHA-256 of
 * the line up to its last blank begins with these digits. A list is sent as a file. An empty list
 * is not sent.
 *
 * Origin and mirror may be of different versions. A mirror accepts what older origins send. If an
 * older mirror responds 404 or 405 to a request, the origin works without this request.
 */
#ifndef MIRROR_PROTOCOL_H
#define MIRROR_PROTOCOL_H

enum {
	PROTOCOL_BODY_MAX = 4 << 20,
	PROTOCOL_KEY_MIN = 32,	      /* characters of a mirror key */
	PROTOCOL_FILE_MAX = 16 << 20, /* bytes of a file, as on origins (PAGE_FILE_MAX_BYTES) */
};

#define PROTOCOL_PATH	      "/mirror/v1"
#define PROTOCOL_ORIGIN	      "X-Daymark-Origin"
#define PROTOCOL_REPLACES_KEY "replaces-key"
#define PROTOCOL_OTHER_ORIGIN "another-origin"
#define PROTOCOL_OTHER_KEY    "another-key"

#endif
