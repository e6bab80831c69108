load lib

new_monitor() {
	add_monitor "Ctl $(new_slug)" https://example.org/
}

@test "open, resolve, list and show, for people and for programs" {
	new_monitor
	"$ctl" incident open --monitor "$monitor" --cause ' Disk is full ' --started-at 2026-03-29T01:30:00Z --json >"$BATS_TEST_TMPDIR/o"
	id=$(jq .id "$BATS_TEST_TMPDIR/o")
	[ "$(jq .is_new "$BATS_TEST_TMPDIR/o")" = true ]
	[ "$("$ctl" incident open --monitor "$monitor" --cause other --json | jq -c '[.id, .is_new]')" = "[$id,false]" ]
	"$ctl" incident list --account Demo --monitor "$monitor" | grep -q 'unresolved.*2026-03-29T01:30:00Z.*Disk is full'
	"$ctl" incident list --account Demo --monitor "$monitor" --status unresolved --json | jq -e 'length == 1'
	"$ctl" incident resolve "$id" --at 2026-03-29T03:30:00+01:00
	"$ctl" incident resolve "$id" --json | jq -e '.is_new == false and .duration == 3600'
	"$ctl" incident show "$id" | grep -q 'resolved.*daymarkctl'
	# Programs see what the API shows them, whichever way they ask.
	api GET "/api/v1/incidents/$id"
	jq -S .data "$answer" >"$BATS_TEST_TMPDIR/api"
	"$ctl" incident show "$id" --json | jq -S 'del(.is_deleted, .history)' | diff "$BATS_TEST_TMPDIR/api" -
	"$ctl" incident resolve "$id" --json | jq -S 'del(.is_new)' | diff "$BATS_TEST_TMPDIR/api" -
	"$ctl" incident list --monitor "$monitor" --account Demo --json | jq -S '.[0]' | diff <(jq 'del(.updates)' "$BATS_TEST_TMPDIR/api") -
	"$ctl" incident list --account Demo --status unresolved --json --limit 100 | jq -e "map(.id) | index($id) == null"
}

@test "no text of a client moves the terminal's cursor, or forges a line of the log" {
	new_monitor
	# ESC, the same command in C1, DEL, a stray line, a right-to-left override.
	cause=$'\e]0;x\a\u009b31m\x7f\nlevel=error \u202etxt.exe'
	id=$("$ctl" incident open --monitor "$monitor" --cause "$cause" --json | jq .id)
	api PUT "/api/v1/incidents/$id" --data-urlencode "comment=$cause"
	want 200 ".data.cause == $(jq -n --arg c "$cause" '$c')"
	wanted='\u001b]0;x\u0007\u009b31m\u007f\u000alevel=error \u202etxt.exe'
	for command in "list --account Demo --monitor $monitor" "show $id"; do
		# shellcheck disable=SC2086
		"$ctl" incident $command >"$BATS_TEST_TMPDIR/shown"
		grep -qF "$wanted" "$BATS_TEST_TMPDIR/shown"
		refute grep -qP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80\xae' <(LC_ALL=C cat "$BATS_TEST_TMPDIR/shown")
	done
	# JSON keeps the value, and has none of the characters either.
	"$ctl" incident show "$id" --json >"$BATS_TEST_TMPDIR/json"
	[ "$(jq -r .cause "$BATS_TEST_TMPDIR/json")" = "$cause" ]
	refute env LC_ALL=C grep -qP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80\xae' "$BATS_TEST_TMPDIR/json"
	# An error message repeats an argument.
	run "$ctl" account remove $'\e[2J\u009bnobody' --yes
	[ "$status" = 3 ]
	refute env LC_ALL=C grep -qP '\x1b|\xc2[\x80-\x9f]' <<<"$output"
}

