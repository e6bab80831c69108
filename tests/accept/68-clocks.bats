# Reports where clocks differ: of two web machines, of a sender, of yesterday.
load lib

list=/api/v1/incidents

setup() {
	setup_of_lib
	new_monitor
}

# elsewhere OFFSET BODY: the report by a web machine whose clock is ahead or behind, in $answer.
elsewhere() {
	needs faketime
	printf '%s' "$2" >"$BATS_TEST_TMPDIR/body"
	env -i DAYMARK_CONF="$conf" GATEWAY_INTERFACE=CGI/1.1 REQUEST_METHOD=POST REQUEST_URI=/hooks/generic \
		HTTP_HOST=localhost HTTP_AUTHORIZATION="Bearer $key" CONTENT_TYPE=application/x-www-form-urlencoded \
		CONTENT_LENGTH="${#2}" PATH="$PATH" faketime -f "$1" "${DAYMARK_BUILD:-$TOP/build}/daymark" \
		<"$BATS_TEST_TMPDIR/body" | tr -d '\r' >"$BATS_TEST_TMPDIR/whole"
	head -n 1 "$BATS_TEST_TMPDIR/whole" | grep -q '^Status: 200 ' || { cat "$BATS_TEST_TMPDIR/whole"; return 1; }
	sed '1,/^$/d' "$BATS_TEST_TMPDIR/whole" >"$answer"
	status=200
}

report() {
	api POST /hooks/generic -d "monitor=$monitor" "$@"
}

# opened, resolved: what the last report has done.
was() {
	want 200 ".data.outcome == \"$1\""
}

# stored: how the monitor's incidents lie to the database's clock.
stored() {
	sql "SELECT COUNT(*), COALESCE(SUM(ended_at IS NULL), 0), COALESCE(SUM(started_at > NOW()), 0),
		COALESCE(SUM(ended_at > NOW()), 0), COALESCE(SUM(ended_at < started_at), 0),
		(SELECT COUNT(*) FROM monitors WHERE id = $monitor AND last_up_at > NOW())
		FROM incidents WHERE monitor_id = $monitor" | tr '\t' ' '
}

sql() {
	mariadb --no-defaults -uroot -S "$dir/run/mysql.sock" -N -B daymark -e "SET time_zone = '+00:00'; $1"
}

@test "two web machines whose clocks differ open and end incidents in turn" {
	for offset in +3s -3s +1h -1h +1d -1d; do
		elsewhere "$offset" "monitor=$monitor&state=down"
		was opened
		report -d state=up
		was resolved
		report -d state=down
		was opened
		elsewhere "$offset" "monitor=$monitor&state=up"
		was resolved
		elsewhere "$offset" "monitor=$monitor&state=down"
		was opened
		elsewhere "$offset" "monitor=$monitor&state=up"
		was resolved
	done
	[ "$(stored)" = '18 0 0 0 0 0' ] || { stored; return 1; }
	# What that machine has said hides no report with a time; times are whole seconds.
	sleep 2
	report -d state=down -d "at=$(date -u +%FT%TZ)"
	was opened
	"$ctl" incident recount --check
}

# shifted SECONDS: an open incident as a machine whose clock was so far ahead has stored it.
shifted() {
	report -d state=down
	was opened
	sql "UPDATE incidents SET started_at = NOW() + INTERVAL $1 SECOND WHERE monitor_id = $monitor AND ended_at IS NULL"
}

@test "an incident that starts in the future ends by a report of now" {
	for ahead in 3 3600 86400; do
		shifted $ahead
		report -d state=up
		was resolved
		[ "$(stored | cut -d' ' -f2-)" = '0 0 0 0 0' ] || { stored; return 1; }
		shifted $ahead
		report -d state=up -d "at=$(date -u +%FT%TZ)"
		was resolved
		[ "$(stored | cut -d' ' -f2-)" = '0 0 0 0 0' ] || { stored; return 1; }
	done
	# A report of yesterday does not end it.
	shifted 3600
	report -d state=up -d "at=$(date -u -d '1 day ago' +%FT%TZ)"
	was unchanged
	"$ctl" incident recount --check
}

@test "a last_up_at in the future hides no outage, and is mended" {
	sql "UPDATE monitors SET last_up_at = NOW() + INTERVAL 1 DAY WHERE id = $monitor"
	report -d state=down -d "at=$(date -u -d '10 seconds ago' +%FT%TZ)"
	was opened
	report -d state=up
	was resolved
	[ "$(stored)" = '1 0 0 0 0 0' ]
	# Believed again: what is heard late is history.
	report -d state=down -d "at=$(date -u -d '1 hour ago' +%FT%TZ)"
	was recorded
	[ "$(stored)" = '2 0 0 0 0 0' ]
}

@test "an end in the future hides no outage" {
	report -d state=down -d "at=$(date -u -d '2 hours ago' +%FT%TZ)"
	was opened
	report -d state=up -d "at=$(date -u -d '1 hour ago' +%FT%TZ)"
	was resolved
	sql "UPDATE incidents SET ended_at = NOW() + INTERVAL 1 HOUR WHERE monitor_id = $monitor"
	report -d state=down -d "at=$(date -u -d '1 minute ago' +%FT%TZ)"
	was opened
}

@test "a sender's time that is a little ahead counts as now, one far ahead is refused" {
	report -d state=down -d "at=$(date -u -d '200 seconds' +%FT%TZ)"
	was opened
	report -d state=up -d "at=$(date -u -d '200 seconds' +%FT%TZ)"
	was resolved
	[ "$(stored)" = '1 0 0 0 0 0' ] || { stored; return 1; }
	report -d state=down -d "at=$(date -u -d '400 seconds' +%FT%TZ)"
	want_fault at future
	report -d state=maybe -d "at=$(date -u -d '400 seconds' +%FT%TZ)"
	want 422 '.errors | keys == ["at", "state"]'
}

@test "an alert's times that are ahead count as now" {
	alert() {
		jq -n --arg status "$1" --arg m "$monitor" '{version: "4", alerts: [{status: $status, fingerprint: "f",
			labels: {daymark_monitor: $m}, startsAt: "2999-01-01T00:00:00Z", endsAt: "2999-01-01T01:00:00Z"}]}' >"$BATS_TEST_TMPDIR/payload"
		api POST /hooks/alertmanager -H 'Content-Type: application/json' --data-binary "@$BATS_TEST_TMPDIR/payload"
		want 200 ".data.results[0].outcome == \"$2\""
	}
	alert firing opened
	alert firing unchanged
	alert resolved resolved
	alert resolved unchanged
	[ "$(stored)" = '1 0 0 0 0 0' ] || { stored; return 1; }
}
