/*
 * MySQL's or MariaDB's client library. A process loads the library when it first needs the
 * database: loading takes longer than most requests to a CGI program. Include this header instead
 * of mysql.h. If you use another function of the library, add it to both lists below.
 *
 * If configure has found only a static library, DB_LIBRARY is not defined, and the program is
 * linked with the library.
 */
#ifndef DB_CLIENT_H
#define DB_CLIENT_H

#include <mysql.h>

#ifdef DB_LIBRARY

#define DB_CLIENT_FUNCTIONS(X) \
	X(mysql_close) \
	X(mysql_errno) \
	X(mysql_error) \
	X(mysql_fetch_fields) \
	X(mysql_fetch_row) \
	X(mysql_free_result) \
	X(mysql_init) \
	X(mysql_options) \
	X(mysql_query) \
	X(mysql_real_connect) \
	X(mysql_server_init) \
	X(mysql_stmt_affected_rows) \
	X(mysql_stmt_bind_param) \
	X(mysql_stmt_bind_result) \
	X(mysql_stmt_close) \
	X(mysql_stmt_errno) \
	X(mysql_stmt_error) \
	X(mysql_stmt_execute) \
	X(mysql_stmt_fetch) \
	X(mysql_stmt_fetch_column) \
	X(mysql_stmt_field_count) \
	X(mysql_stmt_free_result) \
	X(mysql_stmt_init) \
	X(mysql_stmt_insert_id) \
	X(mysql_stmt_num_rows) \
	X(mysql_stmt_param_count) \
	X(mysql_stmt_prepare) \
	X(mysql_stmt_result_metadata) \
	X(mysql_stmt_store_result) \
	X(mysql_store_result)

/* The functions, with the types of mysql.h. Valid after db_client_load(). */
struct db_client {
#define DB_CLIENT_MEMBER(name) __typeof__(name) *call_##name;
	DB_CLIENT_FUNCTIONS(DB_CLIENT_MEMBER)
#undef DB_CLIENT_MEMBER
};
extern struct db_client db_client;

#define mysql_close		   db_client.call_mysql_close
#define mysql_errno		   db_client.call_mysql_errno
#define mysql_error		   db_client.call_mysql_error
#define mysql_fetch_fields	   db_client.call_mysql_fetch_fields
#define mysql_fetch_row		   db_client.call_mysql_fetch_row
#define mysql_free_result	   db_client.call_mysql_free_result
#define mysql_init		   db_client.call_mysql_init
#define mysql_options		   db_client.call_mysql_options
#define mysql_query		   db_client.call_mysql_query
#define mysql_real_connect	   db_client.call_mysql_real_connect
#define mysql_server_init	   db_client.call_mysql_server_init
#define mysql_stmt_affected_rows   db_client.call_mysql_stmt_affected_rows
#define mysql_stmt_bind_param	   db_client.call_mysql_stmt_bind_param
#define mysql_stmt_bind_result	   db_client.call_mysql_stmt_bind_result
#define mysql_stmt_close	   db_client.call_mysql_stmt_close
#define mysql_stmt_errno	   db_client.call_mysql_stmt_errno
#define mysql_stmt_error	   db_client.call_mysql_stmt_error
#define mysql_stmt_execute	   db_client.call_mysql_stmt_execute
#define mysql_stmt_fetch	   db_client.call_mysql_stmt_fetch
#define mysql_stmt_fetch_column	   db_client.call_mysql_stmt_fetch_column
#define mysql_stmt_field_count	   db_client.call_mysql_stmt_field_count
#define mysql_stmt_free_result	   db_client.call_mysql_stmt_free_result
#define mysql_stmt_init		   db_client.call_mysql_stmt_init
#define mysql_stmt_insert_id	   db_client.call_mysql_stmt_insert_id
#define mysql_stmt_num_rows	   db_client.call_mysql_stmt_num_rows
#define mysql_stmt_param_count	   db_client.call_mysql_stmt_param_count
#define mysql_stmt_prepare	   db_client.call_mysql_stmt_prepare
#define mysql_stmt_result_metadata db_client.call_mysql_stmt_result_metadata
#define mysql_stmt_store_result	   db_client.call_mysql_stmt_store_result
#define mysql_store_result	   db_client.call_mysql_store_result

#endif

#endif