@test "times are exact whatever zone the machine and the database are in" {
	sql "SET GLOBAL time_zone = '-08:00'"
	# Summer time begins, ends, and a zone of no whole hours.
	for zone in 'CET-1CEST,M3.5.0,M10.5.0/3' '<+0545>-5:45' 'EST5EDT,M3.2.0,M11.1.0'; do
		for at in 2026-03-29T01:30:00Z 2026-10-25T00:30:00Z 2026-10-25T01:30:00Z 2026-11-01T05:59:59Z; do
			new_monitor
			id=$(TZ=$zone "$ctl" incident open --monitor "$monitor" --cause x --started-at "$at" --json | jq .id)
			TZ=$zone "$ctl" incident resolve "$id" --at 2026-11-02T00:00:00Z
			api GET "/api/v1/incidents/$id"
			want 200 ".data.started_at == \"$at\"" '.data.ended_at == "2026-11-02T00:00:00Z"' \
				".data.duration == $(($(date -ud 2026-11-02T00:00:00Z +%s) - $(date -ud "$at" +%s)))"
		done
	done
	sql "SET GLOBAL time_zone = 'SYSTEM'"
}

@test "exit statuses tell what happened" {
	new_monitor
	run "$ctl" incident open --monitor 999999999 --cause x
	[ "$status" = 3 ]
	run "$ctl" incident resolve --monitor "$monitor"
	[ "$status" = 3 ]
	run "$ctl" incident resolve 999999999
	[ "$status" = 3 ]
	run "$ctl" incident show 999999999
	[ "$status" = 3 ]
	for words in 'open --cause x' "open --monitor $monitor" 'open --monitor x --cause x' \
		"open --monitor $monitor --cause x --started-at tomorrow" "open --monitor $monitor --cause x --started-at 2999-01-01T00:00:00Z" \
		'resolve x' 'list --account Demo --status open' 'list --account Demo --limit 101' 'show' 'import'; do
		run "$ctl" incident $words
		[ "$status" = 2 ] || { echo "$words: $status"; false; }
	done
	run "$ctl" monitor label "$monitor" nonsense
	[ "$status" = 2 ]
	"$ctl" monitor label "$monitor" a=b-$monitor
	new_monitor
	run "$ctl" monitor label "$monitor" "a=b-$((monitor - 1))"
	[ "$status" = 4 ]
}

@test "the commands say in plain words what they did" {
	name="Words $(new_slug)"
	run "$ctl" account add "$name"
	[[ "$output" =~ ^"Added account "([0-9]+)" ($name). Next: daymarkctl key create --account "[0-9]+$ ]]
	id=${BASH_REMATCH[1]}
	run "$ctl" account add "$name"
	[ "$output" = "daymarkctl: account $name already exists" ]
	run "$ctl" account add 12
	[ "$output" = 'daymarkctl: NAME must have 1 to 255 characters, and must not be a number' ]
	"$ctl" key create --account "$id" --label x >"$BATS_TEST_TMPDIR/key" 2>"$BATS_TEST_TMPDIR/said"
	grep -Eqx 'Key [0-9]+: note the key now, since no command shows a key again\. Send the key as: Authorization: Bearer dm_...\.\.\.' "$BATS_TEST_TMPDIR/said"
	key_id=$("$ctl" key list --account "$id" --json | jq '.[0].id')
	[ "$("$ctl" key revoke "$key_id")" = "Revoked key $key_id." ]
	run "$ctl" key revoke x
	[ "$output" = 'daymarkctl: ID must be the id of a key; see `daymarkctl key list`' ]
	run "$ctl" monitor add Mail https://example.org/ --account "$id"
	[[ "$output" =~ ^"Added monitor "([0-9]+)" (Mail)."$ ]]
	monitor=${BASH_REMATCH[1]}
	[ "$("$ctl" monitor label "$monitor" "a=w-$monitor")" = "Monitor $monitor has the label a=w-$monitor." ]
	[ "$("$ctl" monitor label "$monitor" '')" = "Monitor $monitor has no label now." ]
	run "$ctl" incident open --monitor "$monitor" --cause x
	[[ "$output" =~ ^"Opened incident "([0-9]+)" for monitor Mail."$ ]]
	incident=${BASH_REMATCH[1]}
	[ "$("$ctl" incident open --monitor "$monitor" --cause x)" = "Monitor Mail already has the open incident $incident." ]
	[ "$("$ctl" incident resolve --monitor "$monitor")" = "Resolved incident $incident." ]
	[ "$("$ctl" incident resolve "$incident")" = "Incident $incident was already resolved." ]
	"$ctl" incident open --monitor "$monitor" --cause y
	run "$ctl" incident list --account "$id" --limit 1
	grep -qx '1 of 2 incidents; use --limit for more' <<<"$output"
	run "$ctl" monitor remove "$monitor" --keep-history </dev/null
	[ "$status" = 5 ]
	[ "${lines[0]}" = "Retire monitor $monitor (Mail)? It will be removed from 0 status pages; its history of 2 incidents remains in their logs." ]
	sql "UPDATE incident_counts SET total = total + 1 WHERE monitor_id = $monitor AND status = 2"
	run "$ctl" incident recount --check
	[ "$status" = 6 ]
	[ "$output" = 'Wrong counts: 1.' ]
	[ "$("$ctl" incident recount)" = 'Wrong counts: 1. All counts are rebuilt.' ]
	[ "$("$ctl" account remove "$id" --yes)" = "Removed account $name." ]
}

