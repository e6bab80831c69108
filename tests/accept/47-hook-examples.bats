# The examples of docs/MONITORING.md, as they stand.
load lib

list=/api/v1/incidents

new_monitor() {
	monitor=$("$ctl" monitor add "Example $(new_slug)" https://example.org/ --account "$account" --json | jq .id)
}

# The examples expect the programs on the path, the address and the key where their comments say.
setup() {
	setup_of_lib
	export PATH="$TOP/conf/hooks:$(dirname "$ctl"):$PATH"
	export DAYMARK_URL=$base DAYMARK_KEY_FILE=$BATS_TEST_TMPDIR/key
	printf '%s\n' "$key" >"$DAYMARK_KEY_FILE"
}

total() {
	api GET "$list?monitor_id=$monitor&status=$1"
	[ "$(jq .meta.total "$answer")" = "$2" ]
}

@test "daymark-report reports down and up" {
	new_monitor
	daymark-report "$monitor" down 'HTTP "timeout" & more'
	total unresolved 1
	[ "$(jq -r '.data[0].cause' "$answer")" = 'HTTP "timeout" & more' ]
	sleep 1.1
	daymark-report "$monitor" up
	total resolved 1
	run daymark-report
	[ "$status" = 2 ]
	run daymark-report 999999999 down
	[ "$status" = 1 ]
}

# command NAME: the command line of conf/hooks/nagios.cfg, with its program on the path.
command_line() {
	awk -v name="$1" '$1 == "command_name" { wanted = $2 == name } wanted && $1 == "command_line" { sub(/^[ \t]*command_line[ \t]*/, ""); print }' \
		"$TOP/conf/hooks/nagios.cfg" | sed 's|/usr/local/bin/||'
}

@test "the Nagios commands open and resolve" {
	new_monitor
	for row in 'service CRITICAL unresolved' 'service OK resolved'; do
		read -r _ state wanted <<<"$row"
		line=$(command_line daymark-service | sed "s|\$_SERVICEDAYMARK\\$|$monitor|; s|\$SERVICESTATE\\$|$state|; s|\$SERVICEDESC\\$|HTTP|; s|\$SERVICEOUTPUT\\$|Connection refused|")
		sh -c "$line"
		total "$wanted" 1
		sleep 1.1
	done
	[ "$(jq -r '.data[0].cause' "$answer")" = "HTTP: Connection refused" ]
	new_monitor
	for row in 'DOWN unresolved' 'UP resolved'; do
		read -r state wanted <<<"$row"
		line=$(command_line daymark-host | sed "s|\$_HOSTDAYMARK\\$|$monitor|; s|\$HOSTSTATE\\$|$state|; s|\$HOSTNAME\\$|db1|; s|\$HOSTOUTPUT\\$|no ping|")
		sh -c "$line"
		total "$wanted" 1
		sleep 1.1
	done
}

@test "daymark-probe opens when a URL fails and resolves when it answers" {
	new_monitor
	run daymark-probe "$monitor" "$base/nothing-here"
	[ "$status" = 1 ]
	total unresolved 1
	jq -e '.data[0].cause | contains("404")' "$answer"
	run daymark-probe "$monitor" "$base/nothing-here"
	[ "$status" = 1 ]
	daymark-probe "$monitor" "$base/healthz"
	total resolved 1
	daymark-probe "$monitor" "$base/healthz"
	run daymark-probe x
	[ "$status" = 2 ]
}

@test "the curl lines of the page work as written" {
	"$ctl" monitor label 1 host=db1
	grep -A1 -E '^    curl' "$TOP/docs/MONITORING.md" | grep -v '^--' | sed 's/monitor=7/monitor=1/' >"$BATS_TEST_TMPDIR/lines"
	URL=$base KEY=$key bash -e "$BATS_TEST_TMPDIR/lines" >"$BATS_TEST_TMPDIR/out"
	[ "$(grep -o '"status":200' "$BATS_TEST_TMPDIR/out" | wc -l)" = 2 ]
	"$ctl" monitor label 1 ''
	"$ctl" incident resolve --monitor 1 || true
}
