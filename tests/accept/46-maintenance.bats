# Maintenance windows: once and by a rule, by the clock and by hand, on pages and in calendars.
load lib

list=/api/v1/maintenances

# in_s SECONDS: prints the time so many seconds from now.
in_s() {
	date -u -d "@$(($(date +%s) + $1))" +%Y-%m-%dT%H:%M:%SZ
}

# plan [CURL ARGUMENT]...: plans a window of $monitor; sets $window.
plan() {
	api POST "$list" -d "monitor_ids[]=$monitor" "$@"
	want 201
	window=$(jq .data.id "$answer")
}

# plan_ahead [CURL ARGUMENT]...: a window that begins in a day.
plan_ahead() {
	local day
	# One reading of the clock: the window lasts an hour to the second.
	day=$(in_s 86400)
	plan -d title=Upgrade -d "starts_at=$day" -d "ends_at=$(date -u -d "$day 1 hour" +%Y-%m-%dT%H:%M:%SZ)" "$@"
}

# kinds ID: prints the kinds of the window's events, oldest first.
kinds() {
	sql "SELECT GROUP_CONCAT(SUBSTRING_INDEX(kind, '.', -1) ORDER BY id SEPARATOR ' ') FROM events
		WHERE object = 'maintenance' AND object_id = $1"
}

# calendar FILTER: prints what the filter, an expression of Python, gives for each event of the page.
# python3-icalendar is a package for the system's own python3.
calendar() {
	local python
	for python in python3 /usr/bin/python3; do
		"$python" -c 'import icalendar' 2>/dev/null && break
		python=''
	done
	[ -n "$python" ] || skip "python3-icalendar is not installed"
	see calendar.ics
	"$python" - "$answer" "$1" <<'END'
import sys, icalendar
with open(sys.argv[1], 'rb') as file:
    calendar = icalendar.Calendar.from_ical(file.read())
assert not calendar.errors, calendar.errors
for e in calendar.walk('VEVENT'):
    assert not e.errors, e.errors
    print(eval(sys.argv[2]))
END
}

status_is() {
	api GET "$list/$window"
	jq -e ".data.status == \"$1\"" "$answer" >/dev/null
}

# bats test_tags=server
@test "a window is planned, shown, changed and deleted" {
	page_with_monitor
	start=$(in_s 86400) end=$(in_s 90000)
	api POST "$list" -d 'title= Datenbank umziehen ' -d 'body=We *move*.' -d "monitor_ids[]=$monitor" -d "starts_at=$start" \
		-d "ends_at=$end" -d remind_before=3600
	want 201 '.data.title == "Datenbank umziehen"' '.data.body == "We *move*."' '.data.status == "scheduled"' \
		".data.monitor_ids == [$monitor]" ".data.starts_at == \"$start\"" ".data.ends_at == \"$end\"" \
		'.data.duration == null' '.data.time_zone == null' '.data.rrule == null' '.data.auto_transition == true' \
		'.data.remind_before == 3600' ".data.next_starts_at == \"$start\"" ".data.next_ends_at == \"$end\"" \
		'.data.updates == []' '.data.occurrences | length == 1' \
		'.data | keys == ["auto_transition", "body", "created_at", "duration", "ends_at", "id", "monitor_ids",
			"next_ends_at", "next_starts_at", "occurrences", "remind_before", "rrule", "starts_at", "status",
			"time_zone", "title", "updated_at", "updates", "url"]'
	window=$(jq .data.id "$answer")
	[ "$(header Location)" = "$base$list/$window" ]
	cp "$answer" "$BATS_TEST_TMPDIR/created"
	etag=$(header ETag)
	api GET "$list/$window"
	want 200
	[ "$(header ETag)" = "$etag" ]
	[ "$(jq -S .data "$answer")" = "$(jq -S .data "$BATS_TEST_TMPDIR/created")" ]
	api GET "$list/$window" -H "If-None-Match: $etag"
	want 304
	# What was read may be sent back.
	jq -c .data "$BATS_TEST_TMPDIR/created" >"$BATS_TEST_TMPDIR/body"
	api PUT "$list/$window" -H 'Content-Type: application/json' -d "@$BATS_TEST_TMPDIR/body" -H "If-Match: $etag"
	want 200 ".data.starts_at == \"$start\"" '.data.remind_before == 3600'
	api PATCH "$list/$window" -d title=Other -H "If-Match: $etag"
	want 412
	api POST "$list/$window" -F _method=PATCH -F title=Move -F body= -F remind_before=
	want 200 '.data.title == "Move"' '.data.body == null' '.data.remind_before == null' ".data.ends_at == \"$end\""
	api PATCH "$list/$window" -H 'Content-Type: application/json' -d '{"remind_before": 60, "monitor_ids": []}'
	want 200 '.data.remind_before == 60' '.data.monitor_ids == []'
	api DELETE "$list/$window" -H "If-Match: $etag"
	want 412
	api DELETE "$list/$window"
	want 200 ". == {id: $window, object: \"maintenance\", deleted: true, status: 200}"
	for method in GET PUT DELETE; do
		api "$method" "$list/$window"
		want 404
	done
	[ "$(kinds "$window")" = "scheduled updated updated updated deleted" ]
}

