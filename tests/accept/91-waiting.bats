# Requests and the publisher while pages are locked by others, and under steady writes. Nothing here is timed:
# the locks are held for as long as a test says, and waits are counted in writes.
load lib
load ../lib/publisher
load ../lib/locks

teardown() {
	unlock
}

# The slot of a page among the lock files.
lock_of() {
	printf 'page-%02d' $(($1 % 64))
}

# bounded MS: how long requests publish from now on.
bounded() {
	local before
	before=$(publisher)
	sed -i "s/^publish_in_request_ms = .*/publish_in_request_ms = $1/" "$conf"
	kill -HUP "$parent"
	soon has_ended "$before"
	soon publisher
}

@test "a request does not wait for a locked page longer than publish_in_request_ms allows" {
	page_with_monitor
	bounded 100
	keep_locked -x "$(lock_of "$page")"
	api PUT "/api/v1/status-pages/$page" -d 'name=While locked' --max-time 60
	want 200
	[ "$(header X-Daymark-Published)" = pending ]
	api POST /hooks/generic -d "monitor=$monitor" -d state=down -d "title=$(printf 'long %.0s' {1..40})" --max-time 60
	want 200 '.data.outcome == "opened"'
	[ "$(header X-Daymark-Published)" = pending ]
	refute grep -q 'While locked' "$pages/public/s/$slug/index.html"
	unlock
	soon grep -q 'While locked' "$pages/public/s/$slug/index.html"
	soon nothing_is_due
}

# unlock_later: after fifteen times the hundred milliseconds that requests wait for others.
unlock_later() {
	{ sleep 1.5; unlock; } 3>&- &
	exec 9>&-
}

@test "a page that becomes less open waits for whoever publishes it, several times as long" {
	local link_id
	bounded 100
	new_page
	keep_locked -x "$(lock_of "$page")"
	unlock_later
	api PUT "/api/v1/status-pages/$page" -d privacy=1 --max-time 60
	want 200
	gone "$pages/public/s/$slug"
	[ -z "$(header X-Daymark-Published)" ]
	# A link that is withdrawn, too.
	api POST "/api/v1/status-pages/$page/links" -d expires_in=60
	link_id=$(jq .data.id "$answer")
	keep_locked -x "$(lock_of "$page")"
	unlock_later
	api DELETE "/api/v1/status-pages/$page/links/$link_id" --max-time 60
	want 200
	grep -q " $link_id " "$pages/private/$slug/gate"
}

# answered COUNT: at least so many of the requests in the background.
answered() {
	[ "$(find "$BATS_TEST_TMPDIR" -name 'close-*.done' | wc -l)" -ge "$1" ]
}

@test "an account that closes many locked pages at once lets few of these requests wait long" {
	local i closing=() closed=()
	bounded 100
	for i in $(seq 12); do
		new_page
		closed+=("$page")
	done
	keep_locked -x all
	for i in "${closed[@]}"; do
		{
			curl -sS -X PUT -H "Authorization: Bearer $key" -d privacy=1 -D "$BATS_TEST_TMPDIR/close-$i" -o /dev/null \
				"$base/api/v1/status-pages/$i"
			: >"$BATS_TEST_TMPDIR/close-$i.done"
		} 3>&- 9>&- &
		closing+=($!)
	done
	soon answered 4
	unlock
	wait "${closing[@]}"
	[ "$(cat "$BATS_TEST_TMPDIR"/close-* | grep -c '^HTTP/1.1 200')" = 12 ]
	[ "$(grep -il '^X-Daymark-Published: pending' "$BATS_TEST_TMPDIR"/close-* | wc -l)" -lt 12 ]
	soon nothing_is_due
}

@test "nor for publishers, when an address is given up or a page deleted; what is left follows" {
	new_page
	renamed=$page
	from=$slug
	new_page
	bounded 100
	keep_locked -s all
	to=$(new_slug)
	api PUT "/api/v1/status-pages/$renamed" -d "slug=$to" --max-time 60
	want 200
	[ "$(header X-Daymark-Published)" = pending ]
	api DELETE "/api/v1/status-pages/$page" --max-time 60
	want 200
	[ "$(header X-Daymark-Published)" = pending ]
	[ -e "$pages/public/s/$from/index.html" ]
	[ -e "$pages/public/s/$slug/index.html" ]
	# Other pages are published meanwhile, or when those who wait have given up.
	new_page
	unlock
	soon test -e "$pages/public/s/$to/index.html"
	soon gone "$pages/public/s/$from"
	soon nothing_is_due
}

