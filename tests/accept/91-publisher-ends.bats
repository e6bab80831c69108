# The process that publishes what requests leave unpublished: how it ends, and what is published after a crash.
load lib
load ../lib/publisher

strays() {
	find "$pages/private" -maxdepth 1 -name 'stray-*' | wc -l
}

@test "a publisher that is told to end does not finish its sweep" {
	seq -f "$pages/private/stray-%.0f" 6000 | xargs mkdir
	before=$(publisher)
	kill -9 "$before"
	soon eval '[ "$(strays)" -lt 6000 ]'
	sweeping=$(publisher)
	kill -TERM "$sweeping"
	soon has_ended "$sweeping"
	left=$(strays)
	rm -rf "$pages/private/"stray-*
	[ "$left" -gt 1000 ] || { echo "$left folders"; false; }
}

@test "processes that do not end are killed before the time of a service manager is over" {
	stuck="$(publisher) $(pgrep -P "$parent" -x daymark | head -n 1)"
	kill -STOP $stuck
	began=$SECONDS
	kill -TERM "$parent"
	soon has_ended "$parent"
	took=$((SECONDS - began))
	refute kill -0 $stuck
	start_daymark
	[ "$took" -lt 40 ] || { echo "$took seconds"; false; }
}

start_mysql() {
	with_service service_start_mysql "$dir"
}

# A notice is stored while publishing waits for a lock; then everything is killed at once.
kill_before_publishing() {
	page_with_monitor
	new_page
	gone=$slug gone_page=$page
	slug=${here#/s/}
	# Not the other way round: a publisher that is stopped may hold the lock.
	exec 7>>"$pages/lock/all"
	flock 7
	kill -STOP "$(publisher)"
	curl -sS -o /dev/null -H "Authorization: Bearer $key" -d "monitor=$monitor" -d state=down \
		-d 'title=Told before the crash' "$base/hooks/generic" 3>&- 7>&- &
	curl -sS -o /dev/null -H "Authorization: Bearer $key" -X DELETE \
		"$base/api/v1/status-pages/$gone_page" 3>&- 7>&- &
	soon says "SELECT (SELECT COUNT(*) FROM incidents WHERE monitor_id = $monitor) - (SELECT COUNT(*) FROM status_pages WHERE id = $gone_page)" 1
	children=$(pgrep -P "$parent")
	kill -9 "$parent" $children
	wait $(jobs -p)
	exec 7>&-
	refute grep -q 'Told before the crash' "$pages/public/s/$slug/index.html"
	[ -e "$pages/public/s/$gone" ]
}

@test "everything killed between commit and publishing: the next start publishes" {
	kill_before_publishing
	start_daymark
	soon grep -q 'Told before the crash' "$pages/public/s/$slug/index.html"
	soon nothing_is_due
	# What was deleted is away, too.
	soon test ! -e "$pages/public/s/$gone"
}

@test "the database away at the start: published as soon as it is back" {
	kill_before_publishing
	kill -9 "$(cat "$dir/run/mysql.pid")"
	start_daymark
	soon grep -aq 'publishing is interrupted, and tried again every second' "$log"
	start_mysql
	soon grep -q 'Told before the crash' "$pages/public/s/$slug/index.html"
	soon test ! -e "$pages/public/s/$gone"
	soon grep -aq 'publishing works again' "$log"
}

@test "the publisher ends behind the workers, and is replaced with them" {
	before=$(publisher)
	[ -n "$before" ]
	kill -HUP "$parent"
	soon has_ended "$before"
	soon publisher
	[ "$(publisher | wc -l)" = 1 ]
	sed -i 's/^publish_in_request_pages = .*/publish_in_request_pages = 0/' "$conf"
	printf '[server]\npublisher = no\n' >>"$conf"
	kill -HUP "$parent"
	soon refute publisher
	# Without it the rest is the next publish's.
	page_with_monitor
	api POST /hooks/generic -d "monitor=$monitor" -d state=down -d 'title=Later'
	[ "$(header X-Daymark-Published)" = pending ]
	"$ctl" publish
	grep -q Later "$pages/public/s/$slug/index.html"
	sed -i '$d' "$conf"
	kill -HUP "$parent"
	soon publisher
	kill -TERM "$parent"
	soon has_ended "$parent"
	[ ! -e "$dir/run/daymark.sock" ]
	start_daymark
}
