# `daymarkctl publish --follow`: a second web machine with a disk of its own.
load lib

# The second machine: the same database, another pages folder.
second_machine() {
	second=$BATS_TEST_TMPDIR/second
	# For the user that the commands run as.
	mkdir -m 0777 "$second"
	sed "s|^dir = .*|dir = $second/pages|" "$conf" >"$BATS_TEST_TMPDIR/second.conf"
	"$ctl" publish --follow --config "$BATS_TEST_TMPDIR/second.conf" \
		>"$BATS_TEST_TMPDIR/out" 2>"$BATS_TEST_TMPDIR/err" 3>&- &
	follower=$!
}

teardown() {
	[ -z "${follower:-}" ] || kill "$follower" 2>/dev/null || true
}

@test "a second machine shows what the first changed: new, moved, gated, gone" {
	page_with_monitor
	second_machine
	here=$second/pages/public/s/$slug
	soon grep -q 'All systems operational' "$here/index.html"
	"$ctl" incident open --monitor "$monitor" --cause 'Seen from afar'
	soon grep -q 'Seen from afar' "$here/index.html"
	soon grep -q 'Seen from afar' "$here/$(date -u +%Y-%m).html"
	old=$here old_slug=$slug domain=$(new_slug).example.com
	slug=$(new_slug)
	here=$second/pages/public/s/$slug
	api PUT "/api/v1/status-pages/$page" -d "slug=$slug" -d "domain=$domain"
	soon test -e "$second/pages/public/d/$domain/index.html"
	soon gone "$old"
	soon grep -qx "$page" "$second/pages/former/$old_slug/page"
	api PUT "/api/v1/status-pages/$page" -d privacy=1
	soon gone "$second/pages/former/$old_slug"
	soon gone "$here"
	soon gone "$second/pages/public/d/$domain"
	soon test -e "$second/pages/private/$slug/index.html"
	api DELETE "/api/v1/status-pages/$page"
	soon gone "$second/pages/private/$slug"
	soon gone "$second/pages/host/$domain"
	soon gone "$second/pages/state/$page"
	kill "$follower"
	wait "$follower"
}

@test "what happened while it was away is caught up with, history and leftovers too" {
	page_with_monitor
	second_machine
	here=$second/pages/public/s/$slug
	soon test -e "$here/index.html"
	kill "$follower"
	wait "$follower"
	echo "$monitor,Long ago,2023-05-02T10:00:00Z,2023-05-02T11:00:00Z" |
		sed '1i monitor_id,cause,started_at,ended_at' >"$BATS_TEST_TMPDIR/old.csv"
	"$ctl" incident import "$BATS_TEST_TMPDIR/old.csv" --account "$account"
	mkdir -p "$second/pages/public/s/left-over"
	"$ctl" publish --follow --config "$BATS_TEST_TMPDIR/second.conf" >"$BATS_TEST_TMPDIR/out" 2>&1 3>&- &
	follower=$!
	soon grep -q 'Long ago' "$here/2023-05.html"
	soon gone "$second/pages/public/s/left-over"
}

@test "bars move on at midnight, and nothing is written twice" {
	page_with_monitor
	second_machine
	file=$second/pages/public/s/$slug/index.html
	soon test -e "$file"
	inode=$(stat -c %i "$file")
	sleep 1.2
	[ "$(stat -c %i "$file")" = "$inode" ]
	[ "$(grep -cx "$slug" "$BATS_TEST_TMPDIR/out")" = 1 ]
	kill "$follower"
	wait "$follower"
	# As if it had been written yesterday.
	sed -i -E "1s/^([0-9]+) ([0-9]+)/\1 $(($(date -u +%s -d 'yesterday 00:00')))/" "$second/pages/state/$page/page"
	"$ctl" publish --follow --config "$BATS_TEST_TMPDIR/second.conf" >"$BATS_TEST_TMPDIR/out" 2>&1 3>&- &
	follower=$!
	soon grep -qx "$slug" "$BATS_TEST_TMPDIR/out"
}

@test "options that do not go together are refused" {
	run "$ctl" publish --follow --all
	[ "$status" = 2 ]
}
