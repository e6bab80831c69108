# What an account may have at most, and that two at once cannot both be the last.
load lib

list=/api/v1/status-pages

setup_file() {
	own_unlimited_service_start <<-'END'
		[quotas]
		status_pages = 5
		monitors = 6
		incidents_per_day = 4
		upload_mb = 1
		response_mb_per_day = 1
	END
}

teardown_file() {
	own_service_stop
}

# Each test has an account of its own.
setup() {
	own_service
	account=$("$ctl" account add "Quota $(new_slug)" --json | jq .id)
	key=$("$ctl" key create --account "$account" --json | jq -r .key)
}

# noise BYTES: a picture that does not get smaller.
noise() {
	python3 - "$1" <<'END'
import os, struct, sys, zlib
width = 512
rows = int(sys.argv[1]) // (3 * width + 1)
def chunk(kind, data):
    return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))
data = b''.join(b'\0' + os.urandom(3 * width) for _ in range(rows))
sys.stdout.buffer.write(b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', width, rows, 8, 2, 0, 0, 0))
    + chunk(b'IDAT', zlib.compress(data, 0)) + chunk(b'IEND', b''))
END
}

# at_once N CURL ARGUMENT...: the statuses, counted.
at_once() {
	local i count=$1
	shift
	rm -f "$BATS_TEST_TMPDIR"/once.*
	for i in $(seq "$count"); do
		curl -sS -o /dev/null -w '%{http_code}\n' -H "Authorization: Bearer $key" "${@//@/$i}" \
			>"$BATS_TEST_TMPDIR/once.$i" 3>&- &
	done
	wait $(jobs -p)
	cat "$BATS_TEST_TMPDIR"/once.* | sort | uniq -c | tr -s ' \n' ' '
}

@test "pages: five, and the sixth is 422 whatever else is wrong with it" {
	for i in 1 2 3 4; do new_page; done
	[ "$(queries)" -le 16 ]
	slug=$(new_slug)
	[ "$(at_once 6 -d name=x -d "slug=$slug-@" "$base$list")" = ' 1 201 5 422 ' ]
	[ "$(sql "SELECT COUNT(*) FROM status_pages WHERE account_id = $account")" = 5 ]
	api POST "$list" -d name=x -d "slug=$(new_slug)"
	want 422 '.errors == {"status_pages": ["The account may have at most 5 status pages."]}' \
		'.message == "The account may have at most 5 status pages."'
	api POST "$list" -d name=x -d "slug=$slug-1" -d 'monitor_ids[]=999999'
	want 422 '.errors | has("status_pages") and has("monitor_ids.0")'
	# Other accounts have their own, and one that goes makes room.
	other POST "$list" -d name=x -d "slug=$(new_slug)"
	want 201
	api GET "$list"
	api DELETE "$list/$(jq '.data[0].id' "$answer")"
	want 200
	new_page
}

