load lib

list=/api/v1/incidents

# new_monitor: sets $monitor, one without incidents.
new_monitor() {
	add_monitor "${1:-M $(new_slug)}" "${2:-https://example.org/}"
}

# new_incident [OPTION]...: sets $monitor and $incident.
new_incident() {
	new_monitor
	incident=$("$ctl" incident open --monitor "$monitor" --cause "Cause of $monitor" "$@" --json | jq .id)
}

@test "an incident has every member, and runs while it lasts" {
	new_incident --started-at "$(date -u -d '-100 seconds' +%FT%TZ)"
	api GET "$list/$incident"
	want 200 '.data | keys_unsorted == ["id", "monitor_id", "monitor", "cause", "comment", "status",
		"started_at", "acknowledged_at", "ended_at", "duration", "created_at", "updated_at", "kind", "title",
		"phase", "impact", "monitor_ids", "monitors", "status_page_ids", "next_update_at", "exclude_from_uptime", "postmortem",
		"url", "updates"]' \
		".data.monitor_id == $monitor" '.data.monitor | keys == ["id", "name", "url"]' \
		'.data.status == "unresolved"' '.data.ended_at == null' '.data.duration | . >= 100 and . < 130'
	want_queries 2
}

@test "the documented update works, unknown field and all" {
	new_incident
	anyone PUT "$list/$incident" -H "Authorization: Bearer $key" \
		-H 'Content-Type: application/x-www-form-urlencoded' -d name=Example
	want 200 ".data.id == $incident" '.data.comment == null' '.data.status == "unresolved"'
}

# bats test_tags=cgi
@test "comment and acknowledgement, by each method and body" {
	new_incident
	api PUT "$list/$incident" --data-urlencode 'comment= Looking into it 🚨 '
	want 200 '.data.comment == "Looking into it 🚨"' '.data.acknowledged_at == null'
	want_queries_at_most 10
	api PATCH "$list/$incident" -F acknowledged_at=1
	want 200 '.data.status == "acknowledged"' '.data.acknowledged_at | test("Z$")' '.data.comment != null'
	api POST "$list/$incident" -d _method=PUT -d acknowledged_at=no
	want 200 '.data.status == "unresolved"' '.data.acknowledged_at == null'
	api POST "$list/$incident" -F _method=patch -F comment=
	want 200 '.data.comment == null'
	api PUT "$list/$incident" -H 'Content-Type: application/json' -d '{"acknowledged_at":true,"comment":"x"}'
	want 200 '.data.status == "acknowledged"' '.data.comment == "x"'
	api POST "$list/$incident" -d comment=y
	want 405
	[ "$(header Allow)" = "GET, HEAD, PUT, PATCH, DELETE" ]
	api POST "$list" -d cause=x
	want_fault cause
}

@test "acknowledging twice keeps the first time, and a resolved one refuses" {
	new_incident
	api PUT "$list/$incident" -d acknowledged_at=1
	sql "UPDATE incidents SET acknowledged_at = '2026-01-02 03:04:05' WHERE id = $incident"
	api PUT "$list/$incident" -d acknowledged_at=1
	want 200 '.data.acknowledged_at == "2026-01-02T03:04:05Z"'
	"$ctl" incident resolve "$incident"
	api PUT "$list/$incident" -d acknowledged_at=1 -d comment=late
	want 200 '.data.status == "resolved"' '.data.acknowledged_at == "2026-01-02T03:04:05Z"' '.data.comment == "late"'
	api PUT "$list/$incident" -d acknowledged_at=0 -d comment=never
	want_fault acknowledged_at
	api GET "$list/$incident"
	want 200 '.data.comment == "late"'
	new_incident
	"$ctl" incident resolve "$incident"
	api PUT "$list/$incident" -d acknowledged_at=1
	want_fault acknowledged_at
}

