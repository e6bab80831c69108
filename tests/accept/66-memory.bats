# No allocation that fails makes an answer that says less than the truth.
load lib

setup() {
	setup_of_lib
	program=${DAYMARK_BUILD:-$TOP/build}/daymark
	shim=$BATS_TEST_TMPDIR/failing-malloc.so
	cc -shared -fPIC -O1 -o "$shim" "$TOP/tests/lib/failing-malloc.c"
}

# every_answer PATH: with each allocation failing in turn it is whole, or no success.
every_answer() {
	each_allocation GET "$1"
	want_tried '"whole", "refused", "none"' 20
}

# each_allocation METHOD PATH [BODY]: by plain CGI, with each allocation failing in turn. Writes what
# became of each request into $BATS_TEST_TMPDIR/tried.
each_allocation() {
	DAYMARK_CONF=$conf KEY=$key python3 "$TOP/tests/lib/each-allocation" "$program" "$shim" "$@" >"$BATS_TEST_TMPDIR/tried"
}

# want_tried OUTCOMES COUNT: more than so many allocations failed, and each request has one of the outcomes.
want_tried() {
	jq -se "length > $2 and all(.outcome | IN($1)) and any(.outcome == \"refused\")" "$BATS_TEST_TMPDIR/tried" >/dev/null ||
		{ jq -c "select(.outcome | IN($1) | not)" "$BATS_TEST_TMPDIR/tried"; wc -l "$BATS_TEST_TMPDIR/tried"; return 1; }
}

@test "a list is whole or an error, whichever allocation fails" {
	name=memory$(new_slug)
	new_page -F "name=$name"
	every_answer "/api/v1/status-pages?search=$name"
}

@test "an incident list is whole or an error, whichever allocation fails" {
	new_monitor
	api POST /hooks/generic -d "monitor=$monitor" -d state=down
	api POST /hooks/generic -d "monitor=$monitor" -d state=up
	every_answer "/api/v1/incidents?monitor_id=$monitor"
}

# The pages that are there among those whose requests pass the filter.
count_there() {
	local slugs
	slugs=$(jq -r "select($1) | \"'$prefix-\\(.n)'\"" "$BATS_TEST_TMPDIR/tried" | paste -sd ,)
	sql "SELECT COUNT(*) FROM status_pages WHERE slug IN ($slugs)"
}

count_of() {
	jq -s "map(select($1)) | length" "$BATS_TEST_TMPDIR/tried"
}

# What is answered with 201 is there, and what is answered with a message of failure is not. A page that is
# published, as the answer says, is at its domain.
@test "a page is made and published or not, as the answer says, whichever allocation fails" {
	prefix=m$(new_slug) above=r$RANDOM.xn--bcher-kva.de
	sed 's|^base_url.*|base_url = https://bücher.example/|' "$conf" >"$BATS_TEST_TMPDIR/daymark.conf"
	conf=$BATS_TEST_TMPDIR/daymark.conf
	each_allocation POST /api/v1/status-pages "{\"name\":\"Memory\",\"slug\":\"$prefix-%d\",\"domain\":\"%d.$above\",\"meta_title\":\"a title\",\"show_causes\":true,\"custom_css\":\"p { margin: 0 }\"}"
	want_tried '"made", "refused", "none", "busy"' 40
	made=$(count_of '.outcome == "made"')
	[ "$made" -gt 0 ]
	[ "$(count_there '.outcome == "made"')" = "$made" ]
	[ "$(count_of ".outcome == \"made\" and .slug == \"$prefix-\\(.n)\"")" = "$made" ]
	failed='(.outcome == "refused" or .outcome == "busy")'
	[ "$(count_of "$failed")" -gt 10 ]
	[ "$(count_there "$failed and .has_body")" = 0 ]
	for n in $(jq -r 'select(.is_published) | .n' "$BATS_TEST_TMPDIR/tried"); do
		[ -f "$dir/pages/public/d/$n.$above/index.html" ] || { echo "$n is not at its domain"; return 1; }
	done
}