@test "a value that is not allowed is named, and nothing is changed" {
	new_monitor
	plan_ahead
	before=$(sql "SELECT * FROM maintenances WHERE id = $window; SELECT * FROM maintenance_occurrences WHERE maintenance_id = $window")
	api POST "$list" -d body=x
	want 422 '.errors | keys == ["ends_at", "starts_at", "title"]'
	api POST "$list" -d title=x -d "starts_at=$(in_s 60)"
	want 422 '.errors | keys == ["ends_at"]'
	api POST "$list" -d title=x -d "starts_at=$(date +%F)T10:00:00" -d 'rrule=FREQ=DAILY'
	want 422 '.errors | keys == ["duration", "time_zone"]'
	for pair in title= starts_at= starts_at=soon starts_at=1999-01-01T00:00:00Z ends_at= ends_at=1999-01-01T00:00:00Z \
		ends_at=9999-01-01T00:00:00Z duration=60 duration=0 duration=x time_zone=UTC auto_transition=2 remind_before=59 \
		remind_before=2678401 remind_before=x status=open status= status=verifying status=completed id=1 \
		created_at=2026-01-01T00:00:00Z next_starts_at=2026-01-01T00:00:00Z monitor_ids=1 'monitor_ids[]=x'; do
		name=${pair%%=*}
		api PUT "$list/$window" -d "$pair"
		[ "$name" = 'monitor_ids[]' ] && name=monitor_ids.0
		want_fault "$name"
	done
	api PUT "$list/$window" -d rrule=FREQ=DAILY
	want 422 '.errors | keys == ["duration", "starts_at", "time_zone"]'
	api PUT "$list/$window" --data-urlencode "title=$(printf 'ü%.0s' $(seq 256))"
	want_fault title
	api PUT "$list/$window" --data-urlencode "body=$(printf 'ü%.0s' $(seq 10001))"
	want_fault body
	api PUT "$list/$window" --data-urlencode "body=$(printf 'ü%.0s' $(seq 10000))" -d title=
	want_fault title
	[ "$(sql "SELECT * FROM maintenances WHERE id = $window; SELECT * FROM maintenance_occurrences WHERE maintenance_id = $window")" = "$before" ]
	[ "$(kinds "$window")" = scheduled ]
}

@test "an unbounded rule is refused" {
	new_monitor
	saturday=$(date -d 'saturday week' +%F)
	recurring=(-d title=x -d "monitor_ids[]=$monitor" -d "starts_at=${saturday}T10:00:00" -d duration=3600 -d time_zone=UTC)
	for rule in FREQ=HOURLY FREQ=SECONDLY 'FREQ=DAILY;BYHOUR=1,2,3' 'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30' 'FREQ=DAILY;COUNT=99999' x \
		'FREQ=WEEKLY;BYDAY=MO' "FREQ=DAILY;X=$(printf '1%.0s' $(seq 300))"; do
		api POST "$list" "${recurring[@]}" --data-urlencode "rrule=$rule"
		want_fault rrule
	done
	# A day each day leaves no time between two occurrences.
	api POST "$list" "${recurring[@]}" -d duration=86401 -d rrule=FREQ=DAILY
	want_fault duration
	api POST "$list" "${recurring[@]}" -d duration=86400 -d rrule=FREQ=DAILY
	want 201
	api POST "$list" "${recurring[@]}" -d "starts_at=$(date -d "$saturday 1000 days" +%F)T10:00:00" -d rrule=FREQ=YEARLY
	want_fault rrule
}

@test "another account sees no window, and has no part in one" {
	new_monitor
	plan_ahead
	api POST "$list/$window/updates" -d body=Text
	want 201
	update=$(jq .data.id "$answer")
	[ "$(header Location)" = "$base$list/$window/updates/$update" ]
	api GET "$list/$window/updates/$update"
	want 200 ".data.id == $update" '.data.body == "Text"' '.data.phase == "scheduled"'
	api GET "$list/$window/updates/$update" -H "If-None-Match: $(header ETag)"
	want 304
	for request in "GET $list/$window" "PUT $list/$window" "DELETE $list/$window" "POST $list/$window/updates" \
		"GET $list/$window/updates/$update" "PUT $list/$window/updates/$update" "DELETE $list/$window/updates/$update"; do
		# shellcheck disable=SC2086
		other $request -d body=x
		want 404
	done
	other POST "$list" -d title=x -d "monitor_ids[]=$monitor" -d "starts_at=$(in_s 60)" -d "ends_at=$(in_s 90)"
	want_fault monitor_ids.0
	other GET "$list?per_page=100"
	want 200 "[.data[] | select(.id == $window)] == []"
	own=$window
	plan_ahead
	# The update is of another window of the account.
	api DELETE "$list/$window/updates/$update"
	want 404
	api PUT "$list/$own/updates/x" -d body=y
	want 404
	api PUT "$list/$own" -d "monitor_ids[]=$monitor" -d 'monitor_ids[]=999999999'
	want_fault monitor_ids.1
	api GET "$list/$own"
	want 200 ".data.monitor_ids == [$monitor]" '.data.updates[0].body == "Text"'
}

