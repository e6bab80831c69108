# Certificates and domains that end, with daymark-check and a registry of the tests' own.
load lib
load ../lib/world

setup() {
	setup_of_lib
	check=${DAYMARK_BUILD:-$TOP/build}/daymark-check
	mkfifo "$BATS_TEST_TMPDIR/end"
	"$TOP/tests/lib/http-server" "$BATS_TEST_TMPDIR" >"$BATS_TEST_TMPDIR/ports" <>"$BATS_TEST_TMPDIR/end" 3>&- &
	server=$!
	disown "$server"
	soon [ -s "$BATS_TEST_TMPDIR/ports" ]
	read -r http https _ expired _ <"$BATS_TEST_TMPDIR/ports"
	world one
	conf=$(world_conf one)
	printf '\n[checker]\ncheck_allow_private = yes\nca_file = %s\nrdap_bootstrap = %s\n' "$BATS_TEST_TMPDIR/ca.pem" \
		"http://127.0.0.1:$http/registries/com=$(date -u -d '+20 days' +%FT%TZ),org=404" >>"$conf"
}

teardown() {
	local process
	for process in ${checker:-} ${server:-}; do
		kill -9 "$process" 2>/dev/null || true
	done
	worlds_end
}

# monitor NAME URL [OPTION]...: sets $monitor to its id.
monitor() {
	local name=$1 url=$2
	shift 2
	monitor=$("$ctl" monitor add "$name" "$url" --config "$conf" --json --timeout 2s --interval 1s "$@" | jq .id)
}

checks() {
	"$check" --config "$conf" >>"$BATS_TEST_TMPDIR/out" 2>>"$BATS_TEST_TMPDIR/err" 3>&- &
	checker=$!
}

# alerts KIND: how many there are.
alerts() {
	world_sql one "SELECT COUNT(*) FROM events WHERE kind = 'monitor.$1'"
}

has_alerts() {
	[ "$(alerts "$1")" = "$2" ]
}

asked() {
	curl -fs "http://127.0.0.1:$http/rdap/asked"
}

@test "two monitors of a domain ask its registry once, and each tells its end once, also after kill -9" {
	monitor Shop "https://www.daymark-test.com:1/" --type http --domain-alert-days 30
	shop=$monitor
	monitor Mail "daymark-test.com:1" --type tcp --domain-alert-days 60
	monitor Late "daymark-test.com:1" --type tcp --domain-alert-days 14
	monitor Other "daymark-test.org:1" --type tcp --domain-alert-days 60
	checks
	soon has_alerts domain_expiring 2
	kill -9 "$checker"
	world_sql one 'UPDATE check_locations SET holder = NULL'
	world_sql one "SELECT detail FROM events WHERE kind = 'monitor.domain_expiring' AND object_id = $shop" |
		grep -qE '^expires 20.*Z, in (19|20) days$'
	"$check" --once --config "$conf"
	"$check" --once --config "$conf"
	has_alerts domain_expiring 2
	[ "$(asked | tr ' ' '\n' | sort | xargs)" = "daymark-test.com daymark-test.org" ]
	[ "$(world_sql one "SELECT COUNT(*) FROM monitor_states WHERE domain_expires_at IS NULL AND domain_asked_at IS NOT NULL")" = 1 ]
	refute grep -q level=warn "$BATS_TEST_TMPDIR/err"
}

@test "a certificate that ends is told once, by cron too, and so is another issuer" {
	monitor Web "https://127.0.0.1:$https/status/200" --type http --issuer-alert
	web=$monitor
	monitor Short "https://127.0.0.1:$https/status/200" --type http --ssl-alert-days 1
	for run in 1 2 3; do
		"$check" --once --config "$conf"
		world_sql one 'UPDATE monitor_states SET checked_at = checked_at - INTERVAL 1 SECOND'
	done
	has_alerts certificate_expiring 1
		world_sql one "SELECT object_id, detail FROM events WHERE kind = 'monitor.certificate_expiring'" |
		grep -qE "^$web.expires 20.*Z, in (1 day|2 days)\$"
	world_sql one "UPDATE monitor_states SET tls_issuer_told = 'CN = a former one'"
	"$check" --once --config "$conf"
	"$check" --once --config "$conf"
	has_alerts issuer_changed 1
	world_sql one "SELECT detail FROM events WHERE kind = 'monitor.issuer_changed'" |
		grep -qx 'CN = authority of a test, before: CN = a former one'
}

@test "--explain shows both ends" {
	monitor Web "https://127.0.0.1:$https/status/200" --type http --domain-alert-days 30
	run "$check" --explain Web --config "$conf"
	[ "$status" = 0 ]
	[[ "$output" == *$'\ncertificate  expires 20'*'issued by CN = authority of a test'* ]]
	[[ "$output" != *$'\ndomain'* ]]
	monitor Shop "daymark-test.com:1" --type tcp --domain-alert-days 30
	run "$check" --explain Shop --config "$conf"
	[[ "$output" == *$'\ndomain       daymark-test.com: expires 20'*'Z, in '[12][09]' days'* ]]
	monitor Org "daymark-test.org:1" --type tcp --domain-alert-days 30
	run "$check" --explain Org --config "$conf"
	[[ "$output" == *$'\ndomain       daymark-test.org: unknown when it expires, HTTP status 404'* ]]
}
