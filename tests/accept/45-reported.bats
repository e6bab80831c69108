load lib

# Incidents that people write: contract section 6.1.

list=/api/v1/incidents

time_of() {
	date -u -d "$1" +%FT%TZ
}

# report [CURL ARGUMENT]...: reports an incident; sets $incident.
report() {
	api POST "$list" "$@"
	[ "$status" = 201 ] || show
	incident=$(jq .data.id "$answer")
}

# post [CURL ARGUMENT]...: posts an update; sets $update.
post() {
	api POST "$list/$incident/updates" "$@"
	[ "$status" = 201 ] || show
	update=$(jq .data.id "$answer")
}

# two_monitors: a page, at $here, that shows the new monitors $one and $two.
two_monitors() {
	new_monitor "One $(new_slug)"
	one=$monitor
	new_monitor "Two $(new_slug)"
	two=$monitor
	new_page -F "monitor_ids[]=$one" -F "monitor_ids[]=$two"
	here=/s/$slug
}

# state_of MONITOR: its state in the page's JSON.
state_of() {
	see summary.json
	jq -r --arg name "$("$ctl" monitor list --account "$account" --json | jq -r ".[] | select(.id == $1).name")" \
		'.components[] | select(.name == $name).status' "$answer"
}

@test "an outage from the report to the post-mortem" {
	two_monitors
	report -d 'title=Payments fail' -d "monitor_ids[]=$two" -d "monitor_ids[]=$one" -d impact=major_outage \
		-d 'body=We look into it.' -d "next_update_at=$(time_of '+30 minutes')"
	want 201 '.data.kind == "reported"' '.data.phase == "investigating"' '.data.impact == "major_outage"' \
		".data.monitor_ids == [$two, $one]" ".data.monitor_id == $two" ".data.monitor.id == $two" \
		'[.data.monitors[].impact] == ["major_outage", "major_outage"]' '.data.comment == "We look into it."' \
		'.data.cause == null' '.data.status == "acknowledged"' '.data.next_update_at != null' \
		'[.data.updates[].body] == ["We look into it."]' '.data.postmortem == null'
	[ "$(header Location)" = "$base$list/$incident" ]
	[ -n "$(header ETag)" ]
	# It is on the page before the response.
	see ''
	shows 'Payments fail'
	shows 'We look into it.'
	[ "$(state_of "$one")" = major_outage ]
	post -d 'body=The cause is known.' -d phase=identified -d "monitor_ids[]=$one" -d impact=degraded_performance
	want 201 '.data.phase == "identified"' '.data.edited_at == null'
	[ "$(header Location)" = "$base$list/$incident/updates/$update" ]
	api GET "$list/$incident"
	want 200 '.data.phase == "identified"' '.data.impact == "major_outage"' '.data.next_update_at == null' \
		'[.data.monitors[].impact] == ["major_outage", "degraded_performance"]' \
		'[.data.updates[].phase] == ["identified", "investigating"]' '.data.comment == "The cause is known."'
	[ "$(state_of "$one")" = degraded_performance ]
	[ "$(state_of "$two")" = major_outage ]
	post -d 'body=One works again.' -d "monitor_ids[]=$one" -d impact=none
	see "incidents/$incident"
	shows 'No impact'
	see summary.json
	want 200 '[.incidents[0].incident_updates[].affected_components | map([.old_status, .new_status])] == [
		[["major_outage", "major_outage"], ["degraded_performance", "operational"]],
		[["major_outage", "major_outage"], ["major_outage", "degraded_performance"]],
		[["operational", "major_outage"], ["operational", "major_outage"]]]'
	post -d 'body=It works again.' -d phase=resolved
	see incidents.json
	want 200 '[.incidents[0].incident_updates[0].affected_components[] | [.old_status, .new_status]] == [
		["major_outage", "operational"], ["operational", "operational"]]'
	# In the end a system that was down is not said to have had no impact.
	see "incidents/$incident"
	refute grep -q 'No impact' "$answer"
	api GET "$list/$incident"
	want 200 '.data.status == "resolved"' '.data.phase == "resolved"' '.data.ended_at != null'
	[ "$(state_of "$two")" = operational ]
	api PUT "$list/$incident" --data-urlencode 'postmortem=A disk was full.'
	want 200 '.data.postmortem == "A disk was full."' '.data.status == "resolved"'
	api GET "/api/v1/events?object=incident&object_id=$incident"
	want 200 '[.data[].kind] | sort == ["incident.postmortem", "incident.reported", "incident.resolved",
		"incident.update_posted", "incident.update_posted", "incident.update_posted"]'
	# A correction of the impact is one of all its time.
	says "SELECT COUNT(*) FROM incident_updates WHERE incident_id = $incident AND impacts IS NOT NULL" 4
	api PUT "$list/$incident" -d impact=partial_outage
	see incidents.json
	want 200 '[.incidents[0].incident_updates[2].affected_components[] | [.old_status, .new_status]] == [
		["partial_outage", "partial_outage"], ["partial_outage", "partial_outage"]]'
}

