# Events: what was changed, by whom, for clients and for the operator.
load lib

list=/api/v1/events

@test "an incident's events tell its story, with who, when, from where and by which request" {
	new_monitor
	incident=$("$ctl" incident open --monitor "$monitor" --cause 'Disk full' --json | jq .id)
	api PUT "/api/v1/incidents/$incident" -d acknowledged_at=1 -d 'comment=On it'
	want 200
	request=$(header X-Request-Id)
	api PUT "/api/v1/incidents/$incident" -d 'comment=On it'
	want 200
	"$ctl" incident resolve "$incident"
	api GET "$list?object=incident&object_id=$incident"
	want 200 '.data | map(.kind) == ["incident.resolved", "incident.acknowledged", "incident.opened"]' \
		'.meta.total == 3' '.data | all(.object == "incident")' ".data | all(.object_id == $incident)" \
		'.data[0].actor == {type: "operator", id: null, label: "daymarkctl"}' '.data[0] | .address == null and .request_id == null' \
		'.data[1].actor | .type == "key" and .id > 0' ".data[1].request_id == \"$request\"" '.data[1].address | length > 0' \
		'.data[1].detail == "On it"' '.data[2].detail == "Disk full"' '.data[2].at | test("^20[0-9-]{8}T[0-9:]{8}Z$")' \
		'.data[0] | keys == ["actor", "address", "at", "detail", "id", "kind", "object", "object_id", "request_id"]'
	want_queries 5
}

@test "pages, monitors, keys and accounts leave events, without what is secret" {
	new_monitor
	"$ctl" monitor rename "$monitor" Renamed
	"$ctl" monitor label "$monitor" "events=$monitor"
	new_page -F "monitor_ids[]=$monitor" -F privacy=2 -F password=very-secret
	api PUT "/api/v1/status-pages/$page" -d name=Other -d password=much-more-secret
	want 200
	api DELETE "/api/v1/status-pages/$page"
	want 200
	"$ctl" key create --account "$account" --label deploy --json >"$BATS_TEST_TMPDIR/key"
	made=$(jq .id "$BATS_TEST_TMPDIR/key")
	"$ctl" key revoke "$made"
	"$ctl" key revoke "$made"
	"$ctl" monitor remove "$monitor" --keep-history --yes
	"$ctl" monitor remove "$monitor" --yes
	api GET "$list?object=monitor&object_id=$monitor"
	want 200 '.data | map(.kind) == ["monitor.deleted", "monitor.retired", "monitor.labelled", "monitor.renamed", "monitor.created"]'
	api GET "$list?object=status_page&object_id=$page"
	want 200 '.data | map(.kind) == ["status_page.deleted", "status_page.updated", "status_page.created"]' \
		'.data[1].detail == "name, password"'
	api GET "$list?object=key&object_id=$made"
	want 200 '.data | map(.kind) == ["key.revoked", "key.created"]' '.data | all(.detail == "deploy")'
	sql 'SELECT COALESCE(detail, ""), actor_label FROM events' >"$BATS_TEST_TMPDIR/all"
	refute grep -E 'secret|dm_|argon2' "$BATS_TEST_TMPDIR/all"
	refute grep -F "$(jq -r .key "$BATS_TEST_TMPDIR/key")" "$BATS_TEST_TMPDIR/all"
}

@test "what is refused, or changes nothing, leaves no event" {
	new_monitor
	new_page
	before=$(sql 'SELECT COUNT(*) FROM events')
	api PUT "/api/v1/status-pages/$page" -d slug=
	want 422
	api PUT "/api/v1/status-pages/$page" -d name=x -H 'If-Match: "0-0"'
	want 412
	api POST /hooks/generic -d "monitor=$monitor" -d state=up
	want 200 '.data.outcome == "unchanged"'
	run "$ctl" monitor label "$monitor" nonsense
	[ "$status" = 2 ]
	[ "$(sql 'SELECT COUNT(*) FROM events')" = "$before" ]
}

@test "a write that is sent again leaves its events once" {
	new_monitor
	for i in 1 2; do
		api POST /hooks/generic -d "monitor=$monitor" -d state=down -H "Idempotency-Key: event-$monitor"
		want 200 '.data.outcome == "opened"'
	done
	incident=$(jq .data.incident_id "$answer")
	api GET "$list?object=incident&object_id=$incident"
	want 200 '.meta.total == 1'
}

