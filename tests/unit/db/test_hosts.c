#include "unit/lib/unit.h"

#include "db/hosts.h"

static void the_list_is_read(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		unsigned port;
		bool is_malformed;
	} wanted[] = {
		{ "db1", 0, false },	 { "db2", 3307, false }, { "::1", 3308, false },
		{ "fe80::1", 0, false }, { "db3", 0, true },	 { "db4", 70000, true },
		{ "", 0, true },
	};
	struct db_hosts hosts;
	db_hosts_init(&hosts, "db1, db2:3307 ,[::1]:3308,[fe80::1],db3:,db4:70000,");
	assert_int_equal(ARRAY_LEN(wanted), hosts.count);
	for (size_t i = 0; i < hosts.count; i++) {
		assert_string_equal(wanted[i].name, hosts.list[i].name);
		assert_int_equal(wanted[i].is_malformed, hosts.list[i].is_malformed);
		if (!wanted[i].is_malformed)
			assert_int_equal(wanted[i].port, hosts.list[i].port);
	}
	db_hosts_done(&hosts);
	db_hosts_init(&hosts, NULL);
	assert_int_equal(0, hosts.count);
	db_hosts_done(&hosts);
}

static void a_shunned_host_is_left_alone_for_a_while(void **state)
{
	(void)state;
	struct db_hosts hosts;
	db_hosts_init(&hosts, "a,b,c");
	db_hosts_shun(&hosts, 0, 1000, 10);
	assert_int_equal(1, db_hosts_next(&hosts, 0, false, 1000));
	assert_int_equal(0, db_hosts_next(&hosts, 0, true, 1000));
	assert_int_equal(3, db_hosts_next(&hosts, 1, true, 1000));
	assert_int_equal(1, db_hosts_next(&hosts, 0, false, 1000 + 4999));
	assert_int_equal(0, db_hosts_next(&hosts, 0, false, 1000 + 6250));
	/* A host whose failed attempt took five seconds is not tried every five seconds. */
	db_hosts_shun(&hosts, 0, 10000, 5000);
	assert_int_equal(1, db_hosts_next(&hosts, 0, false, 10000 + 99999));
	assert_int_equal(0, db_hosts_next(&hosts, 0, false, 10000 + 125000));
	db_hosts_done(&hosts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_list_is_read),
		cmocka_unit_test(a_shunned_host_is_left_alone_for_a_while),
	};
	return RUN(tests);
}