@test "windows are listed by status, monitor and time" {
	new_monitor
	plan_ahead -d title=ahead
	ahead=$window
	plan -d title=running -d "starts_at=$(in_s -60)" -d "ends_at=$(in_s 600)"
	running=$window
	plan -d title=past -d "starts_at=$(in_s -7200)" -d "ends_at=$(in_s -3600)"
	past=$window
	plan_ahead -d title=cancelled
	api PUT "$list/$window" -d status=cancelled
	want 200 '.data.status == "cancelled"'
	cancelled=$window
	want_list() {
		api GET "$list?monitor_id=$monitor&$1"
		want 200 "[.data[].id] == $2" ".meta.total == ($2 | length)"
	}
	want_list '' "[$cancelled, $past, $running, $ahead]"
	want_queries 2
	want_list sort=asc "[$ahead, $running, $past, $cancelled]"
	want_list sort_by=starts_at "[$cancelled, $ahead, $running, $past]"
	want_list status=scheduled "[$ahead]"
	want_list status=in_progress "[$running]"
	want_list status=verifying "[]"
	want_list status=completed "[$past]"
	want_list status=cancelled "[$cancelled]"
	want_list upcoming=1 "[$running, $ahead]"
	want_list 'upcoming=true&status=scheduled' "[$ahead]"
	want_list 'upcoming=1&page=2' "[]" || want 200 '.meta.total == 2'
	api GET "$list?status=open"
	want_fault status
	api GET "$list?upcoming=maybe"
	want_fault upcoming
	api GET "$list?monitor_id=0"
	want_fault monitor_id
}

@test "the clock starts and ends a window, and an outage within it is maintenance" {
	page_with_monitor
	plan -d title=Soon -d "starts_at=$(in_s 4)" -d "ends_at=$(in_s 14)" -d remind_before=60
	[ "$(kinds "$window")" = scheduled ]
	status_is scheduled
	soon status_is in_progress
	soon says "SELECT status FROM maintenance_occurrences WHERE maintenance_id = $window" 1
	"$ctl" incident open --monitor "$monitor" --cause Unplugged
	see summary.json
	jq -e '.incidents == [] and .status.indicator != "critical"' "$answer"
	# The incident is recorded all the same.
	api GET "/api/v1/incidents?monitor_id=$monitor"
	want 200 '.data | length == 1' '.data[0].status == "unresolved"'
	soon status_is completed
	# From the end on it is an outage: the page is published by the clock.
	is_down() {
		see summary.json && jq -e '.status.indicator == "critical"' "$answer"
	}
	soon is_down
	soon says "SELECT status FROM maintenance_occurrences WHERE maintenance_id = $window" 3
	[ "$(kinds "$window")" = "scheduled started completed" ]
	[ "$(sql "SELECT GROUP_CONCAT(DISTINCT actor_type ORDER BY actor_type) FROM events WHERE object = 'maintenance'
		AND object_id = $window")" = key,system ]
	# Nothing is left for the clock.
	says "SELECT COUNT(*) FROM maintenance_occurrences WHERE maintenance_id = $window AND next_at IS NOT NULL" 0
}

@test "a late report of an outage within a window is no outage" {
	page_with_monitor
	plan -d title=Past -d "starts_at=$(in_s -3600)" -d "ends_at=$(in_s -1800)"
	api GET "$list/$window"
	want 200 '.data.status == "completed"'
	import_lines <<-END
		monitor_id,cause,started_at,ended_at
		$monitor,within,$(in_s -3500),$(in_s -1900)
	END
	see ''
	uptime=$(grep -oE '[0-9.]+ ?% ' "$answer" | head -n 1)
	[[ "$uptime" == 100* ]]
	see incidents.json
	jq -e '.incidents == []' "$answer"
	# The same outage, but the window is deleted: it counts.
	api DELETE "$list/$window"
	want 200
	see ''
	[ "$(grep -oE '[0-9.]+ ?% ' "$answer" | head -n 1)" != "$uptime" ]
	see incidents.json
	jq -e '.incidents | length == 1' "$answer"
}

@test "people start, verify, complete and cancel a window" {
	new_monitor
	plan_ahead -d auto_transition=0
	api PUT "$list/$window" -d status=completed
	want_fault status
	api PUT "$list/$window" -d status=in_progress
	want 200 '.data.status == "in_progress"' '.data.starts_at <= .data.updated_at'
	api PUT "$list/$window" -d status=in_progress
	want 200 '.data.status == "in_progress"'
	api PUT "$list/$window" -d "starts_at=$(in_s 600)"
	want_fault starts_at
	api POST "$list/$window/updates" -d 'body=Looks *good*' -d phase=verifying
	want 201 '.data.phase == "verifying"' '.data.body == "Looks *good*"' '.data.edited_at == null'
	first=$(jq .data.id "$answer")
	update_etag=$(header ETag)
	api POST "$list/$window/updates" -d body=Done -d phase=completed -H 'If-Match: "1-1"'
	want 412
	api GET "$list/$window"
	want 200 '.data.status == "verifying"'
	api POST "$list/$window/updates" -d body=Done -d phase=completed -H "If-Match: $(header ETag)"
	want 201 '.data.phase == "completed"'
	api GET "$list/$window"
	want 200 '.data.status == "completed"' '.data.ends_at <= .data.updated_at' '[.data.updates[].body] == ["Done", "Looks *good*"]'
	api POST "$list/$window/updates" -d body=Again -d phase=in_progress
	want_fault phase
	api PUT "$list/$window" -d "ends_at=$(in_s 600)"
	want_fault ends_at
	api PUT "$list/$window/updates/$first" -d 'body=Looks fine'
	want 200 '.data.body == "Looks fine"' '.data.edited_at != null' '.data.phase == "verifying"'
	jq -c .data "$answer" >"$BATS_TEST_TMPDIR/update"
	api PATCH "$list/$window/updates/$first" -H 'Content-Type: application/json' -d "@$BATS_TEST_TMPDIR/update"
	want 200
	api PUT "$list/$window/updates/$first" -d body=Late -H "If-Match: $update_etag"
	want 412
	api PUT "$list/$window/updates/$first" -d id=1
	want_fault id
	api PUT "$list/$window/updates/$first" -d phase=completed
	want_fault phase
	for pair in body= at=soon at=2999-01-01T00:00:00Z at=1999-01-01T00:00:00Z phase=x; do
		api PUT "$list/$window/updates/$first" -d "$pair"
		want_fault "${pair%%=*}"
		api POST "$list/$window/updates" -d body=x -d "$pair"
		want_fault "${pair%%=*}"
	done
	api POST "$list/$window/updates" -d phase=completed
	want_fault body
	api DELETE "$list/$window/updates/$first"
	want 200 ". == {id: $first, object: \"maintenance_update\", deleted: true, status: 200}"
	api DELETE "$list/$window/updates/$first"
	want 404
	api GET "$list/$window"
	want 200 '[.data.updates[].body] == ["Done"]'
	[ "$(kinds "$window")" = "scheduled updated started update_posted verifying update_posted completed update_edited update_withdrawn" ] ||
		[ "$(kinds "$window")" = "scheduled started update_posted verifying update_posted completed update_edited update_withdrawn" ]
	plan_ahead
	api PUT "$list/$window" -d status=cancelled
	want 200 '.data.status == "cancelled"'
	api PUT "$list/$window" -d status=in_progress
	want_fault status
	api PUT "$list/$window" -d title=Off
	want 200 '.data.title == "Off"' '.data.status == "cancelled"'
}