@test "what the list has, by status, monitor, order and search" {
	two_monitors
	report -d "title=Report $one" -d "monitor_ids[]=$one" -d "monitor_ids[]=$two" \
		-d "started_at=$(time_of '-3 hours')" -d "ended_at=$(time_of '-2 hours')"
	ended=$incident
	report -d "title=Report $one" -d "monitor_ids[]=$two" -d "started_at=$(time_of '-1 hour')"
	"$ctl" incident open --monitor "$one" --cause "Report $one" --started-at "$(time_of '-4 hours')"
	# At any position.
	api GET "$list?monitor_id=$two"
	want 200 '.meta.total == 2' "[.data[].id] == [$incident, $ended]"
	want_queries 3
	api GET "$list?monitor_id=$one"
	want 200 '.meta.total == 2' '.data[0].kind == "detected"' ".data[1].id == $ended"
	api GET "$list?monitor_id=$one&sort_by=started_at&sort=asc"
	want 200 '.data[0].kind == "detected"' ".data[1].id == $ended"
	api GET "$list?monitor_id=$two&status=resolved"
	want 200 '.meta.total == 1' ".data[0].id == $ended"
	api GET "$list?monitor_id=$two&status=acknowledged&sort_by=started_at"
	want 200 '.meta.total == 1' ".data[0].id == $incident"
	api GET "$list?search=Report+$one"
	want 200 '.meta.total == 3' '.data | length == 3'
	api GET "$list?search=Report+$one&monitor_id=$two&status=resolved"
	want 200 '.meta.total == 1' ".data[0].id == $ended"
	api GET "$list?search_by=monitor&search=$("$ctl" monitor list --account "$account" --json |
		jq -r ".[] | select(.id == $two).name | @uri")"
	want 200 '.meta.total == 2' "[.data[].id] == [$incident, $ended]"
	# The totals of the account agree with its rows.
	for status in unresolved acknowledged resolved; do
		api GET "$list?status=$status&per_page=100"
		want 200 '.meta.total <= 100 and .meta.total == (.data | length) or .meta.total > 100'
	done
	other GET "$list?monitor_id=$two"
	want 200 '.meta.total == 0'
}

@test "a notice for a page needs no monitor, and leaves with its deletion" {
	new_page
	here=/s/$slug
	report -d "title=Notice of $slug" -d "status_page_ids[]=$page" -d 'body=Our office moves.'
	want 201 '.data.monitor_id == null' '.data.monitor == null' '.data.monitor_ids == []' '.data.monitors == []' \
		".data.url | endswith(\"/s/$slug/incidents/$incident\")"
	see ''
	shows "Notice of $slug"
	shows 'Our office moves.'
	api DELETE "$list/$incident"
	want 200 '.object == "incident"' '.deleted'
	says "SELECT detail FROM events WHERE kind = 'incident.deleted' AND object_id = $incident" "Notice of $slug"
	see ''
	refute grep -q "Notice of $slug" "$answer"
	api GET "$list/$incident"
	want 404
}