@test "a payload of alerts stores the events of all its incidents in a few statements" {
	for i in $(seq 20); do
		new_monitor
		echo "{\"status\":\"firing\",\"startsAt\":\"2026-11-01T10:00:00Z\",\"fingerprint\":\"e$i\",\"labels\":{\"daymark_monitor\":\"$monitor\"},\"annotations\":{\"summary\":\"Alert $i\"}}"
	done | jq -cs '{version: "4", alerts: .}' >"$BATS_TEST_TMPDIR/payload"
	before=$(sql "SELECT COALESCE(MAX(id), 0) FROM events")
	api POST /hooks/alertmanager -H 'Content-Type: application/json' --data-binary "@$BATS_TEST_TMPDIR/payload"
	want 200 '.data.results | length == 20 and all(.outcome == "opened")'
	id=$(header X-Request-Id)
	[ "$(sql "SELECT COUNT(DISTINCT detail) FROM events WHERE id > $before AND kind = 'incident.opened' AND request_id = '$id'")" = 20 ]
	want_queries_at_most 16
}

@test "events are filtered by kind and time, and paged; wrong parameters are 422" {
	new_monitor
	for i in 1 2 3; do
		"$ctl" monitor rename "$monitor" "Name $i"
	done
	api GET "$list?kind=monitor.renamed&object_id=$monitor"
	want 200 '.data | map(.detail) == ["Name 3", "Name 2", "Name 1"]' '.data | map(.id) | . == (sort | reverse)'
	api GET "$list?object=monitor&per_page=10&page=2"
	want 200 '.meta.current_page == 2' '.meta.per_page == 10' '.links.first | contains("object=monitor")'
	api GET "$list?since=2099-01-01T00:00:00Z"
	want 200 '.data == []' '.meta.total == 0' '.meta.from == null'
	api GET "$list?since=2020-01-01T00:00:00Z&object_id=$monitor&object=monitor"
	want 200 '.meta.total == 4'
	for wrong in kind=incident.exploded object=page object_id=0 since=yesterday per_page=7 page=0; do
		api GET "$list?$wrong"
		want_fault "${wrong%%=*}"
	done
	# All errors at once, those of several parameters included.
	api GET "$list?kind=incident.exploded&after=0&page=2&search=x&sort=asc"
	want 422 '.errors | keys == ["kind", "page", "search", "sort"]'
	api GET "$list?after=0&page=2"
	want 422 '.errors | keys == ["page"]'
	api POST "$list"
	want 405
	anyone GET "$list"
	want 401
}

@test "an account sees its own events alone" {
	new_page
	api GET "$list?object=status_page&object_id=$page"
	want 200 '.meta.total == 1'
	other GET "$list?object=status_page&object_id=$page"
	want 200 '.data == []' '.meta.total == 0'
	other GET "$list?per_page=100"
	want 200 ".data | map(select(.object == \"status_page\" and .object_id == $page)) == []"
}

@test "a removed account takes its events along, and leaves one that names it" {
	name="Leaver $(new_slug)"
	made=$("$ctl" account add "$name" --json | jq .id)
	"$ctl" audit --account "$made" --json | jq -e 'map(.kind) == ["account.created"]'
	"$ctl" account remove "$made" --yes
	"$ctl" audit --object account --object-id "$made" --json |
		jq -e "length == 1 and .[0].kind == \"account.deleted\" and .[0].account_id == null and .[0].detail == \"$name\""
	api GET "$list?kind=account.deleted&object_id=$made"
	want 200 '.data == []'
}

@test "daymarkctl audit: all accounts, or what the options choose" {
	new_page
	"$ctl" audit | head -n 1 | grep -qE '^AT +ACCOUNT +EVENT +ID +ACTOR +ADDRESS +DETAIL'
	"$ctl" audit --object status_page --object-id "$page" | sed -n 2p | grep -q "status_page.created  $page "
	"$ctl" audit --object status_page --object-id "$page" --json |
		jq -e "length == 1 and .[0].kind == \"status_page.created\" and .[0].account_id == $account and .[0].actor.type == \"key\""
	[ "$("$ctl" audit --limit 1 --json | jq length)" = 1 ]
	[ "$("$ctl" audit --since 2099-01-01T00:00:00Z --json | jq length)" = 0 ]
	other=$(jq -r .other_account "$dir/quickstart.json")
	[ "$other" != null ] || other=$("$ctl" account list --json | jq "map(select(.id != $account))[0].id")
	"$ctl" audit --account "$other" --limit 1000 --json | jq -e "all(.account_id == $other)"
	for wrong in --object=page --object-id=x --since=yesterday --limit=0 --limit=10001; do
		run "$ctl" audit "$wrong"
		[ "$status" = 2 ]
	done
}

