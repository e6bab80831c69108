/*
 * The pool of a FastCGI worker process: its connections, and the threads that serve them. libfcgi
 * (fcgiapp.h) reads requests. gateway_fcgi.c has the threads. fcgi_connection.c has the states of a
 * connection. fcgi_request.c and fcgi_response.c read and send its data. fcgi_limits.c has the
 * limits for slow senders and slow receivers.
 */
#ifndef HTTP_FCGI_POOL_H
#define HTTP_FCGI_POOL_H

#include <fcgiapp.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/queue.h>

#include "base/buf.h"
#include "http/gateway.h"

struct pool;
struct seat;
struct connection;

/* Interrupts a thread that waits for a body. The handler does nothing. */
#define FCGI_READER_SIGNAL SIGUSR1

/* A request that libfcgi has read. */
struct fcgi_request {
	struct gateway gateway;
	FCGX_Request fcgx; /* must not move in memory: its streams point to it */
	struct pool *pool;
	struct connection *connection; /* NULL after the response was completed */
	struct seat *seat;	       /* the thread that serves the request */
	struct buf body;	       /* at most a byte more than max_body_bytes */
	size_t body_at;
	bool is_kept;		/* the web server wants to keep the connection */
	bool has_rest;		/* a part of the body was not read */
	size_t variables_bytes; /* memory of its variables */
};

enum connection_state {
	CONNECTION_BUSY,    /* a thread handles it */
	CONNECTION_IDLE,    /* waits for a request */
	CONNECTION_READING, /* a thread waits for its body */
	CONNECTION_READ,    /* a complete request waits for a serving thread */
	CONNECTION_SENDING, /* waits until it is writable */
	CONNECTION_ENDING,  /* its response was sent; drops input until the web server closes it */
};

struct connection {
	int fd; /* -1: libfcgi has closed it */
	struct pool *pool;
	struct fcgi_request *request;  /* a request that was read and not yet served; NULL: none */
	bool is_awaited;	       /* its request did not arrive at once; counts as
					  unfinished */
	struct buf out;		       /* records to be sent */
	size_t out_at;		       /* how many bytes of `out` were sent */
	bool is_last;		       /* close it after this response */
	bool has_rest;		       /* read and drop the rest of the body, then close it */
	LIST_ENTRY(connection) others; /* all connections of the process */
	/* The pool's lock guards the members below. */
	enum connection_state state;
	/*
	 * The time at which the web server counts as too slow; 0: the connection does not wait. At
	 * this time a wait to send ends, but a wait for a body goes on. When memory is needed, the
	 * wait with the earliest deadline ends first.
	 */
	int64_t deadline_ms;
	pthread_t reader;	    /* if CONNECTION_READING: the thread that reads from it */
	size_t held_bytes;	    /* memory of its incomplete request, or of its response */
	bool is_overdue;	    /* end_wait() has ended its wait; a reader stops soon */
	enum result overdue_result; /* the result for the request whose wait was ended */
	bool is_given_up;	    /* the web server was asked to close it */
};

/* A serving thread. */
struct seat {
	void *state; /* the responder's state for this thread */
	/* The pool's lock guards the members below. */
	int64_t busy_since_ms; /* 0: not busy */
	bool is_stood_in_for;
	LIST_ENTRY(seat) others;
};

struct pool {
	int listen_fd;
	int epoll_fd;
	int wake_fd; /* readable while the pool is draining */
	const struct responder *responder;
	const struct fcgi_limits *limits;
	atomic_bool is_draining;
	int64_t draining_since_ms; /* set before is_draining */
	atomic_long served;
	pthread_mutex_t lock; /* guards the members below */
	LIST_HEAD(, connection) connections;
	LIST_HEAD(, seat) seats;
	long readers; /* threads that read bodies */
	long stand_ins;
	long surplus; /* how many stand-ins must stop serving */
	long resting; /* how many stand-ins wait until they are needed */
	long called;  /* how many resting stand-ins must serve again */
	pthread_cond_t stand_in_called;
	pthread_cond_t thread_left;
};

/* Accepts a pending connection, if there is one, and waits for its input. */
void connection_accept(struct pool *pool);

/*
 * Serves a complete request, or starts a reader thread for an incomplete request. Then closes the
 * connection if the web server does not want to keep it, if either side has ended it, or if the
 * pool is draining. Otherwise waits for the next request. Returns true if a request was served.
 */
bool connection_serve(struct pool *pool, struct connection *connection, struct seat *seat);

/* Reads the request of the connection up to its end, and waits for missing parts. Returns false if
 * the connection is to be closed. */
bool fcgi_request_read(struct connection *connection);
void fcgi_request_done(struct fcgi_request *request);

/* Appends a part of the response: the `write` of struct gateway. */
bool fcgi_response_write(struct gateway *gateway, const void *data, size_t len);
/* Appends the end of the response to the request with this id. */
void fcgi_response_end(struct connection *connection, int id);
/* Appends a record that makes the web server close the connection. */
void fcgi_farewell(struct connection *connection);
/* Sends appended records until the socket accepts no more. Returns false if the connection is lost,
 * or if there was no memory. */
bool fcgi_response_send(struct connection *connection) MUST_USE;

/* Lets a stand-in serve until this thread has completed its request. */
void pool_pause(struct pool *pool, struct seat *seat);

/* Starts a reader thread, which calls connection_read(). Returns false if no thread can start. */
bool pool_start_reader(struct pool *pool, struct connection *connection);
void connection_read(struct connection *connection);

/* Sets the state CONNECTION_READING: this thread waits for the body. Sets how much memory the
 * connection uses. Returns false if the thread must stop reading, because the wait was ended. */
bool connection_set_reading(struct connection *connection, size_t held_bytes);
/* Ends the state CONNECTION_READING: from now on no other thread can end the wait for the body.
 * Returns OK, or the reason if another thread has already ended the wait. */
enum result connection_end_reading(struct connection *connection) MUST_USE;

/* Whether the incomplete request may use this much memory. Ends slow requests if that makes
 * room. */
bool connection_has_room(struct connection *connection, size_t held_bytes);

/* Sets the state CONNECTION_SENDING: no thread handles the connection until its socket is
 * writable. */
void connection_set_sending(struct connection *connection);

/* Ends the waits with a passed deadline, except waits for a body. While there are too many unsent
 * responses, ends the slowest. */
void connections_look_after(struct pool *pool);

/*
 * Closes the connections of a draining pool in steps, by the time since draining began. First asks
 * the web server to close idle connections. Later stops reading from idle connections that are
 * still open, but serves requests that have arrived. At last ends all waits. Returns false if there
 * was no connection.
 */
bool connections_give_up(struct pool *pool, int64_t draining_ms);

#endif