count() {
	sql "SELECT COUNT(*) FROM incidents WHERE monitor_id = $monitor"
}

@test "import takes JSON lines and CSV, and does nothing twice" {
	new_monitor
	seq 2500 | awk -v "monitor=$monitor" '{
		printf "{\"monitor_id\":%d,\"cause\":\"Ü %d\",\"started_at\":\"2025-01-01T00:00:%02dZ\",\"ended_at\":\"2025-01-02T00:00:00Z\",\"other\":1}\n", monitor, $1, $1 % 60
	}' >"$BATS_TEST_TMPDIR/in.jsonl"
	[ "$("$ctl" incident import "$BATS_TEST_TMPDIR/in.jsonl" --account Demo --json | jq -c .)" = '{"imported":2500,"lines":2500}' ]
	[ "$(count)" = 2500 ]
	[ "$("$ctl" incident import "$BATS_TEST_TMPDIR/in.jsonl" --account Demo --json | jq .imported)" = 0 ]
	"$ctl" incident recount --check
	new_monitor
	printf '\xef\xbb\xbf' >"$BATS_TEST_TMPDIR/bom"
	{
		printf 'cause, monitor_id ,started_at,ended_at,acknowledged_at,comment\r\n'
		printf '"Quoted, ""cause""",%d,2025-01-01T00:00:00Z,2025-01-01T01:00:00Z,2025-01-01T00:10:00Z,"two\nlines"\r\n' "$monitor"
		printf 'Open one,%d,2025-02-01 00:00:00,,,\r\n' "$monitor"
	} >"$BATS_TEST_TMPDIR/in.csv"
	"$ctl" incident import "$BATS_TEST_TMPDIR/in.csv" --account Demo
	api GET "/api/v1/incidents?monitor_id=$monitor"
	want 200 '.data | map(.cause) == ["Open one", "Quoted, \"cause\""]' '.data[1].comment == "two\nlines"' \
		'.data | map(.status) == ["unresolved", "resolved"]'
	"$ctl" incident show "$(jq '.data[1].id' "$answer")" --json | jq -e '.history | map(.action) == ["imported"]'
	"$ctl" incident recount --check
}