@test "history: times that are over, and their corrections" {
	two_monitors
	report -d 'title=Old' -d "monitor_ids[]=$one" -d impact=major_outage -d 'body=It was over soon.' \
		-d "started_at=$(time_of '-40 days')" -d "ended_at=$(time_of '-40 days +2 hours')"
	want 201 '.data.status == "resolved"' '.data.phase == "resolved"' '.data.duration | . == 7200 or . == 7201' \
		'.data.updates[0].at == .data.started_at' '.data.updates[0].phase == "investigating"'
	see ''
	grep -q '99\.[0-9]* %' "$answer"
	api PUT "$list/$incident" -d exclude_from_uptime=1
	want 200 '.data.exclude_from_uptime'
	see ''
	refute grep -q '99\.[0-9]* %' "$answer"
	api PUT "$list/$incident" -d exclude_from_uptime=0 -d "started_at=$(time_of '-41 days')" -d title=Older
	want 200 '.data.duration > 80000' '.data.title == "Older"'
	api PUT "$list/$incident" -d "started_at=$(time_of '-10 days')"
	want_fault ended_at before
	api PUT "$list/$incident" -d "ended_at=$(time_of '+1 day')"
	want_fault ended_at future
	api PUT "$list/$incident" -d started_at=
	want_fault started_at required
	api PUT "$list/$incident" -d title=
	want_fault title required
	# Its end is taken back, and set again.
	api PUT "$list/$incident" -d ended_at=
	want 200 '.data.status == "acknowledged"' '.data.phase == "investigating"'
	[ "$(state_of "$one")" = major_outage ]
	api PUT "$list/$incident" -d "ended_at=$(time_of '-1 hour')"
	want 200 '.data.status == "resolved"'
	api GET "/api/v1/events?object=incident&object_id=$incident"
	want 200 '[.data[].kind] | contains(["incident.reopened", "incident.resolved", "incident.updated"])'
}

@test "the times of a detected incident are corrected when it is over, without overlap" {
	new_monitor
	"$ctl" incident open --monitor "$monitor" --cause a --started-at "$(time_of '-3 hours')"
	"$ctl" incident resolve --monitor "$monitor" --at "$(time_of '-2 hours')"
	"$ctl" incident open --monitor "$monitor" --cause b --started-at "$(time_of '-1 hour')"
	api GET "$list?monitor_id=$monitor&sort_by=started_at"
	incident=$(jq '.data[0].id' "$answer")
	first=$(jq '.data[1].id' "$answer")
	api PUT "$list/$incident" -d "started_at=$(time_of '-30 minutes')"
	want_fault started_at open
	api PUT "$list/$incident" -d "ended_at=$(time_of '-1 minute')"
	want_fault ended_at open
	api PUT "$list/$first" -d "ended_at=$(time_of '-10 minutes')"
	want_fault started_at overlap
	api PUT "$list/$first" -d ended_at=
	want_fault ended_at again
	api PUT "$list/$first" -d "ended_at=$(time_of '-90 minutes')"
	want 200 '.data.duration | . >= 5400 and . < 5430'
	api PUT "$list/$incident" -d impact=degraded_performance -d title=Slow
	want 200 '.data.impact == "degraded_performance"' '.data.title == "Slow"' \
		'.data.monitors[0].impact == "degraded_performance"' '.data.kind == "detected"'
	api POST "$list/$incident/updates" -d body=x -d phase=monitoring
	want 201
	api GET "$list/$incident"
	want 200 '.data.phase == "monitoring"' '.data.status == "unresolved"'
	api POST "$list/$first/updates" -d body=x -d phase=identified
	want_fault phase again
	api POST "$list/$first/updates" -d body=later
	want 201 '.data.phase == "resolved"'
	new_monitor
	api POST "$list/$incident/updates" -d body=x -d "monitor_ids[]=$monitor"
	want_fault monitor_ids own
}