@test "a window that is completed early ends its maintenance" {
	page_with_monitor
	plan -d title=Long -d "starts_at=$(in_s -60)" -d "ends_at=$(in_s 3600)"
	"$ctl" incident open --monitor "$monitor" --cause Unplugged
	see summary.json
	jq -e '.incidents == []' "$answer"
	api PUT "$list/$window" -d status=completed
	want 200 '.data.status == "completed"'
	# Before the response: the page is right when it is read next.
	see summary.json
	jq -e '.status.indicator == "critical"' "$answer"
}

# DST: each occurrence is at the local time of its rule, in zones of both halves of the world.
@test "occurrences are those that Python computes, over all changes of the clocks" {
	for python in python3 /usr/bin/python3; do
		"$python" -c 'import dateutil.rrule, zoneinfo' 2>/dev/null && break
		python=''
	done
	[ -n "$python" ] || skip "python3-dateutil is not installed"
	new_monitor
	start=$(date -u -d '+2 days' +%Y-%m-%d)
	read -r day year_day week month weekday < <(LC_ALL=C date -d "$start" '+%-d %-j %-V %-m %a')
	weekday=${weekday^^} weekday=${weekday::2}
	{
		for rule in "DAILY;INTERVAL=3;BYMONTH=$month,1,7" "DAILY;BYMONTHDAY=$day,-1,-13" "WEEKLY;BYMONTH=$month,2" \
			"WEEKLY;INTERVAL=3;WKST=WE;BYDAY=$weekday,SU,MO" "MONTHLY;BYMONTHDAY=$day,31,-1" "YEARLY;BYMONTHDAY=$day,31" \
			"MONTHLY;INTERVAL=2;BYDAY=$weekday,MO" "YEARLY;BYYEARDAY=$year_day,60,-1,-100" "YEARLY;BYMONTH=$month,3;BYDAY=$weekday" \
			"YEARLY;BYWEEKNO=$((10#$week)),-1,1,20;BYDAY=$weekday,SU" "YEARLY;BYDAY=$(((year_day + 6) / 7))$weekday,-1FR,20TU"; do
			echo "Europe/Berlin 09:00:00 FREQ=$rule"
		done
		for zone in Europe/Berlin America/New_York Australia/Lord_Howe America/St_Johns Asia/Kathmandu Pacific/Chatham; do
			for time in 00:30:00 01:30:00 02:30:00 03:15:00; do
				echo "$zone $time FREQ=DAILY 400"
			done
			echo "$zone 02:15:00 FREQ=WEEKLY;INTERVAL=2 100"
			echo "$zone 23:45:00 FREQ=MONTHLY 40"
		done
	} >"$BATS_TEST_TMPDIR/rules"
	while read -r zone time rule _; do
		plan -d title=x -d "starts_at=${start}T$time" -d duration=60 -d "time_zone=$zone" -d "rrule=$rule"
		echo "$window $zone ${start}T$time $rule" >>"$BATS_TEST_TMPDIR/windows"
	done <"$BATS_TEST_TMPDIR/rules"
	sql "SELECT maintenance_id, DATE_FORMAT(starts_at, '%Y-%m-%dT%H:%i:%sZ') FROM maintenance_occurrences
		WHERE maintenance_id IN ($(cut -d ' ' -f 1 "$BATS_TEST_TMPDIR/windows" | paste -sd,))
		ORDER BY maintenance_id, starts_at" >"$BATS_TEST_TMPDIR/stored"
	"$python" - "$BATS_TEST_TMPDIR/windows" >"$BATS_TEST_TMPDIR/computed" <<'END'
import datetime as d, sys, zoneinfo
from dateutil.rrule import rrulestr
limit = d.datetime.now(d.timezone.utc) + d.timedelta(days=400)
for line in open(sys.argv[1]):
    window, zone, start, rule = line.split()
    tz = zoneinfo.ZoneInfo(zone)
    for local in rrulestr(rule, dtstart=d.datetime.fromisoformat(start)):
        # Of a time that occurs twice the first; a time that is skipped with the offset before.
        at = local.replace(tzinfo=tz, fold=0).astimezone(d.timezone.utc)
        if at > limit:
            break
        print(window, at.strftime('%Y-%m-%dT%H:%M:%SZ'), sep='\t')
END
	[ "$(wc -l <"$BATS_TEST_TMPDIR/stored")" -gt 9000 ]
	# The last of each may be computed a second later.
	diff "$BATS_TEST_TMPDIR/stored" "$BATS_TEST_TMPDIR/computed"
}

