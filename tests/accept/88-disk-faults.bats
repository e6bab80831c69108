# What a disk, or a limit on open files, does at the worst moment.
load lib
load ../lib/world

# Makes index.html large enough for a compressed twin.
long=$(printf 'x%.0s' {1..1000})

teardown() {
	[ -z "${holder:-}" ] || kill "$holder" 2>/dev/null || true
	worlds_end
}

# The answer says that all is published.
said_published() {
	[ "$status$(header X-Daymark-Published)" = 200 ]
}

@test "a deletion that is answered as published is one, however few files may be open" {
	world one
	public=$(world_pages one)/public/s
	said=0 failed=0
	for limit in $(seq 8 2 48); do
		world_page one "few-$limit"
		cgi one DELETE "/api/v1/status-pages/$page" '' prlimit --nofile="$limit"
		if said_published; then
			said=$((said + 1))
			gone "$public/few-$limit" || { echo "limit $limit"; show; }
		else
			failed=$((failed + 1))
		fi
	done
	# Both were met.
	[ "$said" -gt 0 ]
	[ "$failed" -gt 0 ]
	"$ctl" publish --config "$(world_conf one)"
	[ -z "$(ls "$public")" ]
	[ -z "$(ls "$(world_pages one)/state")" ]
}

@test "a run that says that all is well has removed what is gone, however few files may be open" {
	world one
	for limit in $(seq 8 2 40); do
		world_page one "few-$limit"
		world_sql one 'DELETE FROM status_pages'
		if prlimit --nofile="$limit" "$ctl" publish --config "$(world_conf one)" 2>/dev/null; then
			gone "$(world_pages one)/public/s/few-$limit"
			gone "$(world_pages one)/state/$page"
		fi
	done
	"$ctl" publish --config "$(world_conf one)"
	[ -z "$(ls "$(world_pages one)/public/s")" ]
}

@test "a note that cannot be read is not taken for none" {
	needs strace
	world one
	for error in EIO ENOMEM ENFILE EACCES; do
		world_page one "error-$error"
		note=$(world_pages one)/state/$page
		cgi one DELETE "/api/v1/status-pages/$page" '' strace -f -qq -o "$BATS_TEST_TMPDIR/trace" -P "$note" -e inject=openat:error="$error"
		grep -q INJECTED "$BATS_TEST_TMPDIR/trace"
		want 200 '.deleted == true'
		[ "$(header X-Daymark-Published)" = no ] || { echo "$error"; show; }
		"$ctl" publish --config "$(world_conf one)"
		gone "$(world_pages one)/public/s/error-$error"
		gone "$note"
	done
}

@test "a damaged note stops no page, and its page goes with the next run" {
	world one
	world_page one damaged
	: >"$(world_pages one)/state/$page/page"
	cgi one PUT "/api/v1/status-pages/$page" name=Mended
	said_published
	: >"$(world_pages one)/state/$page/page"
	cgi one DELETE "/api/v1/status-pages/$page"
	[ "$(header X-Daymark-Published)" = no ]
	"$ctl" publish --config "$(world_conf one)"
	gone "$(world_pages one)/public/s/damaged"
	gone "$(world_pages one)/state/$page"
}

@test "a state folder without a note, and one that is no page's, are swept" {
	world one
	mkdir -p "$(world_pages one)/state/12345" "$(world_pages one)/state/stray"
	"$ctl" publish --config "$(world_conf one)"
	[ -z "$(ls "$(world_pages one)/state")" ]
}

# A file system of its own, with that many inodes, as the world's pages folder.
small_disk() {
	mkdir -p "$(world_pages one)"
	unshare -m sh -c "mount -t tmpfs -o nr_inodes=$1 tmpfs '$(world_pages one)' && exec sleep 600" 3>&- &
	holder=$!
	inside=(nsenter -t "$holder" -m)
	disk=/proc/$holder/root$(world_pages one)
	soon is_mounted
}

is_mounted() {
	[ "$(stat -f -c %T "$disk")" = tmpfs ] || [ "$(stat -c %d "$disk")" != "$(stat -c %d "$BATS_TEST_TMPDIR")" ]
}

# Takes every inode that is left.
fill() {
	mkdir -p "$disk/filler"
	# shellcheck disable=SC2016
	(cd "$disk/filler" && for n in $(seq "$1"); do : >"$BASHPID-$n" || break; done) 2>/dev/null || true
	[ "$(stat -f -c %d "$disk")" = 0 ]
}

