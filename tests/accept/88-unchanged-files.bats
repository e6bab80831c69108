# Which files a publish writes, what it syncs, and what it repairs after a loss of power.
load lib
load ../lib/world

teardown() {
	follow_end
	worlds_end
}

# A page of two monitors, at $here. Nothing that it shows moves with the clock.
quiet_page() {
	world one
	"$ctl" monitor add Mail https://mail.example.org/ --config "$(world_conf one)" >/dev/null
	cgi one POST /api/v1/status-pages 'name=Shop&slug=shop&monitor_ids[]=1&monitor_ids[]=2'
	want 201
	page=$(jq .data.id "$answer") here=$(world_pages one)/public/s/shop
}

# The same, with a monitor that is down; sets $incident.
page_with_outage() {
	quiet_page
	"$ctl" incident open --monitor 1 --cause Timeout --config "$(world_conf one)"
	cgi one GET '/api/v1/incidents?monitor_id=1'
	incident=$(jq '.data[0].id' "$answer")
}

# The files of the page, each with its inode and time.
files() {
	stat -c '%n %i %y' "$here"/* | sed "s|$here/||" | sort
}

# The text of a file, without the times of changes and of the snapshot, and without the empty lines that
# tell versions of the same second apart.
text_of() {
	printf '%s' "$(case $1 in
	*.gz) gzip -dc "$1" ;;
	*) cat "$1" ;;
	esac | sed -E 's,<p class="asof".*,,; s,"updated_at":"[^"]*",,g; s,<(updated|lastBuildDate)>[^<]*,,g')"
}

# The page has the files that `keep_copy` has kept, and no others.
is_whole() {
	local file
	diff <(ls "$BATS_TEST_TMPDIR/whole") <(ls "$here") || return 1
	for file in "$BATS_TEST_TMPDIR/whole"/*; do
		cmp <(text_of "$file") <(text_of "$here/${file##*/}") || return 1
	done
}

keep_copy() {
	cp -a "$here" "$BATS_TEST_TMPDIR/whole"
}

# The names of the files that have changed since `files` was written to the file before.
changed() {
	comm -13 "$BATS_TEST_TMPDIR/before" <(files) | cut -d ' ' -f 1 | tr '\n' ' '
}

@test "an update writes only the files that show it" {
	page_with_outage
	files >"$BATS_TEST_TMPDIR/before"
	cgi one PUT "/api/v1/incidents/$incident" comment=Seen
	want 200
	grep -q Seen "$here/index.html"
	for name in index.html index.html.gz summary.json incidents.json unresolved.json feed.atom "$(date -u +%Y-%m).html"; do
		[[ " $(changed)" == *" $name "* ]] || { echo "$name: $(changed)"; false; }
	done
	for name in status.json components.json badge.svg active.json upcoming.json scheduled-maintenances.json page-; do
		[[ " $(changed)" != *" $name"* ]] || { echo "$name: $(changed)"; false; }
	done
}

@test "a publish that shows nothing new writes no file" {
	quiet_page
	files >"$BATS_TEST_TMPDIR/before"
	"$ctl" publish --page shop --config "$(world_conf one)"
	[ -z "$(changed)" ] || { changed; false; }
	# Another name is in all documents, but in no file that is named by its content.
	cgi one PUT "/api/v1/status-pages/$page" name=Market
	want 200
	[[ " $(changed)" == *" active.json "* ]]
	[[ " $(changed)" != *" page-"* ]]
}

@test "updated_at of a document is when what it shows has changed last" {
	page_with_outage
	world_sql one "UPDATE status_pages SET updated_at = '2026-01-01 00:00:00'; UPDATE monitors SET updated_at = '2026-02-01 00:00:00';
		UPDATE incidents SET updated_at = '2026-03-01 00:00:00'; UPDATE page_revisions SET revision = revision + 1"
	"$ctl" publish --page shop --config "$(world_conf one)"
	[ "$(jq -r .page.updated_at "$here/active.json")" = 2026-01-01T00:00:00Z ]
	[ "$(jq -r .page.updated_at "$here/status.json")" = 2026-02-01T00:00:00Z ]
	[ "$(jq -r .page.updated_at "$here/components.json")" = 2026-02-01T00:00:00Z ]
	[ "$(jq -r .page.updated_at "$here/summary.json")" = 2026-03-01T00:00:00Z ]
	[ "$(jq -r .page.updated_at "$here/incidents.json")" = 2026-03-01T00:00:00Z ]
}