@test "a recurring window moves, loses one occurrence, and ends" {
	page_with_monitor
	day=$(date -u -d '+3 days' +%Y-%m-%d)
	plan -d title=Weekly -d "starts_at=${day}T22:00:00" -d duration=3600 -d time_zone=UTC -d rrule=freq=weekly
	want 201 '.data.rrule == "FREQ=WEEKLY"' '.data.ends_at == null' ".data.next_starts_at == \"${day}T22:00:00Z\"" \
		'.data.occurrences | length == 10'
	ids() {
		sql "SELECT GROUP_CONCAT(id ORDER BY starts_at) FROM maintenance_occurrences WHERE maintenance_id = $window AND is_dropped = 0"
	}
	before=$(ids)
	[ "$(tr -cd , <<<"$before" | wc -c)" = 56 ]
	# The occurrences move and stay the same ones.
	api PUT "$list/$window" -d "starts_at=${day}T23:00:00" -d duration=1800
	want 200 ".data.next_starts_at == \"${day}T23:00:00Z\"" ".data.next_ends_at == \"${day}T23:30:00Z\"" '.data.status == "scheduled"'
	[ "$(ids)" = "$before" ]
	# An update cancels the next occurrence alone.
	api POST "$list/$window/updates" -d 'body=Not this week' -d phase=cancelled
	want 201 '.data.phase == "cancelled"'
	api GET "$list/$window"
	want 200 '.data.status == "scheduled"' '.data.occurrences[0].status == "cancelled"' '.data.occurrences[1].status == "scheduled"' \
		".data.next_starts_at == .data.occurrences[1].starts_at" '.data.updates[0].phase == "cancelled"'
	# It stays cancelled when the rule is computed again.
	api PUT "$list/$window" -d rrule='FREQ=WEEKLY;COUNT=3'
	want 200 '[.data.occurrences[].status] == ["cancelled", "scheduled", "scheduled"]'
	see calendar.ics
	[ "$(grep -c '^STATUS:CANCELLED' "$answer")" -ge 50 ]
	[ "$(grep -c '^STATUS:CONFIRMED' "$answer")" = 2 ]
	api PUT "$list/$window" -d status=cancelled
	want 200 '.data.status == "cancelled"' '[.data.occurrences[] | select(.status != "cancelled")] == []'
	[ "$(kinds "$window")" = "scheduled updated update_posted cancelled updated cancelled" ]
	# A window with a rule becomes one without.
	plan -d title=Weekly -d "starts_at=${day}T22:00:00" -d duration=3600 -d time_zone=UTC -d rrule=FREQ=WEEKLY
	api PUT "$list/$window" -d rrule= -d "starts_at=${day}T20:00:00Z" -d "ends_at=${day}T21:00:00Z"
	want 200 '.data.rrule == null' '.data.duration == null' '.data.time_zone == null' ".data.next_starts_at == \"${day}T20:00:00Z\"" \
		'.data.occurrences | length == 1'
	api PUT "$list/$window" -d rrule=FREQ=DAILY -d "starts_at=${day}T20:00:00" -d duration=60 -d time_zone=Europe/Berlin
	want 200 '.data.ends_at == null' '.data.occurrences | length == 10'
}

@test "an occurrence of a rule that starts early is as long as the rule says" {
	page_with_monitor
	day=$(date -u -d '+9 days' +%Y-%m-%d)
	for way in phase status; do
		plan -d title=Early -d "starts_at=${day}T22:00:00" -d duration=600 -d time_zone=UTC -d rrule=FREQ=MONTHLY
		if [ "$way" = phase ]; then
			api POST "$list/$window/updates" -d body=Early -d phase=in_progress
			want 201
		else
			api PUT "$list/$window" -d status=in_progress
			want 200
		fi
		api GET "$list/$window"
		want 200 '.data.status == "in_progress"' \
			'(.data.next_ends_at | fromdate) - (.data.next_starts_at | fromdate) == 600'
		says "SELECT TIMESTAMPDIFF(SECOND, starts_at, next_at) FROM maintenance_occurrences
			WHERE maintenance_id = $window AND status = 1" 600
	done
	# A window without a rule keeps its end, and its times are UTC unless they have an offset.
	plan -d title=Once -d "starts_at=${day}T10:00:00" -d "ends_at=${day}T14:00:00%2B02:00"
	want 201 ".data.starts_at == \"${day}T10:00:00Z\"" ".data.ends_at == \"${day}T12:00:00Z\""
	end=$(in_s 90000)
	plan -d title=Once -d "starts_at=$(in_s 86400)" -d "ends_at=$end"
	api PUT "$list/$window" -d status=in_progress
	want 200 ".data.ends_at == \"$end\""
}