# settle: lets the events so far be older than any transaction, as they are two minutes later.
# Their counts, which are by hours, are built again.
settle() {
	sql 'BEGIN; UPDATE event_horizon SET counted_id = 0; DELETE FROM event_counts; UPDATE events SET at = at - INTERVAL 10 MINUTE; COMMIT'
}

@test "a poller gets each event once, oldest first, although transactions commit out of order" {
	# A write of several events reserves more ids than it uses: the next write is behind that gap.
	new_monitor
	settle
	start=$(sql 'SELECT MAX(id) FROM events')
	new_monitor
	api GET "$list?after=$start"
	want 200 '[.data[].kind] == ["monitor.created"]' '.meta.total == 1' '.links.prev == null and .links.last == null' \
		'.links.next | endswith("/events?after=" + "'"$(sql 'SELECT MAX(id) FROM events')"'")'
	want_queries_at_most 5
	seen=$(jq '.data[-1].id' "$answer")
	# A transaction gets an id, and commits after another one that got a higher id. It ends when the pipe closes.
	mkfifo "$BATS_TEST_TMPDIR/slow"
	mariadb --no-defaults -uroot -S "$dir/run/mysql.sock" -N -B -n daymark <"$BATS_TEST_TMPDIR/slow" >"$BATS_TEST_TMPDIR/began" 3>&- &
	slow=$!
	exec 4>"$BATS_TEST_TMPDIR/slow"
	echo "BEGIN; INSERT INTO events (account_id, kind, object, object_id, actor_type, actor_label, at)
		VALUES ($account, 'monitor.updated', 'monitor', 1, 'system', '', UTC_TIMESTAMP()); SELECT 'began';" >&4
	soon grep -q began "$BATS_TEST_TMPDIR/began"
	new_monitor
	later=$(sql 'SELECT MAX(id) FROM events')
	api GET "$list?after=$seen"
	want 200 '.data == []' ".links.next | endswith(\"after=$seen\")"
	# Readers of the whole list see it at once: the poller is not told of it yet.
	api GET "$list?per_page=10"
	want 200 ".data[0].id == $later"
	echo 'COMMIT;' >&4
	exec 4>&-
	wait "$slow"
	api GET "$list?after=$seen"
	want 200 '[.data[].kind] == ["monitor.updated", "monitor.created"]' ".data[1].id == $later"
	seen=$later
	# An id that is never used holds the events above it back until they are old.
	sql "BEGIN; INSERT INTO events (account_id, kind, object, object_id, actor_type, actor_label, at)
		VALUES ($account, 'monitor.updated', 'monitor', 1, 'system', '', UTC_TIMESTAMP()); ROLLBACK"
	new_monitor
	api GET "$list?after=$seen"
	want 200 '.data == []'
	settle
	api GET "$list?after=$seen"
	want 200 '[.data[].kind] == ["monitor.created"]'
	# Nothing is new.
	api GET "$list?after=$(jq '.data[-1].id' "$answer")"
	want 200 '.data == []' '.meta.total == 0'
}

@test "a poller reads filtered events in parts, and only its account's" {
	settle
	start=$(sql 'SELECT MAX(id) FROM events')
	for _ in $(seq 12); do
		new_monitor
	done
	other POST /api/v1/monitors -d name=x
	new_page
	settle
	got=() next="$list?after=$start&per_page=10&object=monitor"
	while :; do
		api GET "$next"
		want 200
		[ "$(jq '.data | length' "$answer")" != 0 ] || break
		mapfile -t -O "${#got[@]}" got < <(jq '.data[].id' "$answer")
		next=$(path_of "$(jq -r .links.next "$answer")")
	done
	[ "${got[*]}" = "$(sql "SELECT GROUP_CONCAT(id ORDER BY id SEPARATOR ' ') FROM events
		WHERE account_id = $account AND object = 'monitor' AND id > $start")" ]
	# What the filter has left out is not read again.
	[ "$(jq -r .links.next "$answer" | sed 's/.*after=//')" = "$(sql 'SELECT MAX(id) FROM events')" ]
	api GET "$list?after=$start&object=monitor&object_id=$monitor"
	want 200 '.meta.total == 1'
	for pair in after=x after=-1 'after=0&page=2'; do
		api GET "$list?$pair"
		want 422
	done
}