@test "files that are removed, cut or replaced by hand are written again" {
	quiet_page
	keep_copy
	for change in 'rm "$here/badge.svg"' ': >"$here/status.json"' 'truncate -s 100 "$here/index.html.gz"' \
		'cp "$here/active.json" "$here/x" && mv "$here/x" "$here/upcoming.json"' 'chmod 600 "$here/badge.svg"'; do
		eval "$change"
		"$ctl" publish --config "$(world_conf one)"
		is_whole || { echo "$change"; false; }
		[ "$(stat -c %a "$here"/* | sort -u)" = 644 ]
	done
	# An update restores them, too, and removes what is no file of the page.
	rm "$here/badge.svg"
	echo x >"$here/stray.html"
	cgi one PUT "/api/v1/status-pages/$page" name=Shop
	is_whole
}

# traced METHOD PATH BODY: a request; the calls that concern the pages folder are in the file trace.
traced() {
	cgi one "$@" "${around[@]}" strace -f -qq -y -o "$BATS_TEST_TMPDIR/trace" -e trace=openat,fsync,fdatasync,syncfs,renameat,utimensat,unlinkat,faccessat,faccessat2
	# Up to here the program opens its libraries, and the folders that a process opens once.
	sed -i '1,/page-[0-9][0-9]", O_RDWR/d' "$BATS_TEST_TMPDIR/trace"
}

# calls PATTERN: how many of these calls the trace has.
calls() {
	grep -cE "^[0-9]+ +($1)\(" "$BATS_TEST_TMPDIR/trace" || true
}

@test "an update syncs each new file once and no folder, and makes few calls" {
	needs strace
	page_with_outage
	cgi one PUT "/api/v1/incidents/$incident" comment=First
	files >"$BATS_TEST_TMPDIR/before"
	traced PUT "/api/v1/incidents/$incident" comment=Second
	want 200
	written=$(wc -w <<<"$(changed)")
	[ "$written" -le 18 ]
	# And the note of the page.
	[ "$(calls fdatasync)" = "$((written + 1))" ]
	[ "$(calls 'fsync|syncfs')" = 0 ]
	[ "$(calls faccessat2?)" = 0 ]
	[ "$(calls utimensat)" -le "$written" ]
	# Each replaced file, and the former note, is kept open until the response is sent.
	[ "$(grep -c O_PATH "$BATS_TEST_TMPDIR/trace")" = "$((written + 1))" ]
	sed -i /O_PATH/d "$BATS_TEST_TMPDIR/trace"
	[ "$(calls openat)" -le "$((written + 12))" ] || { grep openat "$BATS_TEST_TMPDIR/trace"; false; }
	# All files are on the disk before the first is renamed.
	last_sync=$(grep -n fdatasync "$BATS_TEST_TMPDIR/trace" | tail -n 1 | cut -d : -f 1)
	first_rename=$(grep -n 'renameat.*"new-' "$BATS_TEST_TMPDIR/trace" | head -n 1 | cut -d : -f 1)
	[ "$last_sync" -lt "$first_rename" ]
}

@test "without a boot id the folders are synced, too" {
	needs strace
	unshare -m true 2>/dev/null || skip "no mount may be made here"
	page_with_outage
	# shellcheck disable=SC2016
	around=(unshare -m sh -c 'mount --bind /dev/null /proc/sys/kernel/random/boot_id && exec "$@"' sh)
	traced PUT "/api/v1/incidents/$incident" comment=Second
	want 200
	grep -q 'fsync([0-9]*<.*/public/s/shop>)' "$BATS_TEST_TMPDIR/trace"
	grep -q "fsync([0-9]*<.*/state/$page>)" "$BATS_TEST_TMPDIR/trace"
}