@test "an empty impact or phase is as if it was not sent" {
	two_monitors
	report -d title=x -d "monitor_ids[]=$one" -d impact= -d phase= -d body=a
	want 201 '.data.impact == "none"' '.data.phase == "investigating"'
	report -H 'Content-Type: application/json' -d "{\"title\": \"x\", \"monitor_ids\": [$one], \"impact\": null, \"phase\": null}"
	want 201 '.data.impact == "none"' '.data.phase == "investigating"'
	report -d title=x -d "monitor_ids[]=$one" -d impact=major_outage -d phase=identified -d ended_at= -d body=a
	post -d body=b -d impact= -d phase=
	want 201 '.data.phase == "identified"'
	post -H 'Content-Type: application/json' -d '{"body": "c", "impact": null, "phase": null}'
	api GET "$list/$incident"
	want 200 '.data.phase == "identified"' '.data.impact == "major_outage"'
	# Over, with the phase that follows from that.
	report -d title=x -d "monitor_ids[]=$one" -d "ended_at=$(time_of '-1 minute')" \
		-d "started_at=$(time_of '-1 hour')" -d phase=
	want 201 '.data.phase == "resolved"'
}

@test "bad reports are named and change nothing" {
	two_monitors
	before=$(sql 'SELECT COUNT(*) FROM incidents')
	api POST "$list"
	want 422 '.errors | keys == ["monitor_ids", "title"]'
	api POST "$list" -d title=x -d "monitor_ids=$one"
	want_fault monitor_ids array
	api POST "$list" -d title=x -d "monitor_ids[]=$one" -d 'monitor_ids[]=999999999' -d 'status_page_ids[]=999999999'
	want 422 '.errors | keys == ["monitor_ids.1", "status_page_ids.0"]'
	for pair in title= title=%FF impact=severe phase=scheduled started_at=yesterday ended_at=x next_update_at=x \
		"started_at=$(time_of '+1 day')" "ended_at=$(time_of '+1 day')" "next_update_at=$(time_of '-1 hour')" \
		"next_update_at=$(time_of '+2 years')" status=resolved cause=x monitor_id=1 acknowledged_at=1 postmortem=x; do
		api POST "$list" -d title=x -d "monitor_ids[]=$one" -d "$pair"
		want_fault "${pair%%=*}"
	done
	api POST "$list" -d title=x -d "monitor_ids[]=$one" -d "started_at=$(time_of '-1 hour')" -d "ended_at=$(time_of '-2 hours')"
	want_fault ended_at before
	api POST "$list" -d title=x -d "monitor_ids[]=$one" -d "ended_at=$(time_of '-1 hour')" -d "started_at=$(time_of '-2 hours')" \
		-d phase=monitoring
	want_fault phase
	api POST "$list" -d title=x -d "monitor_ids[]=$one" -d phase=resolved -d "next_update_at=$(time_of '+1 hour')"
	want_fault next_update_at
	printf 'ü%.0s' $(seq 255) >"$BATS_TEST_TMPDIR/title"
	api POST "$list" --data-urlencode "title@$BATS_TEST_TMPDIR/title"
	want 422 '.errors | keys == ["monitor_ids"]'
	printf x >>"$BATS_TEST_TMPDIR/title"
	api POST "$list" --data-urlencode "title@$BATS_TEST_TMPDIR/title" -d "monitor_ids[]=$one"
	want_fault title greater
	[ "$(sql 'SELECT COUNT(*) FROM incidents')" = "$before" ]
}

