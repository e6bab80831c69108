# Publishing that fails, is killed, or has much to compare: what must not be seen goes all the same.
load lib
load ../lib/world

teardown() {
	worlds_end
}

# more_incidents COUNT: of monitor 1, all of them in the days of the bars. Without the indexes of
# lists, which no page reads, and the oldest first, they are stored in half of the time.
more_incidents() {
	world_sql one "ALTER TABLE incidents DROP INDEX incidents_ends, DROP INDEX incidents_status_ends, DROP INDEX incidents_status_starts,
		DROP INDEX incidents_monitor_status_ends, DROP INDEX incidents_monitor_status_starts"
	world_sql one "INSERT INTO incidents (account_id, monitor_id, cause, comment, started_at, ended_at, created_at, updated_at)
		SELECT account_id, id, '', '', UTC_TIMESTAMP() - INTERVAL ($1 - seq) * 10 + 10 SECOND, UTC_TIMESTAMP() - INTERVAL ($1 - seq) * 10 + 5 SECOND, UTC_TIMESTAMP(), UTC_TIMESTAMP()
		FROM monitors JOIN seq_1_to_$1 WHERE id = 1"
}

# copies COUNT: pages of the world that are what its page is, but for the slug.
copies() {
	local columns
	columns=$(world_sql one "SELECT GROUP_CONCAT(column_name) FROM information_schema.columns
		WHERE table_schema = DATABASE() AND table_name = 'status_pages' AND column_name NOT IN ('id', 'slug') AND extra NOT LIKE '%GENERATED%'")
	world_sql one "INSERT INTO status_pages (slug, $columns) SELECT CONCAT('copy-', seq), $columns FROM status_pages JOIN seq_1_to_$1 WHERE id = $page"
	world_sql one "INSERT INTO page_revisions (page_id, account_id, revision, changed_at, next_change_at)
		SELECT p.id, p.account_id, r.revision, r.changed_at, r.next_change_at FROM status_pages p JOIN page_revisions r ON r.page_id = $page WHERE p.slug LIKE 'copy-%'"
}

# Starts a command, and writes into a file the most memory that it had, in kB.
most_memory='
import resource, subprocess, sys
code = subprocess.call(sys.argv[2:])
open(sys.argv[1], "w").write(str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss))
sys.exit(code)'

kb() {
	cat "$BATS_TEST_TMPDIR/kb"
}

@test "a page with more incidents than can be shown is not seen any more where it must not be" {
	world one
	here=$(world_pages one)
	for slug in tightened moved locked reworded; do
		world_page one "$slug"
		declare "$slug=$page"
	done
	cgi one PUT "/api/v1/status-pages/$locked" 'privacy=2&password=first'
	cgi one PUT "/api/v1/status-pages/$reworded" 'privacy=2&password=first'
	[ -e "$here/private/locked/gate" ]
	more_incidents 500001
	cgi one PUT "/api/v1/status-pages/$tightened" privacy=1
	want 200 '.data.privacy == 1'
	[ "$(header X-Daymark-Published)" = no ]
	gone "$here/public/s/tightened"
	cgi one PUT "/api/v1/status-pages/$moved" slug=moved-away
	[ "$(header X-Daymark-Published)" = no ]
	gone "$here/public/s/moved"
	# Behind the gate nothing opens by the former password.
	cgi one PUT "/api/v1/status-pages/$locked" password=second
	[ "$(header X-Daymark-Published)" = no ]
	gone "$here/private/locked/gate"
	# Otherwise the page stays as it was.
	cgi one PUT "/api/v1/status-pages/$reworded" name=Reworded
	[ "$(header X-Daymark-Published)" = no ]
	[ -e "$here/private/reworded/gate" ]
	world_sql one 'SET foreign_key_checks = 0; TRUNCATE incidents'
	"$ctl" publish --config "$(world_conf one)"
	[ -e "$here/public/s/moved-away/index.html" ]
	[ -e "$here/private/locked/index.html" ]
	[ -e "$here/private/tightened/index.html" ]
}

