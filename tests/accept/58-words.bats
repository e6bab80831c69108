# The operator's own sentences: the setting words_file.
load lib
load ../lib/world

setup_file() {
	cp "$TOP/tests/lib/words" "$BATS_FILE_TMPDIR/words"
	printf '[pages]\nwords_file = %s\n' "$BATS_FILE_TMPDIR/words" | own_unlimited_service_start
}

setup() {
	own_service
}

teardown() {
	worlds_end
}

teardown_file() {
	own_service_stop
}

page_says() {
	see '' && shows "$1"
}

# world_words: a world with a words_file of its own.
world_words() {
	world one
	here=$(world_pages one)
	sed -i '/^words_file/d' "$(world_conf one)"
}

# words LINES: the file has these lines.
words() {
	printf '%s\n' "$@" >"$BATS_TEST_TMPDIR/words"
}

@test "sentences of a file are on the pages of their language, escaped, and are gone with the file" {
	world_words
	world_page one mine
	cgi one PUT "/api/v1/status-pages/$page" 'name=Mine&slug=mine'
	for state in up down up; do cgi one POST /hooks/generic "monitor=1&state=$state"; done
	grep -q 'All systems operational' "$here/public/s/mine/index.html"
	cp "$TOP/tests/lib/words" "$BATS_TEST_TMPDIR/words"
	sed -i "s|^\[pages\]|&\nwords_file = $BATS_TEST_TMPDIR/words|" "$(world_conf one)"
	"$ctl" publish --config "$(world_conf one)"
	grep -q 'Everything &lt;works&gt; &amp; runs' "$here/public/s/mine/index.html"
	words '[en]' 'month_by_month = The months' 'current_state = To the present'
	"$ctl" publish --config "$(world_conf one)"
	grep -q 'The months' "$here/public/s/mine/index.html"
	grep -q 'To the present' "$here"/public/s/mine/20*.html
	grep -q 'All systems operational' "$here/public/s/mine/index.html"
}

@test "check-config names the file, the line and the key of a wrong sentence" {
	world_words
	sed -i "s|^\[pages\]|&\nwords_file = $BATS_TEST_TMPDIR/words|" "$(world_conf one)"
	words '[en]' 'all_down = Out' '' 'are_down = Out'
	run "$ctl" check-config --config "$(world_conf one)"
	[ "$status" != 0 ]
	[[ "$output" == *"$BATS_TEST_TMPDIR/words:4: are_down: needs the values in braces"* ]]
	rm "$BATS_TEST_TMPDIR/words"
	run "$ctl" check-config --config "$(world_conf one)"
	[[ "$output" == *'[pages] words_file: '*'No such file'* ]]
	sed -i 's|^words_file = .*|words_file = words|' "$(world_conf one)"
	run "$ctl" check-config --config "$(world_conf one)"
	[[ "$output" == *'[pages] words_file must be an absolute path'* ]]
}

@test "a reload with another file writes all pages again, and one with a wrong file changes nothing" {
	page_with_monitor -F language=de
	api POST /hooks/generic -d "monitor=$monitor" -d state=up
	see ''
	says 'Alles läuft'
	printf '[de]\nall_operational = Alles im Lot\n' >"$BATS_FILE_TMPDIR/words"
	kill -HUP "$parent"
	soon page_says 'Alles im Lot'
	printf '[de]\nall_operational = {x}\n' >"$BATS_FILE_TMPDIR/words"
	kill -HUP "$parent"
	logged() {
		grep -q 'the former configuration stays in force: .*words:2: all_operational: needs the values' "$dir/log/daymark.log"
	}
	soon logged
	api POST /hooks/generic -d "monitor=$monitor" -d state=down
	api POST /hooks/generic -d "monitor=$monitor" -d state=up
	see ''
	says 'Alles im Lot'
	cp "$TOP/tests/lib/words" "$BATS_FILE_TMPDIR/words"
	kill -HUP "$parent"
	soon page_says 'Alles läuft'
}
