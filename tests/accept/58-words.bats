# The operator's own sentences: the setting words_file.
load lib
load ../lib/world

teardown() {
	worlds_end
}

# words LINES: the file has these lines.
words() {
	printf '%s\n' "$@" >"$BATS_TEST_TMPDIR/words"
}

@test "sentences of a file are on the pages of their language, escaped, and are gone with the file" {
	world one
	here=$(world_pages one)
	world_page one mine
	cgi one PUT "/api/v1/status-pages/$page" 'name=Mine&slug=mine'
	cgi one POST /hooks/generic 'monitor=1&state=up'
	grep -q 'All systems operational' "$here/public/s/mine/index.html"
	month=$(find "$here/public/s/mine" -name '20*.html' | head -n 1)
	cp "$TOP/tests/lib/words" "$BATS_TEST_TMPDIR/words"
	sed -i "s|^\[pages\]|&\nwords_file = $BATS_TEST_TMPDIR/words|" "$(world_conf one)"
	"$ctl" check-config --config "$(world_conf one)" | grep -v 'readable by'
	"$ctl" publish --config "$(world_conf one)"
	grep -q 'Everything &lt;works&gt; &amp; runs' "$here/public/s/mine/index.html"
	words '[en]' 'month_by_month = The months'
	"$ctl" publish --config "$(world_conf one)"
	grep -q 'The months' "$here/public/s/mine/index.html"
	grep -q 'All systems operational' "$here/public/s/mine/index.html"
	[ -z "$month" ] || [ -e "$month" ]
}

@test "check-config names the file, the line and the key of a wrong sentence" {
	world one
	sed -i "s|^\[pages\]|&\nwords_file = $BATS_TEST_TMPDIR/words|" "$(world_conf one)"
	words '[en]' 'all_down = Out' '' 'are_down = Out'
	run "$ctl" check-config --config "$(world_conf one)"
	[ "$status" != 0 ]
	[[ "$output" == *"$BATS_TEST_TMPDIR/words:4: are_down: needs the values in braces"* ]]
	cgi one GET /readyz || true
	rm "$BATS_TEST_TMPDIR/words"
	run "$ctl" check-config --config "$(world_conf one)"
	[[ "$output" == *'[pages] words_file: '*'No such file'* ]]
	sed -i 's|^words_file = .*|words_file = words|' "$(world_conf one)"
	run "$ctl" check-config --config "$(world_conf one)"
	[[ "$output" == *'[pages] words_file must be an absolute path'* ]]
}