@test "a sweep keeps since when a disk is behind" {
	world one
	world_disk one two
	# A new folder fills itself; afterwards it has what others publish only by a follower.
	"$ctl" publish --config "$(world_conf two)"
	world_page one shown
	cgi two GET /readyz
	want 200
	past=$(date -u +%s -d '300 seconds ago')
	printf '%-20d %-20d\n' "$(date +%s)" "$past" >"$(world_pages two)/checked"
	"$ctl" publish --config "$(world_conf two)"
	gone "$(world_pages two)/public/s/shown"
	cgi two GET /readyz
	want 200 '.oldest_unpublished_s >= 300'
	# Once the disk has all pages, that is over.
	"$ctl" publish --all --config "$(world_conf two)"
	cgi two GET /readyz
	want 200 '.oldest_unpublished_s == 0'
}

# moved_and_killed AT: the page moves from old-AT to new-AT, and the program is killed at that rename.
moved_and_killed() {
	needs strace
	world_page one "old-$1"
	cgi one PUT "/api/v1/status-pages/$page" "slug=new-$1" \
		strace -f -qq -o "$BATS_TEST_TMPDIR/trace" -e inject=renameat,renameat2,rename:signal=KILL:when="$1"
	[ -z "$status" ]
}

@test "a move that is killed at any rename leaves nothing that a deletion does not find" {
	world one
	here=$(world_pages one)/public/s
	killed=0 seen=0
	for at in $(seq 1 40); do
		moved_and_killed "$at" || break
		killed=$((killed + 1))
		[ ! -e "$here/new-$at/index.html" ] || seen=$((seen + 1))
		cgi one DELETE "/api/v1/status-pages/$page"
		want 200
		[ -z "$(header X-Daymark-Published)" ] || show
		gone "$here/old-$at"
		gone "$here/new-$at"
		gone "$(world_pages one)/state/$page"
	done
	[ "$killed" -ge 5 ]
	# Some were seen at the new address already.
	[ "$seen" -gt 0 ]
}

@test "a move that is killed at any rename leaves nothing public once the page is private" {
	world one
	here=$(world_pages one)/public/s
	killed=0
	for at in $(seq 1 40); do
		moved_and_killed "$at" || break
		killed=$((killed + 1))
		cgi one PUT "/api/v1/status-pages/$page" "privacy=1&slug=third-$at"
		want 200
		[ -z "$(header X-Daymark-Published)" ] || show
		gone "$here/old-$at"
		gone "$here/new-$at"
		[ -e "$(world_pages one)/private/third-$at/index.html" ]
	done
	[ "$killed" -ge 5 ]
}

@test "comparing a disk with 150,000 pages takes the memory of a few hundred" {
	world one
	world_page one shown
	cgi one GET /readyz '' python3 -c "$most_memory" "$BATS_TEST_TMPDIR/kb"
	want 200
	few=$(kb)
	python3 -c "$most_memory" "$BATS_TEST_TMPDIR/kb" "$ctl" publish --config "$(world_conf one)"
	swept_few=$(kb)
	copies 150000
	python3 -c "$most_memory" "$BATS_TEST_TMPDIR/kb" "$ctl" publish --config "$(world_conf one)"
	[ "$(($(kb) - swept_few))" -lt 1500 ] || { echo "sweep: $swept_few $(kb)"; false; }
	# What is unpublished is not looked for on the disk.
	world_sql one "UPDATE page_revisions SET unpublished_since = UTC_TIMESTAMP() WHERE page_id <> $page"
	rm -f "$(world_pages one)/checked"
	cgi one GET /readyz '' python3 -c "$most_memory" "$BATS_TEST_TMPDIR/kb"
	want 200
	[ "$(($(kb) - few))" -lt 1500 ] || { echo "readyz: $few $(kb)"; false; }
}