@test "monitors: six, by daymarkctl, too" {
	for i in 1 2 3 4 5; do new_monitor; done
	for i in 1 2 3 4; do
		{ "$ctl" monitor add "At once $i" https://example.org/ --account "$account" 2>&1 || true; } >"$BATS_TEST_TMPDIR/add.$i" 3>&- &
	done
	wait $(jobs -p)
	[ "$(sql "SELECT COUNT(*) FROM monitors WHERE account_id = $account")" = 6 ]
	[ "$(grep -l 'may have at most 6 monitors' "$BATS_TEST_TMPDIR"/add.* | wc -l)" = 3 ]
	run "$ctl" monitor add More https://example.org/ --account "$account"
	[ "$status" = 1 ]
	api POST /api/v1/monitors -d name=More
	want 422 '.errors == {monitors: ["The account may have at most 6 monitors."]}'
	"$ctl" monitor remove "$monitor" --yes
	new_monitor
}

@test "uploads: as many bytes as there may be, replaced ones not counted" {
	noise 400000 >"$BATS_TEST_TMPDIR/a.png"
	noise 300000 >"$BATS_TEST_TMPDIR/b.png"
	new_page -F "logo=@$BATS_TEST_TMPDIR/a.png"
	first=$page
	new_page -F "logo=@$BATS_TEST_TMPDIR/b.png" -F "favicon=@$BATS_TEST_TMPDIR/b.png"
	api PUT "$list/$first" -F name=Changed -F "favicon=@$BATS_TEST_TMPDIR/b.png"
	want 422 '.errors.uploads == ["The account'\''s uploads may have at most 1 MB in all."]'
	api GET "$list/$first"
	want 200 '.data.name == "Test"' '.data.favicon_url == null'
	api POST "$list" -F name=x -F "slug=$(new_slug)" -F "logo=@$BATS_TEST_TMPDIR/b.png"
	want 422 '.errors | keys == ["uploads"]'
	# Another picture in the place of the old one, and one less for one more.
	api PUT "$list/$first" -F "logo=@$BATS_TEST_TMPDIR/b.png"
	want 200
	api PUT "$list/$page" -F remove_favicon=1
	want 200
	api PUT "$list/$first" -F "favicon=@$BATS_TEST_TMPDIR/b.png"
	want 200
	api PUT "$list/$first" -F remove_logo=1 -F remove_favicon=1
	want 200
	[ "$("$ctl" account list --json | jq ".[] | select(.id == $account).upload_bytes")" = "$(stat -c %s "$BATS_TEST_TMPDIR/b.png")" ]
	# Two at once where one has room.
	api PUT "$list/$first" -F "logo=@$BATS_TEST_TMPDIR/b.png"
	for i in 1 2 3; do
		curl -sS -o /dev/null -w '%{http_code}\n' -H "Authorization: Bearer $key" -F name=x -F "slug=$(new_slug)$i" \
			-F "logo=@$BATS_TEST_TMPDIR/a.png" "$base$list" >"$BATS_TEST_TMPDIR/up.$i" 3>&- &
	done
	wait $(jobs -p)
	[ "$(cat "$BATS_TEST_TMPDIR"/up.* | sort | uniq -c | tr -s ' \n' ' ')" = ' 1 201 2 422 ' ]
}

@test "incidents of a day: what is over the quota is 429 and comes again, what ends is not held back" {
	ids=()
	for i in 1 2 3 4 5; do new_monitor; ids+=("$monitor"); done
	alert() {
		jq -cn --arg status "$1" --arg id "$2" --arg starts "$(date -u +%FT%TZ)" '{$status, labels: {daymark_monitor: $id},
			startsAt: "2026-01-01T00:00:00Z", endsAt: $starts, fingerprint: $id}'
	}
	post() {
		api POST /hooks/alertmanager -H 'Content-Type: application/json' -d "{\"version\":\"4\",\"alerts\":[$(IFS=,; echo "$*")]}"
	}
	post "$(alert firing "${ids[0]}")" "$(alert firing "${ids[1]}")"
	want 200 '.data.results | map(.outcome) == ["opened", "opened"]'
	[ "$(at_once 3 -d state=down -d "monitor=${ids[2]}" "$base/hooks/generic")" = ' 3 200 ' ]
	# Two of three have no room: nothing of it begins, but what is over ends.
	post "$(alert resolved "${ids[0]}")" "$(alert firing "${ids[3]}")" "$(alert firing "${ids[4]}")"
	want 429 '.status == 429' '.message == "The account may open at most 4 incidents a day."'
	[ "$(header Retry-After)" -ge 1 ]
	[ "$(header Retry-After)" -le 86400 ]
	api GET "/api/v1/incidents?monitor_id=${ids[0]}"
	want 200 '.data | map(.status) == ["resolved"]'
	api GET "/api/v1/incidents?monitor_id=${ids[3]}"
	want 200 '.meta.total == 0'
	# What joins an incident that is open is no incident more, and that goes on.
	alert firing "${ids[1]}" | jq -c '.fingerprint = "other"' >"$BATS_TEST_TMPDIR/other"
	post "$(alert resolved "${ids[1]}")" "$(cat "$BATS_TEST_TMPDIR/other")" "$(alert firing "${ids[3]}")" "$(alert firing "${ids[4]}")"
	want 429
	api GET "/api/v1/incidents?monitor_id=${ids[1]}"
	want 200 '.data | map(.status) == ["unresolved"]'
	# Nor is what is over already recorded.
	post "$(jq -c '.status = "resolved" | .fingerprint = "other"' "$BATS_TEST_TMPDIR/other")" "$(alert resolved "${ids[3]}")" "$(alert resolved "${ids[4]}")"
	want 429
	api GET "/api/v1/incidents?monitor_id=${ids[1]}"
	want 200 '.data | map(.status) == ["resolved"]'
	api GET "/api/v1/incidents?monitor_id=${ids[3]}"
	want 200 '.meta.total == 0'
	# One more at a time, by two ways at once.
	[ "$(at_once 1 -d state=down -d "monitor=${ids[3]}" "$base/hooks/generic")" = ' 1 200 ' ]
	api POST /hooks/generic -d state=down -d "monitor=${ids[4]}"
	want 429 '.message | contains("4 incidents a day")'
	run "$ctl" incident open --monitor "${ids[4]}" --cause x
	[ "$status" = 1 ]
	grep -q '4 incidents a day' <<<"$output"
	# What is open already, and what is up again, is no incident more.
	api POST /hooks/generic -d state=down -d "monitor=${ids[3]}"
	want 200 '.data.outcome == "unchanged"'
	api POST /hooks/generic -d state=up -d "monitor=${ids[3]}"
	want 200 '.data.outcome == "resolved"'
	[ "$("$ctl" account list --json | jq ".[] | select(.id == $account).incidents_today")" = 4 ]
	# The next day begins with none.
	sql "UPDATE account_usage SET used_today = used_today - 1099511627776 WHERE account_id = $account AND quota = 'incidents'"
	post "$(alert firing "${ids[4]}")"
	want 200 '.data.results[0].outcome == "opened"'
	[ "$("$ctl" account list --json | jq ".[] | select(.id == $account).incidents_today")" = 1 ]
	# Nor has a day that lies ahead, since the clock was set back, used up this one.
	sql "UPDATE account_usage SET used_today = used_today + 1099511627776 WHERE account_id = $account AND quota = 'incidents'"
	[ "$("$ctl" account list --json | jq ".[] | select(.id == $account).incidents_today")" = 0 ]
	api POST /hooks/generic -d state=down -d "monitor=${ids[3]}"
	want 200 '.data.outcome == "opened"'
	[ "$("$ctl" account list --json | jq ".[] | select(.id == $account).incidents_today")" = 1 ]
}