@test "on a disk without inodes a page that is made private or deleted is not seen any more" {
	unshare -m true 2>/dev/null || skip "no mount may be made here"
	world one
	small_disk 400
	for slug in tightened locked deleted moved; do
		cgi one POST /api/v1/status-pages "name=$slug&slug=$slug&monitor_ids[]=1" "${inside[@]}"
		[ "$status" = 201 ] || show
		[ -z "$(header X-Daymark-Published)" ]
		declare "$slug=$(jq .data.id "$answer")"
	done
	[ -e "$disk/public/s/tightened/index.html" ]
	# Each lock is there, whichever pages have been published.
	[ "$(ls "$disk/lock" | grep -c '^page-')" = 64 ]
	fill 1000
	cgi one PUT "/api/v1/status-pages/$tightened" privacy=1 "${inside[@]}"
	want 200
	gone "$disk/public/s/tightened"
	fill 1000
	cgi one PUT "/api/v1/status-pages/$moved" 'privacy=1&slug=moved-away' "${inside[@]}"
	want 200
	gone "$disk/public/s/moved"
	fill 1000
	cgi one DELETE "/api/v1/status-pages/$deleted" '' "${inside[@]}"
	want 200
	said_published
	gone "$disk/public/s/deleted"
	# Even if the locks were lost with it.
	find "$disk/lock" -type f -delete
	fill 1000
	cgi one PUT "/api/v1/status-pages/$locked" privacy=1 "${inside[@]}"
	want 200
	gone "$disk/public/s/locked"
	rm -r "$disk/filler"
	"${inside[@]}" "$ctl" publish --config "$(world_conf one)"
	[ -e "$disk/private/locked/index.html" ]
	[ -e "$disk/private/tightened/index.html" ]
}

@test "publishing that is killed at any rename is mended by the next run, twins too" {
	needs strace
	world one
	# Large enough for compressed twins.
	printf 'monitor_id,cause,started_at,ended_at\n1,Long ago,2024-02-03T00:00:00Z,2024-02-03T01:00:00Z\n' >"$BATS_TEST_TMPDIR/csv"
	"$ctl" incident import "$BATS_TEST_TMPDIR/csv" --config "$(world_conf one)"
	world_page one killed "name=Killed&meta_description=$long"
	here=$(world_pages one)/public/s/killed
	[ -e "$here/index.html.gz" ]
	killed=0 mixed=0
	for at in $(seq 1 40); do
		# Another text, at the same revision.
		sed -i "s|^base_url = .*|base_url = http://status$at.example|" "$(world_conf one)"
		strace -qq -o "$BATS_TEST_TMPDIR/trace" -e inject=renameat,renameat2,rename:signal=KILL:when="$at" \
			"$ctl" publish --all --config "$(world_conf one)" 2>/dev/null && break
		killed=$((killed + 1))
		twins_agree || mixed=$((mixed + 1))
		"$ctl" publish --config "$(world_conf one)"
		twins_agree || { echo "killed at $at"; ls -la "$here"; return 1; }
		gone "$(world_pages one)/state/$page/writing"
	done
	[ "$killed" -ge 5 ]
	# Some of them were such cases.
	[ "$mixed" -gt 0 ]
}

# Each compressed file says what the plain one does.
twins_agree() {
	local twin
	for twin in "$here"/*.gz; do
		cmp -s "${twin%.gz}" <(gzip -dc "$twin") || return 1
	done
}

@test "a follower that was killed at a rename mends the page when it is started again" {
	needs strace
	world one
	world_disk one two
	world_page one killed "name=First&meta_description=$long"
	here=$(world_pages two)/public/s/killed
	follow two
	soon test -e "$here/index.html.gz"
	follow_end
	# The same revision, another text, as if it had been written yesterday.
	sed -i 's|^base_url = .*|base_url = http://status.example|' "$(world_conf one)" "$(world_conf two)"
	sed -i -E "1s/^([0-9]+) ([0-9]+)/\1 $(date -u +%s -d 'yesterday 00:00')/" "$(world_pages two)/state/$page/page"
	# Killed before the next one: the page itself is renamed, its twin is not.
	renames=$(strace -qq -e trace=renameat -o /dev/stdout "$ctl" publish --page killed --config "$(world_conf one)" | grep -n '"index.html")' | cut -d : -f 1)
	run timeout 60 strace -f -qq -o "$BATS_TEST_TMPDIR/trace" -e inject=renameat:signal=KILL:when="$((renames + 1))" -e trace=renameat \
		"$ctl" publish --follow --config "$(world_conf two)"
	[ "$status" != 0 ]
	refute twins_agree
	follow two
	soon twins_agree
	grep -q "$(date -u +%s -d 'tomorrow 00:00')" "$(world_pages two)/state/$page/page"
	follow_end
}