@test "what must not be seen any more is off the disk before the response" {
	needs strace
	page_with_outage
	cgi one PUT "/api/v1/status-pages/$page" domain=
	traced PUT "/api/v1/status-pages/$page" 'privacy=2&password=first'
	want 200
	# The folder's removal, then the sync of the place.
	sed -n '/unlinkat(.*"shop", AT_REMOVEDIR/,$p' "$BATS_TEST_TMPDIR/trace" | grep -q 'fsync([0-9]*<.*/public/s>)'
	# A former password is gone when the response comes.
	traced PUT "/api/v1/status-pages/$page" password=second
	want 200
	sed -n '/renameat(.*"gate")/,$p' "$BATS_TEST_TMPDIR/trace" | grep -q 'fsync([0-9]*<.*/private/shop>)'
	# So are files of a page that has no longer a use for them.
	cgi one PUT "/api/v1/status-pages/$page" 'privacy=0&custom_css=b%7B%7D'
	traced PUT "/api/v1/status-pages/$page" custom_css=
	want 200
	sed -n '/unlinkat(.*"custom-/,$p' "$BATS_TEST_TMPDIR/trace" | grep -q 'fsync([0-9]*<.*/public/s/shop>)'
}

# What a loss of power may leave: older files, none, and no note. The kernel has another boot id.
lose_power() {
	echo 00000000-0000-0000-0000-000000000000 >"$(world_pages "$1")/boot"
	: >"$(world_pages "$1")/public/s/shop/index.html"
	rm "$(world_pages "$1")/public/s/shop/badge.svg"
	rm -r "$(world_pages "$1")/state/$page"
}

@test "after a loss of power every page is compared, and written where it differs" {
	[ -r /proc/sys/kernel/random/boot_id ] || skip "the system has no boot id"
	quiet_page
	keep_copy
	lose_power one
	"$ctl" publish --config "$(world_conf one)"
	is_whole
	[ -e "$(world_pages one)/state/$page/page" ]
	grep -q "^$(cat /proc/sys/kernel/random/boot_id) " "$(world_pages one)/boot"
	# Once in a boot.
	rm -r "$(world_pages one)/state/$page" "$here"
	"$ctl" publish --config "$(world_conf one)"
	gone "$here"
	"$ctl" publish --all --config "$(world_conf one)"
	# The disk of a follower, as soon as it is started.
	world_disk one two
	follow two
	soon test -e "$(world_pages two)/public/s/shop/index.html.gz"
	follow_end
	lose_power two
	follow two
	soon cmp "$(world_pages two)/boot" "$(world_pages one)/boot"
	follow_end
	grep -q Shop "$(world_pages two)/public/s/shop/index.html"
	[ -e "$(world_pages two)/public/s/shop/badge.svg" ]
	[ -e "$(world_pages two)/state/$page/page" ]
}

@test "a publisher of a deleted page does not overwrite a new page at the same address" {
	needs strace
	quiet_page
	world_sql one "UPDATE status_pages SET name = 'Former'; UPDATE page_revisions SET revision = revision + 1"
	strace -f -qq -o "$BATS_TEST_TMPDIR/trace" -e trace=renameat -e inject=renameat:delay_enter=4000000:when=1 \
		"$ctl" publish --page shop --config "$(world_conf one)" 3>&- &
	soon eval '[ -n "$(ls "$(world_pages one)/new")" ]'
	world_sql one "DELETE FROM status_pages WHERE id = $page"
	cgi one POST /api/v1/status-pages 'name=Latter&slug=shop'
	want 201
	grep -q Latter "$here/index.html"
	wait $!
	grep -q Latter "$here/index.html"
	refute grep -q Former "$here/status.json"
}

@test "a change is published with its request although the database has lost newer revisions" {
	page_with_outage
	# As after a failover to a replica that was behind.
	world_sql one "UPDATE page_revisions SET revision = revision + 20"
	"$ctl" publish --page shop --config "$(world_conf one)"
	world_sql one "UPDATE page_revisions SET revision = revision - 20"
	cgi one PUT "/api/v1/incidents/$incident" comment=Seen
	want 200
	grep -q Seen "$here/index.html"
}
