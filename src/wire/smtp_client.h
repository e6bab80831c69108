/* Sends messages to a mail server by SMTP (RFC 5321), with libcurl. A client keeps its connection
 * for the next message. Only one thread may use it at a time. */
#ifndef WIRE_SMTP_CLIENT_H
#define WIRE_SMTP_CLIENT_H

#include "base/arena.h"
#include "base/error.h"
#include "base/str.h"

struct smtp_client;

/* The settings must outlive the client. */
struct smtp_settings {
	const char *url;      /* smtp://HOST:PORT; smtps://HOST:PORT uses TLS from the start */
	const char *name;     /* the name of this client, for EHLO */
	const char *user;     /* NULL: without login */
	const char *password; /* of the user */
	const char *ca_file;  /* NULL: the system's authorities */
	bool needs_tls;	      /* smtp:// requires STARTTLS; false: smtp:// does not use TLS */
	int limit_s;	      /* the longest time for sending a message */
};

/* Returns E_FAILED if libcurl is missing. */
enum result smtp_client_open(struct smtp_client **client, const struct smtp_settings *settings,
			     struct error *error) MUST_USE;
/* Closes the client, which may be NULL. */
void smtp_client_close(struct smtp_client *client);

struct smtp_outcome {
	bool is_accepted;
	int code;	  /* the code by which the server accepted or refused; 0: it did neither */
	const char *text; /* the text of this reply, or why none came; owned by the arena */
};
/* Sends a message to one recipient. All lines of the message must end with CRLF. If the server has
 * closed the kept connection, opens a new one. */
void smtp_client_send(struct smtp_client *client, const char *from, const char *to,
		      struct str message, struct arena *arena, struct smtp_outcome *outcome);

#endif