@test "bad updates are named and change nothing" {
	two_monitors
	report -d title=x -d "monitor_ids[]=$one" -d "started_at=$(time_of '-2 hours')" -d body=first
	for pair in body= phase=completed impact=bad at=x "at=$(time_of '+1 day')" "at=$(time_of '-3 hours')" \
		"next_update_at=$(time_of '-1 hour')"; do
		api POST "$list/$incident/updates" -d body=new -d "$pair"
		want_fault "${pair%%=*}"
	done
	api POST "$list/$incident/updates" -d phase=identified
	want_fault body required
	api POST "$list/$incident/updates" -d body=new -d "monitor_ids[]=$one" -d 'monitor_ids[]=999999999'
	want_fault monitor_ids.1
	api POST "$list/$incident/updates" -d body=new -d phase=resolved -d "next_update_at=$(time_of '+1 hour')"
	want_fault next_update_at over
	# Of an earlier time than the newest, an update changes no impact.
	post -d body=newest
	api POST "$list/$incident/updates" -d body=new -d "at=$(time_of '-1 hour')" -d impact=none
	want_fault at earlier
	post -d body=earlier -d "at=$(time_of '-1 hour')" -d phase=monitoring
	api GET "$list/$incident"
	want 200 '.data.phase == "investigating"' '.data.comment == "newest"' \
		'[.data.updates[].body] == ["newest", "earlier", "first"]'
	sql "INSERT INTO incident_updates (account_id, incident_id, phase, body, at) SELECT $account, $incident, 0, 'x',
		'2026-01-01 00:00:00' FROM seq_1_to_198"
	sql "UPDATE incidents SET revision = 500 WHERE id = $incident"
	api POST "$list/$incident/updates" -d body=more
	want_fault body 200
	api PUT "$list/$incident" -d comment=more
	want_fault comment 200
}

@test "a resolved update of an earlier time than the newest ends the incident at its time" {
	two_monitors
	report -d title=x -d "monitor_ids[]=$one" -d impact=major_outage -d body=first -d "started_at=$(time_of '-3 hours')"
	want 201 '.data.updates[0].at == .data.started_at'
	post -d body=newest -d phase=monitoring -d "next_update_at=$(time_of '+1 hour')"
	api POST "$list/$incident/updates" -d body=late -d phase=resolved -d "at=$(time_of '-4 hours')"
	want_fault at before
	[ "$(state_of "$one")" = major_outage ]
	over=$(time_of '-2 hours')
	post -d body=late -d phase=resolved -d "at=$over"
	want 201 '.data.phase == "resolved"' ".data.at == \"$over\""
	api GET "$list/$incident"
	want 200 '.data.status == "resolved"' '.data.phase == "resolved"' ".data.ended_at == \"$over\"" \
		'.data.comment == "newest"' '[.data.updates[].body] == ["newest", "late", "first"]' '.data.next_update_at == null'
	says "SELECT COUNT(*) FROM events WHERE kind = 'incident.resolved' AND object_id = $incident" 1
	# The page, its JSON and its feed say so, and the time after the end does not count.
	[ "$(state_of "$one")" = operational ]
	see api/v2/incidents.json
	jq -e --arg over "$over" '.incidents[0] | .status == "resolved" and .incident_updates[0].body == "late" and
		(.incident_updates | length) == 3 and (.resolved_at | sub("\\.\\d+"; "")) == $over' "$answer"
	see feed.atom
	shows 'Resolved'
	# Its end is not moved by another resolved update, and text of a later time does not open it.
	post -d body=again -d phase=resolved -d "at=$(time_of '-150 minutes')"
	post -d body=later
	api GET "$list/$incident"
	want 200 ".data.ended_at == \"$over\"" '.data.phase == "resolved"'
	# Withdrawn, it does not open the incident again; a newer update of another phase does.
	api DELETE "$list/$incident/updates/$update"
	want 200
	post -d body='Not yet.' -d phase=identified
	api GET "$list/$incident"
	want 200 '.data.status == "acknowledged"' '.data.ended_at == null' '.data.phase == "identified"'
	[ "$(state_of "$one")" = major_outage ]
}