window_has_begun() {
	says "SELECT status FROM maintenance_occurrences WHERE maintenance_id = $window" 1
}

in_s() {
	date -u -d "@$(($(date +%s) + $1))" +%Y-%m-%dT%H:%M:%SZ
}

@test "a maintenance window begins while the sweep and a deletion wait for a lock" {
	bounded 60000
	new_page
	deleted=$slug
	"$ctl" publish
	page_with_monitor
	keep_locked -s all
	stray=$pages/public/s/$(new_slug)
	mkdir "$stray"
	sql "DELETE FROM status_pages WHERE slug = '$deleted'"
	sql "UPDATE page_revisions SET deleted_at = UTC_TIMESTAMP() - INTERVAL 5 SECOND WHERE page_id NOT IN (SELECT id FROM status_pages)"
	before=$(publisher)
	# The next one begins with a sweep.
	kill -9 "$before"
	soon has_ended "$before"
	soon publisher
	api POST /api/v1/maintenances -d title=Upgrade -d "monitor_ids[]=$monitor" -d "starts_at=$(in_s 2)" -d "ends_at=$(in_s 3600)"
	want 201
	window=$(jq .data.id "$answer")
	soon window_has_begun
	[ -e "$stray" ]
	[ -e "$pages/public/s/$deleted/index.html" ]
	unlock
	soon gone "$pages/public/s/$deleted"
	kill -9 "$(publisher)"
	soon gone "$stray"
}

# Writers that keep the same pages published, and how many of their writes complete while another page is renamed
# or deleted.
steady='
import http.client, itertools, sys, threading, time, urllib.parse
address, key, trials, incidents = sys.argv[1], sys.argv[2], sys.argv[3].split(), sys.argv[4].split()
host = urllib.parse.urlsplit(address).netloc
is_over, lock, done = threading.Event(), threading.Lock(), 0
def call(peer, method, path, form, wanted):
    peer.request(method, "/api/v1/" + path, urllib.parse.urlencode(form),
                 {"Authorization": "Bearer " + key, "Content-Type": "application/x-www-form-urlencoded"})
    response = peer.getresponse()
    response.read()
    assert response.status == wanted, response.status
def write(incident):
    global done
    peer = http.client.HTTPConnection(host, timeout=120)
    for i in itertools.count():
        if is_over.is_set():
            return
        call(peer, "POST", "incidents/%s/updates" % incident, {"body": "%d %s" % (i, "a *long* text " * 140)}, 201)
        with lock:
            done += 1
writers = [threading.Thread(target=write, args=(incident,), daemon=True) for incident in incidents]
for writer in writers:
    writer.start()
peer = http.client.HTTPConnection(host, timeout=120)
for trial in trials:
    enough = done + 2 * len(writers)
    while done < enough:
        time.sleep(0.01)
    method, page, slug = trial.split(":")
    before = done
    call(peer, method, "status-pages/" + page, {"slug": slug} if slug else {}, 200)
    print(method, done - before, flush=True)
is_over.set()
'

@test "under steady writes a page is renamed, and another deleted, before each writer has written a few times" {
	bounded 60000
	incidents='' shown=()
	for i in $(seq 12); do
		new_monitor
		shown+=(-F "monitor_ids[]=$monitor")
		api POST /api/v1/incidents -d "monitor_ids[]=$monitor" -d title=Steady -d impact=major_outage -d body=Begins
		want 201
		incidents+=" $(jq .data.id "$answer")"
	done
	for i in $(seq 6); do new_page "${shown[@]}"; done
	trials=''
	for i in 1 2 3; do
		new_page
		trials+=" PUT:$page:$(new_slug)"
		new_page
		trials+=" DELETE:$page:"
	done
	python3 -c "$steady" "$base" "$key" "$trials" "$incidents" >"$BATS_TEST_TMPDIR/counts"
	cat "$BATS_TEST_TMPDIR/counts"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/counts")" = 6 ]
	# The write that had begun, and one for each of three holds of publishers.
	[ "$(awk '$2 > 48' "$BATS_TEST_TMPDIR/counts")" = '' ]
}