@test "an incident as it was read can be sent back, and what is not for clients is 422" {
	json() {
		api PUT "$list/$incident" -H 'Content-Type: application/json' --data-binary "$1"
	}
	new_incident
	for state in unresolved acknowledged resolved; do
		[ "$state" != acknowledged ] || api PUT "$list/$incident" -d acknowledged_at=1 -d comment=c
		[ "$state" != resolved ] || "$ctl" incident resolve "$incident"
		api GET "$list/$incident"
		want 200 ".data.status == \"$state\""
		read -r revision <<<"$(sql "SELECT revision FROM incidents WHERE id = $incident")"
		jq -cS .data "$answer" >"$BATS_TEST_TMPDIR/read"
		sleep 1.1
		json "$(cat "$BATS_TEST_TMPDIR/read")"
		want 200
		[ "$(jq -cS '.data | del(.duration)' "$answer")" = "$(jq -c 'del(.duration)' "$BATS_TEST_TMPDIR/read")" ]
		json "$(jq -c '.monitor |= {url, name, id}' "$BATS_TEST_TMPDIR/read")"
		want 200
		# Nothing was changed by what is as it was.
		[ "$(sql "SELECT revision FROM incidents WHERE id = $incident")" = "$revision" ]
	done
	for change in '"status":"unresolved"' '"cause":"x"' '"duration":999999' '"duration":-1' '"id":1' '"monitor_id":1' \
		'"started_at":null' '"ended_at":"2020-01-01T00:00:00Z"' '"kind":"reported"' '"phase":"identified"' \
		'"monitor_ids":[]' '"monitor_ids":[1]' '"monitors":[]' '"url":"x"' '"updates":[]' '"created_at":0' '"updated_at":"x"' '"monitor":{}' \
		'"monitor":null' '"monitor":{"id":1}' '"monitor":"x"' '"monitor":[]'; do
		json "{$change}"
		field=${change%%\":*}
		want 422 ".errors | keys == [\"${field#\"}\"]"
	done
	json '{"acknowledged_at":null}'
	want_fault acknowledged_at
	json '{"acknowledged_at":"2020-01-01T00:00:00Z"}'
	want_fault acknowledged_at
	api PUT "$list/$incident" -d status=resolved
	want 200
	api PUT "$list/$incident" -d status=acknowledged -d comment=lost
	want_fault status
	api GET "$list/$incident"
	want 200 '.data.comment == "c"'
}

@test "bad values are named and change nothing" {
	new_incident
	for pair in acknowledged_at=maybe acknowledged_at= 'acknowledged_at=2026-01-01' 'comment[]=x' 'comment=%FF'; do
		name=${pair%%=*}
		api PUT "$list/$incident" -d "$pair"
		want_fault "${name%\[\]}"
	done
	printf 'ü%.0s' $(seq 10000) >"$BATS_TEST_TMPDIR/comment"
	api PUT "$list/$incident" --data-urlencode "comment@$BATS_TEST_TMPDIR/comment"
	want 200 '.data.comment | length == 10000'
	printf x >>"$BATS_TEST_TMPDIR/comment"
	api PUT "$list/$incident" --data-urlencode "comment@$BATS_TEST_TMPDIR/comment" -d acknowledged_at=1
	want_fault comment greater
	api GET "$list/$incident"
	want 200 '.data.comment | length == 10000' '.data.status == "unresolved"'
}

@test "what is no change of a page takes few statements, and none for pages" {
	new_incident
	api PUT "$list/$incident" -d comment=x
	want 200
	# One of them adds the update, another asks whether a page demands a second person.
	want_queries_at_most 9
	api PUT "$list/$incident" -d comment=x
	want 200
	want_queries_at_most 5
	# The counts of both states.
	api PUT "$list/$incident" -d acknowledged_at=1 -d comment=y
	want 200 '.data.status == "acknowledged"'
	want_queries_at_most 10
	api POST /hooks/generic -d "monitor=$monitor" -d state=down
	want 200 '.data.outcome == "unchanged"' ".data.incident_id == $incident"
	want_queries_at_most 5
	api POST /hooks/generic -d "monitor=$monitor" -d state=up
	want 200 '.data.outcome == "resolved"'
	want_queries_at_most 10
	api POST /hooks/generic -d "monitor=$monitor" -d state=up
	want 200 '.data.outcome == "unchanged"'
	want_queries_at_most 6
	api DELETE "$list/$incident"
	want 200
	want_queries_at_most 10
	"$ctl" incident recount --check
}

@test "a page that shows the monitor meanwhile is published with the change" {
	new_incident
	api PUT "$list/$incident" -d comment=before
	want 200
	new_page -F "monitor_ids[]=$monitor"
	api PUT "$list/$incident" -d comment=behind
	want 200
	grep -q behind "$pages/public/s/$slug/index.html"
	api POST /hooks/generic -d "monitor=$monitor" -d state=up
	want 200 '.data.outcome == "resolved"'
	soon says "SELECT CONCAT(revision, ' ', unpublished_since IS NULL) FROM page_revisions WHERE page_id = $page" '3 1'
}

@test "delete answers once, and the history stays" {
	new_incident
	api PUT "$list/$incident" -d comment=x
	api DELETE "$list/$incident"
	want 200 ". == {id: $incident, object: \"incident\", deleted: true, status: 200}"
	want_queries_at_most 9
	api DELETE "$list/$incident"
	want 404
	api GET "$list/$incident"
	want 404
	"$ctl" incident show "$incident" --json | jq -e '.is_deleted and (.history | map(.action) == ["opened", "commented", "deleted"])
		and (.history[1].actor | startswith("key "))'
	# The monitor is free for another.
	"$ctl" incident open --monitor "$monitor" --cause again --json | jq -e .is_new
}

@test "ETag guards incidents as it does pages" {
	new_incident
	api GET "$list/$incident"
	etag=$(header ETag)
	# One that lasts has a duration that grows: it is never answered with 304.
	api GET "$list/$incident" -H "If-None-Match: $etag"
	want 200
	api PUT "$list/$incident" -H "If-Match: $etag" -d comment=a
	want 200
	api PUT "$list/$incident" -H "If-Match: $etag" -d comment=b
	want 412
	"$ctl" incident resolve "$incident"
	api GET "$list/$incident"
	api GET "$list/$incident" -H "If-None-Match: $(header ETag)"
	[ "$status" = 304 ]
}

@test "lists filter by monitor and status, and count right" {
	new_incident
	one=$incident
	"$ctl" incident resolve "$one"
	two=$("$ctl" incident open --monitor "$monitor" --cause second --json | jq .id)
	api GET "$list?monitor_id=$monitor"
	want 200 '.meta.total == 2' ".data | map(.id) == [$two, $one]"
	want_queries 2
	api GET "$list?monitor_id=$monitor&page=2"
	want 200 '.meta.total == 2' '.data == []'
	want_queries 3
	api GET "$list?monitor_id=$monitor&page=100000"
	want 200 '.meta.total == 2' '.data == []'
	want_queries 2
	api GET "$list?monitor_id=$monitor&status=unresolved"
	want 200 '.meta.total == 1' ".data[0].id == $two"
	api PUT "$list/$two" -d acknowledged_at=1
	api GET "$list?monitor_id=$monitor&status=unresolved"
	want 200 '.meta.total == 0' '.data == []'
	api GET "$list?monitor_id=$monitor&status=acknowledged"
	want 200 '.meta.total == 1'
	api GET "$list?monitor_id=$monitor&status=resolved"
	want 200 '.meta.total == 1' ".data[0].id == $one"
	"$ctl" incident recount --check
}

@test "what has not ended counts as ending last" {
	new_monitor
	ids=()
	for ended in 03 01 02; do
		"$ctl" incident open --monitor "$monitor" --cause x --started-at "2026-01-${ended}T00:00:00Z" --json >"$BATS_TEST_TMPDIR/o"
		ids+=("$(jq .id "$BATS_TEST_TMPDIR/o")")
		"$ctl" incident resolve --monitor "$monitor" --at "2026-02-${ended}T00:00:00Z"
	done
	open=$("$ctl" incident open --monitor "$monitor" --cause x --started-at 2026-01-01T12:00:00Z --json | jq .id)
	api GET "$list?monitor_id=$monitor"
	want 200 ".data | map(.id) == [$open, ${ids[0]}, ${ids[2]}, ${ids[1]}]"
	api GET "$list?monitor_id=$monitor&sort=asc"
	want 200 ".data | map(.id) == [${ids[1]}, ${ids[2]}, ${ids[0]}, $open]"
	api GET "$list?monitor_id=$monitor&sort_by=started_at"
	want 200 ".data | map(.id) == [${ids[0]}, ${ids[2]}, $open, ${ids[1]}]"
	api GET "$list?monitor_id=$monitor&sort_by=started_at&sort=asc&per_page=10&page=1"
	want 200 ".data | map(.id) == [${ids[1]}, $open, ${ids[2]}, ${ids[0]}]"
}

@test "search looks where it is told, by default in name, URL and cause" {
	tag=$(new_slug)
	new_monitor "Name-$tag 50%_x" "https://url-$tag.example/"
	"$ctl" incident open --monitor "$monitor" --cause "Cause-$tag"
	for by in "" "&search_by=monitor" "&search_by=cause" "&search_by=url"; do
		for word in NAME- URL- CAUSE-; do
			api GET "$list" --get --data-urlencode "search=$word$tag" -d "${by#&}"
			expected=0
			[ -n "$by" ] && [ "$by$word" != "&search_by=monitorNAME-" ] && [ "$by$word" != "&search_by=causeCAUSE-" ] &&
				[ "$by$word" != "&search_by=urlURL-" ] || expected=1
			want 200 ".meta.total == $expected" ".data | length == $expected"
		done
	done
	want_queries 2
	api GET "$list?search=$tag"
	want 200 '.meta.total == 1'
	want_queries 3
	api GET "$list" --get --data-urlencode "search=$tag 50%_X" -d search_by=monitor -d status=unresolved -d "monitor_id=$monitor"
	want 200 '.meta.total == 1'
	api GET "$list" --get --data-urlencode "search=$tag 50_" -d search_by=monitor
	want 200 '.meta.total == 0'
}

@test "a parameter that is not allowed is named" {
	for pair in search_by=name status=opened status=0 sort_by=id sort=up per_page=11 page=0 monitor_id=x monitor_id=0; do
		api GET "$list?$pair"
		want_fault "${pair%%=*}"
	done
	for id in 0 x 9223372036854775808; do
		api GET "$list/$id"
		want 404
	done
}

@test "another account's incidents are as unknown ones, on every route and hook" {
	new_incident
	api GET "$list/$incident"
	cp "$answer" "$BATS_TEST_TMPDIR/before"
	for method in GET PUT PATCH DELETE; do
		data=(-d comment=Taken)
		[ "$method" != GET ] || data=()
		other "$method" "$list/$incident" "${data[@]}"
		want 404
	done
	other POST "$list/$incident" -d _method=PUT -d comment=Taken
	want 404
	other GET "$list?monitor_id=$monitor"
	want 200 '.meta.total == 0' '.data == []'
	other GET "$list?search=Cause+of+$monitor"
	want 200 '.data == []'
	other POST /hooks/generic -d "monitor=$monitor" -d state=up
	want_fault monitor
	"$ctl" monitor label "$monitor" "instance=iso-$monitor"
	printf '{"version":"4","alerts":[{"status":"resolved","labels":{"instance":"iso-%s","daymark_monitor":"%s"},"startsAt":"2026-01-01T00:00:00Z","endsAt":"2026-01-01T00:01:00Z"}]}' \
		"$monitor" "$monitor" >"$BATS_TEST_TMPDIR/alert"
	other POST /hooks/alertmanager -H 'Content-Type: application/json' --data-binary "@$BATS_TEST_TMPDIR/alert"
	want 200 '.data.results == [{monitor_id: null, outcome: "unknown", incident_id: null, alert: 0}]'
	anyone POST /hooks/generic -d "monitor=$monitor" -d state=up
	want 401
	new=$("$ctl" key create --account "$account" --read-only --json | jq -r .key)
	call "$new" PUT "$list/$incident" -d comment=x
	want 403
	call "$new" POST /hooks/generic -d "monitor=$monitor" -d state=up
	want 403
	api GET "$list/$incident"
	[ "$(jq -c 'del(.data.duration)' "$answer")" = "$(jq -c 'del(.data.duration)' "$BATS_TEST_TMPDIR/before")" ]
	"$ctl" incident recount --check
}

# bats test_tags=cgi
@test "two openers at once make one incident, and both succeed" {
	new_monitor
	for i in $(seq 8); do
		"$ctl" incident open --monitor "$monitor" --cause "race $i" --json >"$BATS_TEST_TMPDIR/race.$i" 3>&- &
	done
	wait $(jobs -p)
	[ "$(cat "$BATS_TEST_TMPDIR"/race.* | jq -s 'map(.id) | unique | length')" = 1 ]
	[ "$(cat "$BATS_TEST_TMPDIR"/race.* | jq -s 'map(select(.is_new)) | length')" = 1 ]
	for i in $(seq 8); do
		curl -sS -o "$BATS_TEST_TMPDIR/hook.$i" -H "Authorization: Bearer $key" "$base/hooks/generic" \
			-d "monitor=$monitor" -d state=$([ $((i % 2)) = 0 ] && echo up || echo down) 3>&- &
	done
	wait $(jobs -p)
	[ "$(cat "$BATS_TEST_TMPDIR"/hook.* | jq -s 'map(.status) | unique == [200]')" = true ]
	[ "$(sql "SELECT COUNT(*) <= 1 FROM incidents WHERE monitor_id = $monitor AND ended_at IS NULL")" = 1 ]
	"$ctl" incident recount --check
}

@test "removing a monitor takes its incidents along, and the counts" {
	new_incident
	api GET "$list"
	total=$(jq .meta.total "$answer")
	"$ctl" monitor remove "$monitor" --yes
	api GET "$list"
	want 200 ".meta.total == $((total - 1))"
	api GET "$list/$incident"
	want 404
	"$ctl" incident recount --check
}

# filtered QUERY ID...: the list with that query has these incidents, in any order, and counts them.
filtered() {
	local query=$1
	shift
	api GET "$list?per_page=100&$query"
	want 200 "([.data[].id] | sort) == ([$(IFS=,; echo "$*")] | sort)" '.meta.total == (.data | length)'
}

@test "lists filter by kind, phase, impact, page and start, alone and together" {
	new_incident
	detected=$incident first=$monitor
	api POST "$list/$detected/updates" -d body=x -d phase=identified
	new_monitor
	new_page -F "monitor_ids[]=$first"
	shown=$page
	new_page
	long_ago=$(date -u -d '-100 days' +%FT%TZ) before=$(date -u -d '-50 days' +%FT%TZ)
	api POST "$list" -d title=old -d "monitor_ids[]=$monitor" -d "monitor_ids[]=$first" -d impact=partial_outage \
		-d "started_at=$long_ago" -d "ended_at=$before"
	old=$(jq .data.id "$answer")
	api POST "$list" -d title=notice -d "status_page_ids[]=$page" -d phase=monitoring
	notice=$(jq .data.id "$answer")
	filtered "monitor_id=$first" "$detected" "$old"
	filtered "monitor_id=$first&kind=detected" "$detected"
	filtered "monitor_id=$first&kind=reported" "$old"
	filtered "monitor_id=$first&status=open" "$detected"
	filtered "monitor_id=$first&phase=identified" "$detected"
	filtered "monitor_id=$first&phase=resolved&sort_by=started_at&sort=asc" "$old"
	filtered "monitor_id=$first&impact=partial_outage" "$old"
	filtered "status_page_id=$shown" "$detected" "$old"
	filtered "status_page_id=$shown&search=old" "$old"
	filtered "status_page_id=$page" "$notice"
	filtered "status_page_id=$page&phase=monitoring&status=open&kind=reported&impact=none" "$notice"
	filtered "status_page_id=$page&phase=resolved"
	filtered "monitor_id=$first&started_before=$long_ago"
	filtered "monitor_id=$first&started_after=$long_ago" "$detected" "$old"
	filtered "monitor_id=$first&started_after=$long_ago&started_before=$before" "$old"
	# What is not resolved, with the count that is kept.
	api GET "$list?status=open&per_page=100"
	want 200 '[.data[].status] | index("resolved") == null' ".meta.total == $(sql "SELECT COUNT(*) FROM incidents
		WHERE account_id = $account AND ended_at IS NULL")"
	for status in unresolved acknowledged; do
		api GET "$list?status=$status"
		total=$((${total:-0} + $(jq .meta.total "$answer")))
	done
	api GET "$list?status=open"
	want 200 ".meta.total == $total"
	other GET "$list?status_page_id=$shown"
	want 200 '.data == []' '.meta.total == 0'
	for pair in kind=x phase=scheduled impact=1 status_page_id=0 started_after=x started_before=2026 status=closed; do
		api GET "$list?$pair"
		want_fault "${pair%%=*}"
	done
}

@test "a parameter that a list does not know is named, and changes nothing" {
	api GET "$list?stauts=open&per_page=10"
	want 200
	[ "$(header X-Daymark-Ignored)" = stauts ]
	api GET "$list?per_page=10&status=open"
	want 200
	[ -z "$(header X-Daymark-Ignored)" ]
	# Names for which a header has no room, and a hostile one.
	api GET "$list?x%0d%0aSet-Cookie:a=b&,=1&a%5B%5D=1&ü=2"
	want 200
	[ "$(header X-Daymark-Ignored)" = 'x%0d%0aSet-Cookie%3Aa, %2C, a%5B%5D, %C3%BC' ]
	[ -z "$(header Set-Cookie)" ]
	api GET "/api/v1/keys?$(printf 'n%s=&' $(seq 1000))"
	want 200
	[ "$(header X-Daymark-Ignored)" = 'n1, n2, n3, n4, n5, n6, n7, n8, n9, n10, ...' ]
	api GET "/api/v1/monitors?$(printf 'a%.0s' $(seq 300))=1&status=1"
	want 200
	[ "$(header X-Daymark-Ignored)" = "$(printf 'a%.0s' $(seq 64)), status" ]
	# Beside an error, too.
	api GET "/api/v1/events?sinse=1&since=x"
	want_fault since
	[ "$(header X-Daymark-Ignored)" = sinse ]
}