@test "a late end of a detected incident, without or with a comment" {
	new_monitor
	new_page -F "monitor_ids[]=$monitor"
	here=/s/$slug
	"$ctl" incident open --monitor "$monitor" --cause a --started-at "$(time_of '-3 hours')"
	api GET "$list?monitor_id=$monitor"
	incident=$(jq '.data[0].id' "$answer")
	api PUT "$list/$incident" -d 'comment=We are on it.'
	post -d body=late -d phase=resolved -d "at=$(time_of '-1 hour')"
	api GET "$list/$incident"
	want 200 '.data.status == "resolved"' '.data.duration >= 7200 and .data.duration < 7230'
	see summary.json
	jq -e '.status.indicator == "none"' "$answer"
	# Monitoring may report the monitor as down again.
	api POST /hooks/generic -d "monitor=$monitor" -d state=down
	want 200 '.data.outcome == "opened"'
}

@test "an acknowledgement says nothing to visitors but that it is being worked on" {
	new_monitor
	new_page -F "monitor_ids[]=$monitor"
	here=/s/$slug
	"$ctl" incident open --monitor "$monitor" --cause a --started-at "$(time_of '-3 hours')"
	incident=$(sql "SELECT MAX(id) FROM incidents WHERE monitor_id = $monitor")
	statements='.incidents[0] | {status, name, incident_updates: [.incident_updates[] | {status, body, display_at}]}'
	see summary.json
	before=$(jq "$statements" "$answer")
	see feed.atom
	title=$(xmllint --xpath '//*[local-name()="entry"]/*[local-name()="title" or local-name()="content"]' "$answer")
	api PUT "$list/$incident" -d acknowledged_at=1
	want 200 '.data.status == "acknowledged"' '.data.phase == "investigating"'
	see summary.json
	[ "$(jq "$statements" "$answer")" = "$before" ]
	see feed.atom
	[ "$(xmllint --xpath '//*[local-name()="entry"]/*[local-name()="title" or local-name()="content"]' "$answer")" = "$title" ]
	see ''
	shows 'Being worked on since'
	# Taken back it leaves no trace; a phase that people state is told.
	api PUT "$list/$incident" -d acknowledged_at=0
	see ''
	refute grep -q 'Being worked on since' "$answer"
	post -d 'body=A disk is full.' -d phase=identified
	see summary.json
	jq -e '.incidents[0].status == "identified"' "$answer"
}

@test "updates are edited and withdrawn, and the comment follows the newest" {
	two_monitors
	report -d title=x -d "monitor_ids[]=$one" -d body=a
	first=$(jq '.data.updates[0].id' "$answer")
	post -d body=b
	api GET "$list/$incident/updates/$update"
	want 200 '.data.body == "b"'
	tag=$(header ETag)
	api PUT "$list/$incident/updates/$update" -H "If-Match: $tag" -d body=B
	want 200 '.data.body == "B"' '.data.edited_at != null'
	api PUT "$list/$incident/updates/$update" -H "If-Match: $tag" -d body=C
	want 412
	api PATCH "$list/$incident/updates/$update" -d body=
	want_fault body required
	api POST "$list/$incident/updates/$update" -d _method=PUT -d phase=resolved
	want_fault phase
	api POST "$list/$incident/updates/$update" -d _method=PUT -d "at=$(time_of '-1 day')"
	want_fault at before
	api GET "$list/$incident"
	want 200 '.data.comment == "B"'
	see ''
	shows 'B'
	api DELETE "$list/$incident/updates/$update"
	want 200 ". == {id: $update, object: \"incident_update\", deleted: true, status: 200}"
	api DELETE "$list/$incident/updates/$update"
	want 404
	api GET "$list/$incident"
	want 200 '.data.comment == "a"' '.data.updates | length == 1'
	# The documented comment: another text is an update more, an empty one withdraws the newest.
	api PUT "$list/$incident" -d comment=c
	want 200 '.data.comment == "c"'
	api GET "$list/$incident"
	want 200 '[.data.updates[].body] == ["c", "a"]'
	api PUT "$list/$incident" -d comment=
	want 200 '.data.comment == "a"'
	api PUT "$list/$incident" -d comment=
	want 200 '.data.comment == null'
	api PUT "$list/$incident" -d comment=
	want 200 '.data.comment == null'
	api GET "$list/$incident/updates/$first"
	want 404
	api PUT "$list/$incident/updates/x" -d body=x
	want 404
}