@test "import takes titles, by which pages call the incidents" {
	new_monitor
	new_page -F "monitor_ids[]=$monitor"
	at=$(date -u +%FT%TZ -d '-2 days')
	widest=$(printf 'ü%.0s' $(seq 255))
	{
		echo monitor_id,title,cause,started_at,ended_at
		printf '%d,%s,10.1.2.3,%s,%s\n' "$monitor" ' Mail was late ' "$at" "$at" "$monitor" "$widest" "$at" "$at" "$monitor" '' "$at" "$at"
	} >"$BATS_TEST_TMPDIR/in.csv"
	"$ctl" incident import "$BATS_TEST_TMPDIR/in.csv" --account Demo
	printf '{"monitor_id":%d,"title":"From JSON","cause":"x","started_at":"%s","ended_at":"%s"}\n' "$monitor" "$at" "$at" >"$BATS_TEST_TMPDIR/in"
	run -0 "$ctl" incident import "$BATS_TEST_TMPDIR/in" --account Demo
	[ "$output" = '1 incident imported.' ]
	[ "$(sql "SELECT GROUP_CONCAT(COALESCE(title, 'NULL') ORDER BY id) FROM incidents WHERE monitor_id = $monitor")" = "Mail was late,$widest,NULL,From JSON" ]
	anyone GET "/s/$slug/"
	shows ': Mail was late<'
	shows ": $widest<"
	shows ': From JSON<'
	printf '{"monitor_id":%d,"title":"%s","cause":"x","started_at":"%s","ended_at":"%s"}\n' "$monitor" "${widest}x" "$at" "$at" >"$BATS_TEST_TMPDIR/bad"
	run "$ctl" incident import "$BATS_TEST_TMPDIR/bad" --account Demo
	[ "$status" = 2 ]
	[[ "$output" == *'line 1: title must have at most 255 characters'* ]]
	[ "$(count)" = 4 ]
}

@test "import refuses a bad line by its number, and keeps nothing of its batch" {
	new_monitor
	yes "{\"monitor_id\":$monitor,\"cause\":\"x\",\"started_at\":\"2025-01-01T00:00:00Z\",\"ended_at\":\"2025-01-02T00:00:00Z\"}" |
		head -n 1500 >"$BATS_TEST_TMPDIR/in"
	sed -i '1300s/.*/{"monitor_id":1}/' "$BATS_TEST_TMPDIR/in"
	run "$ctl" incident import "$BATS_TEST_TMPDIR/in" --account Demo
	[ "$status" = 2 ]
	[[ "$output" == *"line 1300"* ]]
	# A corrected file is another file: the message says where to go on.
	[[ "$output" == *"after line 1000: "*"with --from-line 1001"* ]]
	[ "$(count)" = 1000 ]
	sed -i '1300d' "$BATS_TEST_TMPDIR/in"
	"$ctl" incident import "$BATS_TEST_TMPDIR/in" --account Demo --from-line 1001
	[ "$(count)" = 1499 ]
	"$ctl" incident recount --check
	for line in 'x' '[]' '{"monitor_id":999999999,"cause":"x","started_at":"2025-01-01T00:00:00Z","ended_at":"2025-01-01T00:00:00Z"}' \
		"{\"monitor_id\":$monitor,\"cause\":\"\",\"started_at\":\"2025-01-01T00:00:00Z\"}" \
		"{\"monitor_id\":$monitor,\"cause\":\"x\",\"started_at\":\"2025-01-02T00:00:00Z\",\"ended_at\":\"2025-01-01T00:00:00Z\"}" \
		"{\"monitor_id\":$monitor,\"cause\":\"x\",\"started_at\":\"never\"}"; do
		printf '%s\n' "$line" >"$BATS_TEST_TMPDIR/bad"
		run "$ctl" incident import "$BATS_TEST_TMPDIR/bad" --account Demo
		[ "$status" = 2 ] || { echo "$line: $status"; false; }
	done
	while IFS='|' read -r values message; do
		printf 'monitor_id,cause,started_at,ended_at\n%s\n' "$values" >"$BATS_TEST_TMPDIR/bad"
		run "$ctl" incident import "$BATS_TEST_TMPDIR/bad" --account Demo
		[ "$status" = 2 ]
		[[ "$output" == *": line 2: $message"* ]] || { echo "$values: $output"; false; }
	done <<-'END'
	0,x,2025-01-01T00:00:00Z,|monitor_id must be a number from 1
	1, ,2025-01-01T00:00:00Z,|cause must have 1 to 1000 characters
	1,x,,|started_at must be a time such as 2026-11-20T19:58:30Z
	1,x,2025-01-01T00:00:00Z,soon|ended_at must be a time such as 2026-11-20T19:58:30Z, or empty
	1,x,2025-01-02T00:00:00Z,2025-01-01T00:00:00Z|ended_at must not be before started_at
	END
	run "$ctl" incident import /dev/stdin --account Demo < <(cat "$BATS_TEST_TMPDIR/in")
	[ "$status" = 1 ]
	[[ "$output" == *'/dev/stdin cannot be imported: the import needs a regular file, not a pipe'* ]]
	printf 'monitor_id,cause,started_at\n%d,"open,2025-01-01T00:00:00Z\n' "$monitor" >"$BATS_TEST_TMPDIR/bad"
	run "$ctl" incident import "$BATS_TEST_TMPDIR/bad" --account Demo
	[ "$status" = 2 ]
	[ "$(count)" = 1499 ]
}