@test "incidents of a day: two at once where one has room" {
	ids=()
	for i in 1 2 3 4 5 6; do new_monitor; ids+=("$monitor"); done
	for i in "${ids[@]}"; do
		curl -sS -o /dev/null -w '%{http_code}\n' -H "Authorization: Bearer $key" -d state=down -d "monitor=$i" \
			"$base/hooks/generic" >"$BATS_TEST_TMPDIR/hook.$i" 3>&- &
	done
	wait $(jobs -p)
	[ "$(cat "$BATS_TEST_TMPDIR"/hook.* | sort | uniq -c | tr -s ' \n' ' ')" = ' 4 200 2 429 ' ]
	[ "$(sql "SELECT COUNT(*) FROM incidents WHERE account_id = $account")" = 4 ]
}

@test "stored answers: over the quota nothing is done, and without a key all goes on" {
	new_page
	head -c 60000 /dev/zero | tr '\0' x >"$BATS_TEST_TMPDIR/css"
	put() {
		api PUT "$list/$page" -d "name=$1" --data-urlencode "custom_css@$BATS_TEST_TMPDIR/css" --data-urlencode "custom_js@$BATS_TEST_TMPDIR/css" "${@:2}"
	}
	for i in 1 2 3 4 5 6 7 8; do
		put "N$i" -H "Idempotency-Key: a$i"
		want 200
	done
	put N9 -H 'Idempotency-Key: a9'
	want 429 '.message | contains("1 MB a day")'
	[ "$(header Retry-After)" -ge 1 ]
	# What was done is still given again.
	put N8 -H 'Idempotency-Key: a8'
	want 200
	[ "$(header Idempotent-Replayed)" = true ]
	put N10
	want 200
	sql "UPDATE account_usage SET used_today = used_today - 1099511627776 WHERE account_id = $account AND quota = 'responses'"
	put N9 -H 'Idempotency-Key: a9'
	want 200 '.data.name == "N9"'
	[ -z "$(header Idempotent-Replayed)" ]
}

@test "an account that an older daymarkctl has added gets its counts with the first write" {
	sql "DELETE FROM account_usage WHERE account_id = $account"
	api POST /api/v1/status-pages -d name=x -d "slug=$(new_slug)" -H 'Idempotency-Key: first'
	want 201
	page=$(jq .data.id "$answer")
	sql "DELETE FROM account_usage WHERE account_id = $account"
	api PUT "/api/v1/status-pages/$page" -F "logo=@$TOP/docs/logo.png"
	want 200
	sql "DELETE FROM account_usage WHERE account_id = $account"
	new_monitor
	api POST /hooks/generic -d "monitor=$monitor" -d state=down
	want 200 '.data.outcome == "opened"'
	[ "$(sql "SELECT COUNT(*) FROM account_usage WHERE account_id = $account")" = 8 ]
}