@test "resolved and opened again; a resolved update may follow" {
	two_monitors
	report -d title=x -d "monitor_ids[]=$one" -d phase=resolved -d impact=major_outage -d "started_at=$(time_of '-1 hour')"
	want 201 '.data.status == "resolved"'
	post -d body=again -d phase=investigating
	api GET "$list/$incident"
	want 200 '.data.status == "acknowledged"' '.data.ended_at == null'
	[ "$(state_of "$one")" = major_outage ]
	post -d body=done -d phase=resolved
	post -d body=afterwards
	api GET "$list/$incident"
	want 200 '.data.status == "resolved"' '.data.comment == "afterwards"' '.data.updates | length == 3'
}

@test "more updates than pages show are counted, and one that ends the incident is taken" {
	two_monitors
	report -d title=Long -d "monitor_ids[]=$one" -d body=first
	sql "INSERT INTO incident_updates (account_id, incident_id, phase, body, at) SELECT u.account_id, u.incident_id,
		u.phase, 'more', u.at FROM incident_updates u JOIN seq_1_to_198 n WHERE u.incident_id = $incident;
		UPDATE incidents SET revision = 300 WHERE id = $incident"
	post -d body=last
	see ''
	grep -q '>The newest 50 of 200 updates</a>' "$answer"
	see "incidents/$incident.html"
	grep -q '<p class="meta">The newest 50 of 200 updates</p>' "$answer"
	api POST "$list/$incident/updates" -d 'body=One more'
	want_fault body
	post -d body=Over -d phase=resolved
	api GET "$list/$incident"
	want 200 '.data.status == "resolved"' '.data.updates[0].body == "Over"'
	see "incidents/$incident.html"
	grep -q 'The newest 50 of 201 updates' "$answer"
	api POST "$list/$incident/updates" -d 'body=One more' -d phase=resolved
	want_fault body
}

@test "safe writes: the condition, the key, another account" {
	two_monitors
	report -d title=x -d "monitor_ids[]=$one" -H 'Idempotency-Key: report'"$one"
	tag=$(header ETag)
	api POST "$list" -d title=x -d "monitor_ids[]=$one" -H 'Idempotency-Key: report'"$one"
	want 201 ".data.id == $incident"
	[ "$(header Idempotent-Replayed)" = true ]
	post -d body=once -H "If-Match: $tag" -H 'Idempotency-Key: post'"$one"
	api POST "$list/$incident/updates" -d body=once -H "If-Match: $tag" -H 'Idempotency-Key: post'"$one"
	want 201 ".data.id == $update"
	api POST "$list/$incident/updates" -d body=twice -H "If-Match: $tag"
	want 412
	api GET "$list/$incident"
	want 200 '.data.updates | length == 1'
	other GET "$list/$incident"
	want 404
	other PUT "$list/$incident" -d title=y
	want 404
	other POST "$list/$incident/updates" -d body=y
	want 404
	other PUT "$list/$incident/updates/$update" -d body=y
	want 404
	other DELETE "$list/$incident/updates/$update"
	want 404
	other POST "$list" -d title=x -d "monitor_ids[]=$one"
	want_fault monitor_ids.0
	other POST "$list" -d title=x -d "status_page_ids[]=$page"
	want_fault status_page_ids.0
	# An update belongs to its incident.
	of=$update
	report -d title=z -d "monitor_ids[]=$one"
	api PUT "$list/$incident/updates/$of" -d body=y
	want 404
}