@test "a recurring window that ends is called off once, with the next times that it had" {
	page_with_monitor
	day=$(date -u -d '+3 days' +%Y-%m-%d)
	plan -d title=Nightly -d "starts_at=${day}T22:00:00" -d duration=600 -d time_zone=UTC -d rrule=FREQ=DAILY
	see ''
	[ "$(grep -c '<li id="maintenance-' "$answer")" = 1 ]
	api PUT "$list/$window" -d status=cancelled
	want 200 '.data.status == "cancelled"'
	see ''
	[ "$(grep -c '<li id="maintenance-' "$answer")" = 1 ]
	grep -q '9 later dates' "$answer"
	first=$(sql "SELECT id FROM maintenance_occurrences WHERE maintenance_id = $window ORDER BY starts_at LIMIT 1")
	grep -q "id=\"maintenance-$first\"" "$answer"
	see feed.atom
	[ "$(grep -c '<entry>' "$answer")" = 1 ]
	grep -q "maintenance/$first\"" "$answer"
	see scheduled-maintenances.json
	jq -e --arg day "$day" '.scheduled_maintenances | length == 10 and all(.status == "completed" or .status == "cancelled")
		and (.[0].scheduled_for | startswith($day))' "$answer"
	see calendar.ics
	[ "$(grep -c '^STATUS:CANCELLED' "$answer")" = 100 ]
}

@test "another program reads the calendar: stable ids, sequences, cancellations" {
	page_with_monitor
	see_none() {
		anyone GET "$here/calendar.ics"
		[ "$status" = 404 ]
	}
	see_none
	plan_ahead -d 'title=Größer; besser, 🚧 und länger als fünfundsiebzig Bytes in einer Zeile' \
		--data-urlencode $'body=One\nTwo'
	see calendar.ics
	[ "$(header Content-Type)" = 'text/calendar; charset=utf-8' ]
	refute grep -qvP '^[^\r]{1,75}\r$' <(LC_ALL=C cat "$answer")
	uid=$(calendar 'e["uid"]')
	[ "$(calendar 'e["sequence"]')" = 0 ]
	[ "$(calendar 'e["summary"]')" = 'Größer; besser, 🚧 und länger als fünfundsiebzig Bytes in einer Zeile' ]
	[ "$(calendar 'str(e["status"]), e["description"].endswith("\n\nOne\nTwo"), (e["dtend"].dt - e["dtstart"].dt).seconds')" = "('CONFIRMED', True, 3600)" ]
	api PUT "$list/$window" -d "ends_at=$(in_s 97200)"
	want 200
	api PUT "$list/$window" -d title=Short
	want 200
	[ "$(calendar 'str(e["uid"]), e["sequence"], str(e["summary"])')" = "('$uid', 2, 'Short')" ]
	api DELETE "$list/$window"
	want 200
	[ "$(calendar 'str(e["uid"]), e["sequence"], str(e["status"])')" = "('$uid', 3, 'CANCELLED')" ]
	# After 30 days it is forgotten.
	sql "UPDATE maintenances SET deleted_at = NOW() - INTERVAL 31 DAY, over_at = NOW() - INTERVAL 31 DAY WHERE id = $window;
		UPDATE maintenance_occurrences SET updated_at = NOW() - INTERVAL 31 DAY WHERE maintenance_id = $window"
	"$ctl" publish
	says "SELECT COUNT(*) FROM maintenances WHERE id = $window" 0
	says "SELECT COUNT(*) FROM maintenance_occurrences WHERE maintenance_id = $window" 0
}

@test "the background loop computes the next occurrences of a rule once a day" {
	page_with_monitor
	day=$(date -u -d '+3 days' +%Y-%m-%d)
	plan -d title=Daily -d "starts_at=${day}T22:00:00" -d duration=60 -d time_zone=UTC -d rrule=FREQ=DAILY
	count() {
		sql "SELECT COUNT(*) FROM maintenance_occurrences WHERE maintenance_id = $window"
	}
	all=$(count)
	[ "$all" -ge 397 ]
	sql "DELETE FROM maintenance_occurrences WHERE maintenance_id = $window ORDER BY starts_at DESC LIMIT 50"
	"$ctl" publish
	[ "$(count)" = "$((all - 50))" ]
	sql "UPDATE maintenances SET expanded_at = NOW() - INTERVAL 2 DAY WHERE id = $window"
	"$ctl" publish
	[ "$(count)" = "$all" ]
}

@test "a repeated request with an Idempotency-Key plans one window" {
	new_monitor
	idempotency=$(new_slug)
	plan_ahead -H "Idempotency-Key: $idempotency"
	first=$window
	api POST "$list" -d title=Other -d "starts_at=$(in_s 60)" -d "ends_at=$(in_s 90)" -H "Idempotency-Key: $idempotency"
	want 409
	api POST "$list/$first/updates" -d body=Once -H "Idempotency-Key: ${idempotency}u"
	want 201
	api POST "$list/$first/updates" -d body=Once -H "Idempotency-Key: ${idempotency}u"
	want 201
	[ "$(header Idempotent-Replayed)" = true ]
	api GET "$list/$first"
	want 200 '.data.updates | length == 1'
}

@test "daymarkctl plans, changes and ends windows" {
	new_monitor
	added=$("$ctl" maintenance add 'By hand' --account "$account" --monitors "$monitor" --start "$(in_s 86400)" --end "$(in_s 90000)" \
		--body Text --remind 30m --manual --json)
	window=$(jq .id <<<"$added")
	jq -e ".monitor_ids == [$monitor] and .remind_before == 1800 and .auto_transition == false and .body == \"Text\"" <<<"$added"
	"$ctl" maintenance list --account "$account" | grep -E "^$window .* scheduled .* By hand\$"
	"$ctl" maintenance list --json | jq -e ".[] | select(.id == $window) | .title == \"By hand\""
	"$ctl" maintenance set "$window" --title Renamed --body '' --json | jq -e '.title == "Renamed" and .body == null'
	"$ctl" maintenance update "$window" 'We begin' --phase in_progress | grep -F in_progress
	"$ctl" maintenance complete "$window" | grep -F completed
	"$ctl" maintenance show "$window" | jq -e '.status == "completed" and .updates[0].body == "We begin"'
	run "$ctl" maintenance cancel "$window"
	[ "$status" != 0 ]
	"$ctl" maintenance delete "$window" --yes
	run "$ctl" maintenance show "$window"
	[ "$status" = 3 ]
	saturday=$(date -d 'saturday week' +%F)
	utc=$(date -u -d "TZ=\"Europe/Berlin\" $saturday 22:00" +%FT%TZ)
	recurring=$("$ctl" maintenance add Weekly --account "$account" --monitors "$monitor" --start "${saturday}T22:00:00" --duration 2h \
		--zone Europe/Berlin --rrule 'FREQ=WEEKLY;BYDAY=SA' --json)
	jq -e ".duration == 7200 and .rrule == \"FREQ=WEEKLY;BYDAY=SA\" and .occurrences[0].starts_at == \"$utc\"" <<<"$recurring"
	"$ctl" maintenance cancel "$(jq .id <<<"$recurring")" | grep -F cancelled
	for wrong in '--end soon' '--duration x' '--remind x' '--monitors a' '--zone Mars' '--rrule x --zone UTC --duration 1h'; do
		# shellcheck disable=SC2086
		run "$ctl" maintenance add Wrong --account "$account" --start "${saturday}T22:00:00" $wrong
		[ "$status" = 2 ] || { echo "$wrong: $status $output"; false; }
	done
}

# bats test_tags=server
@test "each occurrence has a page at its address, on the page's own domain, too" {
	page_with_monitor
	plan -d title=Upgrade -d 'body=We move to *new* disks.' -d "starts_at=$(date -d '2 days' +%F)T22:00:00" -d duration=7200 \
		-d time_zone=Europe/Berlin -d 'rrule=FREQ=DAILY'
	jq -e '[.data.occurrences[] | .url | test("^'"$base$here"'/maintenance/[0-9]+$")] | length == 10 and all' "$answer"
	jq -e '.data.url == .data.occurrences[0].url' "$answer"
	first=$(jq -r '.data.occurrences[0].url' "$answer") second=$(jq -r '.data.occurrences[1].url' "$answer")
	api POST "$list/$window/updates" -d 'body=Nearly ready.'
	want 201
	for url in "$first" "$first.html"; do
		anyone GET "${url#"$base"}"
		[ "$status" = 200 ] || show
		shows '<em>new</em>'
		shows 'Nearly ready.'
	done
	anyone GET "${second#"$base"}"
	shows 'Scheduled'
	refute grep -q 'Nearly ready' "$answer"
	anyone GET "${first#"$base"}/"
	[ "$status" = 308 ] || show
	[[ "$(header Location)" == *"${first#"$base"}" ]] || show
	for name in 0 x 1x 99999999999; do
		anyone GET "$here/maintenance/$name"
		[ "$status" = 404 ] || show
		grep -qi '<h1>' "$answer" || show
	done
	domain=$(new_slug).example.com
	api PUT "/api/v1/status-pages/$page" -d "domain=$domain"
	want 200
	api GET "$list/$window"
	jq -re .data.url "$answer" | grep -E "^https?://$domain(:[0-9]+)?/maintenance/[0-9]+$"
	base=${DAYMARK_ACCEPT_DOMAIN_BASE:-$base}
	anyone GET "/maintenance/${first##*/}" -H "Host: $domain"
	[ "$status" = 200 ] || show
	shows 'Nearly ready.'
}

@test "the page of an occurrence is as open as the page of its systems" {
	page_with_monitor -F privacy=2 -F password=let-me-in
	plan_ahead
	own=maintenance/$(jq -r '.data.occurrences[0].id' "$answer")
	anyone GET "$here/$own"
	[ "$status" = 303 ] || show
	[[ "$(header Location)" == *"$here/" ]] || show
	anyone POST "$here/" -c "$BATS_TEST_TMPDIR/jar" -d password=let-me-in
	see "$own" -b "$BATS_TEST_TMPDIR/jar"
	shows Upgrade
	[[ "$(header Cache-Control)" == *no-store* ]] || show
	api PUT "/api/v1/status-pages/$page" -d privacy=1
	anyone GET "$here/$own" -b "$BATS_TEST_TMPDIR/jar"
	[ "$status" = 404 ] || show
	# A window whose systems no page shows is nowhere.
	api PUT "/api/v1/status-pages/$page" -d 'monitor_ids[]='
	api GET "$list/$window"
	jq -e '.data.url == null and .data.occurrences[0].url == null' "$answer"
}

@test "all errors of a window come at once, and a refused rule names its part" {
	api POST "$list" -d 'starts_at=x' -d 'ends_at=y' -d remind_before=1 -d 'monitor_ids[]=999999999' -d status=completed
	want 422 '(.errors | keys) == ["ends_at", "monitor_ids.0", "remind_before", "starts_at", "status", "title"]' \
		'[.errors[] | length] | all(. == 1)' '.codes.title == ["required"]' '.codes["monitor_ids.0"] == ["unknown"]'
	api POST "$list" -d duration=x -d rrule=FREQ=DAILY -d 'monitor_ids[]=999999999'
	want 422 '(.errors | keys) == ["duration", "monitor_ids.0", "starts_at", "time_zone", "title"]'
	# The rule, too, whatever else is wrong, and of a window that exists.
	api POST "$list" -d title= -d duration=0 -d rrule=FREQ=HOURLY -d time_zone=Mars/Base -d 'monitor_ids[]=999999999' -d starts_at=x
	want 422 '(.errors | keys) == ["duration", "monitor_ids.0", "rrule", "starts_at", "time_zone", "title"]' '[.errors[] | length] | all(. == 1)'
	api POST "$list" -d title= -d duration=60 -d rrule=FREQ=HOURLY -d time_zone=UTC -d 'monitor_ids[]=999999999' -d "starts_at=$(date -d '+10 days' +%F)T10:00:00"
	want 422 '(.errors | keys) == ["monitor_ids.0", "rrule", "title"]' '[.errors[] | length] | all(. == 1)'
	api POST "$list" -d title=x -d duration=60 -d rrule=FREQ=HOURLY -d time_zone=UTC -d 'monitor_ids[]=999999999' -d "starts_at=$(date -d '+10 days' +%F)T10:00:00"
	want 422 '(.errors | keys) == ["monitor_ids.0", "rrule"]'
	plan -d title=x -d "starts_at=$(date -d '+10 days' +%F)T10:00:00" -d duration=60 -d time_zone=UTC -d rrule=FREQ=DAILY
	api PUT "$list/$window" -d title= -d 'rrule=FREQ=DAILY;COUNT=0' -d 'monitor_ids[]=999999999'
	want 422 '(.errors | keys) == ["monitor_ids.0", "rrule", "title"]' '[.errors[] | length] | all(. == 1)'
	plan -d title=x -d "starts_at=$(date -u -d '+1 day' +%FT%TZ)" -d "ends_at=$(date -u -d '+2 days' +%FT%TZ)"
	api PUT "$list/$window" -d title= -d "ends_at=$(date -u -d '+1 hour' +%FT%TZ)" -d 'monitor_ids[]=999999999' -d status=verifying
	want 422 '(.errors | keys) == ["ends_at", "monitor_ids.0", "status", "title"]'
	api GET "$list/$window"
	want 200 '.data.title == "x"' '.data.monitor_ids == []' '.data.status == "scheduled"'
	recurring=(-d title=x -d "starts_at=$(date -d '+10 days' +%F)T10:00:00" -d duration=60 -d time_zone=UTC)
	while IFS='|' read -r rule text; do
		api POST "$list" "${recurring[@]}" --data-urlencode "rrule=$rule"
		want_fault rrule "$text"
	done <<-'END'
		FREQ=DAILY;BYHOUR=3|must not have BYHOUR=3: starts_at has the time of day
		FREQ=HOURLY|must not have FREQ=HOURLY: FREQ must be
		FREQ=DAILY;INTERVAL=0|INTERVAL=0
		FREQ=DAILY;COUNT=x|COUNT=X
		FREQ=DAILY;EXDATE=1|EXDATE=1: there is no such part
		FREQ=DAILY;BYDAY|BYDAY: it has no value
		FREQ=DAILY;BYMONTHDAY=0|BYMONTHDAY=0: its days must be from 1 to 31
		FREQ=WEEKLY;BYDAY=XX|BYDAY=XX: it must be a list of weekdays
		FREQ=DAILY;FREQ=DAILY|FREQ twice
		FREQ=DAILY;UNTIL=soon|UNTIL=SOON
	END
}

@test "a window that ended in the second in which it began may be sent back as it was read" {
	later=$(date -u -d '+1 hour' +%FT%TZ)
	for _ in $(seq 20); do
		# Both requests need the same second: begin with the next one.
		second=$EPOCHSECONDS
		while [ "$EPOCHSECONDS" = "$second" ]; do sleep 0.02; done
		TZ=UTC printf -v now '%(%FT%TZ)T' -1
		plan -d title=x -d "starts_at=$now" -d "ends_at=$later"
		api PUT "$list/$window" -d status=completed
		[ "$(jq '.data.starts_at == .data.ends_at' "$answer")" != true ] || break
	done
	want 200 '.data.starts_at == .data.ends_at' '.data.status == "completed"'
	jq -c .data "$answer" >"$BATS_TEST_TMPDIR/read"
	api PUT "$list/$window" -H 'Content-Type: application/json' -d "@$BATS_TEST_TMPDIR/read"
	want 200 '.data.starts_at == .data.ends_at' '.data.status == "completed"'
	# Other windows still need a length.
	api PUT "$list/$window" -d "starts_at=$(date -u -d '-1 hour' +%FT%TZ)" -d "ends_at=$(date -u -d '-2 hours' +%FT%TZ)"
	want_fault ends_at after
	api POST "$list" -d title=x -d "starts_at=$now" -d "ends_at=$now"
	want_fault ends_at after
}