@test "an import that is killed goes on where it stopped" {
	new_monitor
	seq 30000 | sed "s/.*/{\"monitor_id\":$monitor,\"cause\":\"k &\",\"started_at\":\"2025-01-01T00:00:00Z\",\"ended_at\":\"2025-01-02T00:00:00Z\"}/" \
		>"$BATS_TEST_TMPDIR/in"
	"$ctl" incident import "$BATS_TEST_TMPDIR/in" --account Demo 3>&- &
	victim=$!
	for i in $(seq 100); do [ "$(count)" -gt 2000 ] && break; sleep 0.02; done
	kill -9 "$victim"
	wait "$victim" || true
	sleep 0.5
	[ "$(count)" -lt 30000 ]
	[ "$(($(count) % 1000))" = 0 ]
	"$ctl" incident import "$BATS_TEST_TMPDIR/in" --account Demo
	[ "$(count)" = 30000 ]
	[ "$(sql "SELECT COUNT(DISTINCT cause) FROM incidents WHERE monitor_id = $monitor")" = 30000 ]
	"$ctl" incident recount --check
	sql "DELETE FROM monitors WHERE id = $monitor"
}

report() {
	"$ctl" incident report "$@" --account "$account" --json | jq .id
}

@test "people report, update, edit, withdraw and resolve an incident" {
	page_with_monitor
	second=$monitor
	new_monitor
	id=$(report ' Checkout is slow ' --monitors "$second,$monitor,$second" --impact partial_outage --body 'We look into it.' --next-update 30m)
	api GET "/api/v1/incidents/$id"
	want 200 '.data.kind == "reported"' '.data.title == "Checkout is slow"' '.data.impact == "partial_outage"' \
		".data.monitor_ids == [$second, $monitor]" '.data.next_update_at != null' '.data.updates | length == 1'
	anyone GET "$here/"
	want 200
	grep -q 'We look into it.' "$answer"
	update=$(printf 'A disk\nis full.\n' | "$ctl" incident update "$id" - --phase identified --impact major_outage --monitors "$second" --json | jq .id)
	api GET "/api/v1/incidents/$id"
	want 200 '.data.phase == "identified"' '.data.updates[0].body == "A disk\nis full."' \
		'[.data.monitors[].impact] == ["major_outage", "partial_outage"]' '.data.next_update_at == null'
	"$ctl" incident show "$id" >"$BATS_TEST_TMPDIR/shown"
	grep -qx 'Kind:     reported' "$BATS_TEST_TMPDIR/shown"
	grep -qx 'is full.' "$BATS_TEST_TMPDIR/shown"
	jq -S '.data | del(.duration)' "$answer" | diff - <("$ctl" incident show "$id" --json | jq -S 'del(.is_deleted, .history, .duration)')
	"$ctl" incident list --account "$account" | grep -q "^$id  *reported .* and 1 more .*Checkout is slow"
	"$ctl" incident edit "$id" --update "$update" --body 'A disk was full.'
	"$ctl" incident show "$id" | grep -q "^Update $update, identified, .*, edited$"
	"$ctl" incident edit "$id" --title 'Slow checkout' --acknowledge --next-update 2h
	"$ctl" incident withdraw "$id" "$update"
	run "$ctl" incident withdraw "$id" "$update"
	[ "$status" = 3 ]
	[[ "$output" == *"no incident $id with an update $update"* ]]
	"$ctl" incident update "$id" 'All is well.' --phase resolved
	echo 'The *cause*' | "$ctl" incident edit "$id" --postmortem - --exclude --json |
		jq -e '.status == "resolved" and .postmortem == "The *cause*" and .exclude_from_uptime and .title == "Slow checkout"'
	"$ctl" incident edit "$id" --postmortem '' --include --started-at 2026-03-29T01:30:00Z --ended-at 2026-03-29T02:30:00Z --json |
		jq -e '.postmortem == null and .duration == 3600 and (.exclude_from_uptime | not)'
	# Another phase opens it again.
	"$ctl" incident update "$id" 'Not yet.' --phase monitoring
	"$ctl" incident resolve "$id" --json | jq -e '.is_new and .phase == "resolved"'
	run "$ctl" incident delete "$id" </dev/null
	[ "$status" = 5 ]
	"$ctl" incident delete "$id" --yes
	api GET "/api/v1/incidents/$id"
	want 404
	"$ctl" incident show "$id" | grep -q deleted
}

