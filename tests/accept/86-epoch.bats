# A database that is older than what a disk has: a restore, a fail-over, a replica that lags.
load lib
load ../lib/world

teardown() {
	follow_end
	worlds_end
}

# The disk beside the first: another web machine.
two_machines() {
	world one
	world_disk one two
	disk=$(world_pages two)
}

revision_on_disk() {
	head -n 1 "$(world_pages "$1")/state/$2/page" | cut -d ' ' -f 1
}

# A backup, and what happens after it: a private page becomes public, a public one changes.
backup_and_go_on() {
	two_machines
	world_page one hidden 'privacy=1&name=Hidden'
	hidden=$page
	world_page one shown name=Before
	shown=$page
	"$ctl" backup "$BATS_TEST_TMPDIR/backup.sql" --config "$(world_conf one)"
	cgi one PUT "/api/v1/status-pages/$hidden" privacy=0
	for name in After1 After2 After3; do
		cgi one PUT "/api/v1/status-pages/$shown" "name=$name"
	done
	world_page one late name=Late
	follow two
	soon grep -q After3 "$disk/public/s/shown/index.html"
	soon test -e "$disk/public/s/hidden/index.html"
	soon test -e "$disk/public/s/late/index.html"
}

restore() {
	sql "DROP DATABASE $(world_name one); CREATE DATABASE $(world_name one) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci"
	"$ctl" restore "$BATS_TEST_TMPDIR/backup.sql" --config "$(world_conf one)"
}

is_as_before() {
	grep -q Before "$disk/public/s/shown/index.html" && gone "$disk/public/s/hidden" &&
		test -e "$disk/private/hidden/index.html" && gone "$disk/public/s/late"
}

@test "an older backup is restored: another machine's follower goes back, too" {
	backup_and_go_on
	restore
	soon is_as_before
	# And it goes on from there, below the numbers that the disk had.
	cgi one PUT "/api/v1/status-pages/$shown" name=Again
	want 200
	soon grep -q Again "$disk/public/s/shown/index.html"
	[ "$(revision_on_disk two "$shown")" -lt 4 ]
}

@test "an older backup is restored while the other machine is away" {
	backup_and_go_on
	follow_end
	restore
	[ -e "$disk/public/s/hidden/index.html" ]
	follow two
	soon is_as_before
}

@test "changes that were lost without a restore: publish --new-epoch brings every disk back" {
	backup_and_go_on
	world_copy one two
	restore
	soon is_as_before
	# As after a fail-over: rows of an earlier moment, in the same epoch.
	world_copy one lost
	for name in Kept1 Kept2; do
		cgi one PUT "/api/v1/status-pages/$shown" "name=$name"
	done
	cgi one PUT "/api/v1/status-pages/$hidden" privacy=0
	soon grep -q Kept2 "$disk/public/s/shown/index.html"
	soon test -e "$disk/public/s/hidden/index.html"
	world_copy lost one
	rounds two 3
	# Nobody can tell it from a replica that lags.
	grep -q Kept2 "$disk/public/s/shown/index.html"
	# The machine that takes the writes corrects itself: its database is right.
	"$ctl" publish --config "$(world_conf one)"
	grep -q Before "$(world_pages one)/public/s/shown/index.html"
	gone "$(world_pages one)/public/s/hidden"
	grep -q Kept2 "$disk/public/s/shown/index.html"
	"$ctl" publish --new-epoch --config "$(world_conf one)" --json | jq -e '.published == 2'
	soon is_as_before
}

@test "an API write on a database that has lost changes reaches its own disk" {
	world one
	world_page one shown name=Before
	world_copy one lost
	for name in Kept1 Kept2 Kept3; do
		cgi one PUT "/api/v1/status-pages/$page" "name=$name"
	done
	world_copy lost one
	cgi one PUT "/api/v1/status-pages/$page" privacy=1
	want 200
	gone "$(world_pages one)/public/s/shown"
	grep -q Before "$(world_pages one)/private/shown/index.html"
}

# A follower on a replica, on the disk of the machine that takes the writes.
replica() {
	sed "s|^name = .*|name = $(world_name replica)|" "$(world_conf one)" >"$(world_conf replica)"
	world_copy one replica
}

follow_replica() {
	"$ctl" publish --follow --config "$(world_conf replica)" >>"$BATS_TEST_TMPDIR/out" 2>>"$BATS_TEST_TMPDIR/err" 3>&- &
	follower=$!
}

@test "at midnight a replica that lags does not bring an older page back" {
	world one
	# The clock has nothing to do before midnight, such as to remove a replaced picture.
	sed -i 's|^dir = .*|&\npreviews = no|' "$(world_conf one)"
	world_page one shown name=Older
	replica
	for name in Newer1 Newer2; do
		cgi one PUT "/api/v1/status-pages/$page" "name=$name"
	done
	file=$(world_pages one)/public/s/shown/index.html
	grep -q Newer2 "$file"
	# As if it had been written yesterday: the bars are to move.
	sed -i -E "1s/^([0-9]+) ([0-9]+)/\1 $(date -u +%s -d 'yesterday 00:00')/" "$(world_pages one)/state/$page/page"
	follow_replica
	rounds one 3
	grep -q Newer2 "$file"
	[ "$(revision_on_disk one "$page")" = 3 ]
	# It catches up.
	follow_end
	world_copy one replica
	follow_replica
	soon grep -q "^3 $(date -u +%s -d 'tomorrow 00:00') " "$(world_pages one)/state/$page/page"
	grep -q Newer2 "$file"
	[ ! -s "$BATS_TEST_TMPDIR/err" ]
}

@test "a replica that lags behind a new epoch does not bring the old one back" {
	world one
	world_page one shown name=Older
	for name in Newer1 Newer2; do
		cgi one PUT "/api/v1/status-pages/$page" "name=$name"
	done
	replica
	world_sql one "UPDATE status_pages p JOIN page_revisions r ON r.page_id = p.id SET p.name = 'Restored', r.revision = 2"
	"$ctl" publish --new-epoch --config "$(world_conf one)"
	file=$(world_pages one)/public/s/shown/index.html
	grep -q Restored "$file"
	follow_replica
	rounds one 3
	grep -q Restored "$file"
}

@test "epochs rise: with a restore, a migration, a command, and not by themselves" {
	world one
	epoch() { world_sql one 'SELECT epoch FROM timeline'; }
	first=$(epoch)
	[ "$first" -gt 1700000000000000 ]
	"$ctl" migrate --config "$(world_conf one)"
	world_page one shown
	"$ctl" publish --all --config "$(world_conf one)"
	[ "$(epoch)" = "$first" ]
	grep -qx "epoch $first" "$(world_pages one)/state/$page/page"
	"$ctl" publish --new-epoch --config "$(world_conf one)"
	second=$(epoch)
	[ "$second" -gt "$first" ]
	grep -qx "epoch $second" "$(world_pages one)/state/$page/page"
	# A clock that went back does not bring an earlier epoch.
	world_sql one 'UPDATE timeline SET epoch = 4102444800000000'
	"$ctl" publish --new-epoch --config "$(world_conf one)"
	[ "$(epoch)" = 4102444800000001 ]
}