@test "a detected incident of a covered monitor is one row, inside the reported one" {
	two_monitors
	api POST /hooks/generic -d "monitor=$one" -d state=down -d 'cause=Timeout'
	report -d 'title=Covers it' -d "monitor_ids[]=$one" -d impact=partial_outage
	# The worst impact is the state.
	[ "$(state_of "$one")" = major_outage ]
	api POST /hooks/generic -d "monitor=$one" -d state=up
	want 200 '.data.outcome == "resolved"'
	[ "$(state_of "$one")" = partial_outage ]
	# People's incidents are none that monitoring may end, or is judged by.
	api POST /hooks/generic -d "monitor=$one" -d state=up
	want 200 '.data.outcome == "unchanged"'
	api GET "$list/$incident"
	want 200 '.data.status == "acknowledged"'
}

@test "a page names only its own monitors, and learns of all changes" {
	two_monitors
	new_monitor "Inner $(new_slug)"
	inner=$monitor
	report -d 'title=Wide' -d "monitor_ids[]=$inner" -d "monitor_ids[]=$two" -d impact=major_outage
	see ''
	shows Wide
	refute grep -q Inner "$answer"
	# The monitor that came first is removed: the incident stays with the others.
	api DELETE "/api/v1/monitors/$inner"
	want 200 '.deleted_incident_count == 0'
	soon gone_from "$inner"
	api GET "$list/$incident"
	want 200 ".data.monitor_ids == [$two]" ".data.monitor_id == $two"
	api GET "$list?monitor_id=$two"
	want 200 '.meta.total == 1'
	api DELETE "/api/v1/monitors/$two"
	want 200 '.deleted_incident_count == 1'
	soon gone_from "$two"
	api GET "$list/$incident"
	want 404
	# The kept counts are those of detected incidents.
	[ "$("$ctl" incident recount --check --json | jq .wrong)" = 0 ]
}

gone_from() {
	[ "$(sql "SELECT COUNT(*) FROM incident_monitors WHERE monitor_id = $1")" = 0 ]
}

@test "an incident moves to another month, and is not on the page of the first" {
	two_monitors
	start=$(date -u -d "$(date -u +%Y-%m-15) -2 months" +%F)
	report -d "title=Moves $slug" -d "monitor_ids[]=$one" -d "status_page_ids[]=$page" -d body=text \
		-d "started_at=${start}T10:00:00Z" -d "ended_at=${start}T11:00:00Z"
	see "$(date -u -d "$start" +%Y-%m).html"
	shows "Moves $slug"
	shows 'text'
	earlier=$(date -u -d "$start -1 month" +%F)
	api PUT "$list/$incident" -d "started_at=${earlier}T10:00:00Z" -d "ended_at=${earlier}T11:00:00Z"
	want 200
	see "$(date -u -d "$earlier" +%Y-%m).html"
	shows "Moves $slug"
	anyone GET "$here/$(date -u -d "$start" +%Y-%m).html"
	refute grep -q "Moves $slug" "$answer"
}

@test "statements of a report, an update and the page do not grow with monitors and updates" {
	two_monitors
	report -d title=x -d "monitor_ids[]=$one" -d body=a
	few=$(queries)
	for i in $(seq 12); do
		new_monitor "Many $i $(new_slug)"
		many+=(-d "monitor_ids[]=$monitor")
	done
	report -d title=x -d "monitor_ids[]=$one" "${many[@]}" -d body=a
	want_queries_at_most "$few"
	post -d body=b
	few=$(queries)
	for i in $(seq 5); do
		post -d "body=more $i"
	done
	want_queries_at_most "$few"
}