@test "a notice names pages, and an incident of the past has its end" {
	new_page
	id=$(report 'Our office moves' --pages "$slug" --started-at 2026-03-01T00:00:00Z --ended-at 2026-03-02T00:00:00Z)
	"$ctl" incident show "$id" --json | jq -e '.status == "resolved" and .duration == 86400 and .monitor_ids == [] and .monitor == null'
	run "$ctl" incident report x --account "$account" --pages "$slug,no-such-page"
	[ "$status" = 3 ]
	[[ "$output" == *'no-such-page'* ]]
	# A page of another account is not there either.
	run "$ctl" incident report x --account Other --pages "$slug"
	[ "$status" = 3 ]
}

@test "what is wrong is named, and changes nothing" {
	new_monitor
	id=$(report x --monitors "$monitor")
	"$ctl" incident show "$id" --json >"$BATS_TEST_TMPDIR/before"
	while read -r words; do
		eval "set -- $words"
		run "$ctl" incident "$@"
		[ "$status" = 2 ] || { echo "$words: $status $output"; false; }
	done <<-END
		report '' --account $account
		report $(printf 'x%.0s' {1..256}) --account $account
		report x --account $account --monitors 1,x
		report x --account $account --monitors 999999999
		report x --account $account --impact total
		report x --account $account --phase done
		report x --account $account --started-at yesterday
		report x --account $account --started-at 2026-03-02T00:00:00Z --ended-at 2026-03-01T00:00:00Z
		report x --account Other --monitors $monitor
		update $id ''
		update $id text --phase scheduled
		update $id text --at 2999-01-01T00:00:00Z
		update x text
		edit $id
		edit $id --title ''
		edit $id --body text
		edit $id --title x --update 1
		edit $id --exclude --include
		edit $id --next-update 2020-01-01T00:00:00Z
		edit $id --postmortem /nonexistent
		withdraw $id x
	END
	"$ctl" incident show "$id" --json | jq 'del(.duration)' | diff <(jq 'del(.duration)' "$BATS_TEST_TMPDIR/before") -
	for words in "update 999999999 x" "edit 999999999 --title x" "edit $id --update 999999999 --body x" "withdraw $id 999999999" "delete 999999999 --yes"; do
		# shellcheck disable=SC2086
		run "$ctl" incident $words
		[ "$status" = 3 ] || { echo "$words: $status $output"; false; }
	done
}
