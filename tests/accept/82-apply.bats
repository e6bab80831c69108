# An account is brought to what a file states, and printed as such a file.
load lib

setup() {
	setup_of_lib
	name="Apply $(new_slug)"
	slug=$(new_slug)
	"$ctl" account add "$name" >/dev/null
	file=$BATS_TEST_TMPDIR/config.json
	printf '\x89PNG\r\n\x1a\n' >"$BATS_TEST_TMPDIR/broken.png"
	base64 -d >"$BATS_TEST_TMPDIR/logo.png" <<<iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==
	echo 'from a file' >"$BATS_TEST_TMPDIR/password"
	jq -n --arg slug "$slug" '{
		monitors: [
			{name: "Checkout", url: "https://shop.test/", group: "Shop", position: 1, label: "service=checkout"},
			{name: "Zürich 🚆", description: "Trains", known_since: "2026-03-29T01:30:00Z", is_paused: true}
		],
		status_pages: [{slug: $slug, name: "Shop", monitors: ["Zürich 🚆", "Checkout"], logo: "logo.png",
			privacy: 2, password_file: "password", custom_css: ":root { --a: 1 }"}]
	}' >"$file"
}

apply() {
	"$ctl" apply "$file" --account "$name" "$@"
}

@test "a file is shown, applied, and applied again without a change" {
	run apply --dry-run
	[ "$status" = 6 ]
	[ "$output" = "+ monitor Checkout
+ monitor Zürich 🚆
+ page $slug
3 to add, 0 to change, 0 to remove. Nothing was changed." ]
	[ "$("$ctl" monitor list --account "$name" --json)" = '[]' ]
	apply | grep -qx '3 added, 0 changed, 0 removed.'
	[ "$(apply)" = 'Nothing to change.' ]
	run apply --dry-run
	[ "$status" = 0 ]
	apply --json | jq -e '.changes == [] and .added == 0 and .dry_run == false'
	# A visitor sees the page behind its password.
	anyone POST "/s/$slug/" -d 'password=from a file'
	want 303
	"$ctl" audit --account "$name" --json | jq -e 'map(.kind) | sort == ["account.created", "monitor.created", "monitor.created", "status_page.created"]'
}

@test "changes are shown with both values, and only these are made" {
	apply
	jq '.monitors[0].url = null | .monitors[1].is_paused = false | .status_pages[0] |= (.monitors |= reverse
		| .logo = null | .privacy = 0 | .custom_css = ("x" * 200)) | .status_pages[0].password = "other"
		| del(.status_pages[0].password_file)' "$file" >"$file.2"
	mv "$file.2" "$file"
	run apply --dry-run
	[ "$status" = 6 ]
	grep -qxF '    url: "https://shop.test/" -> null' <<<"$output"
	grep -qxF '    is_paused: true -> false' <<<"$output"
	grep -qxF '    monitors: ["Zürich 🚆","Checkout"] -> ["Checkout","Zürich 🚆"]' <<<"$output"
	grep -qxF '    privacy: 2 -> 0' <<<"$output"
	grep -qx '    custom_css' <<<"$output"
	grep -qx '    password' <<<"$output"
	grep -qE '^    logo: "logo-[0-9a-f]*.png" -> null$' <<<"$output"
	refute grep -qF other <<<"$output"
	apply --json >"$BATS_TEST_TMPDIR/changes"
	jq -e '.changed == 3 and .changes[2].fields.privacy == {from: 2, to: 0} and .changes[2].fields.password == {}' "$BATS_TEST_TMPDIR/changes"
	[ "$(apply)" = 'Nothing to change.' ]
	anyone GET "/s/$slug/"
	want 200
	# What a file does not name stays as it is.
	echo '{"status_pages": [{"slug": "'"$slug"'", "meta_title": "Title"}]}' | "$ctl" apply - --account "$name" | grep -qxF '    meta_title: null -> "Title"'
	[ "$("$ctl" export --account "$name" | jq -c '.status_pages[0].monitors')" = '["Checkout","Zürich 🚆"]' ]
}

@test "every error is named with its place, and nothing is changed" {
	jq '.monitor = [] | .monitors[0].urll = "x" | .monitors[1].known_since = "2026-02-29T00:00:00Z"
		| .status_pages[0].logo = "broken.png" | .status_pages[0].monitors[1] = "Chekout"
		| .status_pages += [{slug: "a b", name: "", domain: "no domain", privacy: 3, favicon: "none.ico", id: 4}]' "$file" >"$file.2"
	mv "$file.2" "$file"
	run apply
	[ "$status" = 2 ]
	for place in monitor 'monitors\[0\].urll' 'monitors\[1\].known_since' 'status_pages\[0\].logo' \
		'status_pages\[0\].monitors\[1\]' 'status_pages\[1\].'{slug,name,privacy,favicon,id}; do
		grep -qE "^daymarkctl: $place: [A-Za-z]" <<<"$output" || { echo "$place: $output"; false; }
	done
	apply --json 2>/dev/null >"$BATS_TEST_TMPDIR/errors" || [ $? = 2 ]
	jq -e '.exit_status == 2 and (.errors | length >= 10)' "$BATS_TEST_TMPDIR/errors"
	[ "$("$ctl" monitor list --account "$name" --json)" = '[]' ]
	printf '{\n"monitors": [\n{"name": "x",}]}' >"$file"
	run apply
	[ "$status" = 2 ]
	[[ "$output" == *'line 3: '* ]]
	run "$ctl" apply "$BATS_TEST_TMPDIR/none.json" --account "$name"
	[ "$status" = 2 ]
	[[ "$output" == *'none.json: No such file'* ]]
	run apply --keep-history
	[ "$status" = 2 ]
	: >"$file"
	run apply
	[ "$status" = 2 ]
}

@test "another account is neither seen nor changed" {
	other="Other $(new_slug)"
	"$ctl" account add "$other" >/dev/null
	apply
	run "$ctl" apply "$file" --account "$other"
	[ "$status" = 2 ]
	[[ "$output" == *'status_pages[0].slug: The slug has already been taken.'* ]]
	echo '{"monitors": [], "status_pages": []}' | "$ctl" apply - --account "$other" --prune --yes
	[ "$("$ctl" monitor list --account "$name" --json | jq length)" = 2 ]
	anyone GET "/s/$slug/"
	want 200
}

@test "what the file lacks is removed only on demand, and counted" {
	apply
	id=$("$ctl" monitor list --account "$name" --json | jq '.[0].id')
	incident=$("$ctl" incident open --monitor "$id" --cause x --json | jq .id)
	echo '{"monitors": [{"name": "Zürich 🚆"}], "status_pages": []}' >"$file"
	[ "$(apply)" = 'Nothing to change.' ]
	run apply --prune --dry-run
	[ "$status" = 6 ]
	grep -qx -- '- monitor Checkout, with 1 incident' <<<"$output"
	run apply --prune </dev/null
	[ "$status" = 5 ]
	[[ "$output" == *'and 1 incident?'* ]]
	anyone GET "/s/$slug/"
	want 200
	apply --prune --yes --json | jq -e '.removed == 2 and .changes[0].incident_count == 1'
	anyone GET "/s/$slug/"
	want 404
	run "$ctl" incident resolve "$incident"
	[ "$status" = 3 ]
}

@test "an exported account is a file that changes nothing, and makes the same elsewhere" {
	jq '.status_pages[0] |= (.privacy = 1 | del(.password_file, .logo))' "$file" >"$file.2"
	mv "$file.2" "$file"
	apply
	"$ctl" export --account "$name" >"$BATS_TEST_TMPDIR/exported.json"
	[ "$("$ctl" apply "$BATS_TEST_TMPDIR/exported.json" --account "$name" --prune --yes)" = 'Nothing to change.' ]
	diff <(jq -S . "$file") <(jq -S . "$BATS_TEST_TMPDIR/exported.json")
	copy="Copy $(new_slug)"
	"$ctl" account add "$copy" >/dev/null
	sed "s/$slug/copy-$slug/" "$BATS_TEST_TMPDIR/exported.json" >"$file"
	"$ctl" apply "$file" --account "$copy"
	diff <(jq -S . "$file") <("$ctl" export --account "$copy" | jq -S .)
}

@test "the documented example is a valid file" {
	sed -n '/^## 17 /,/^## /p' "$TOP/docs/OPERATING.md" | sed -n '/^```json$/,/^```$/p' | sed '/^```/d' |
		sed "s/\"acme/\"$slug/" >"$file"
	echo secret >"$BATS_TEST_TMPDIR/$slug.password"
	apply | grep -q '^[1-9][0-9]* added'
}

@test "a thousand monitors on a hundred pages" {
	jq -n --arg slug "$slug" '[range(1000)] as $n | {monitors: ($n | map({name: "S\(.)", group: "G\(. % 20)", label: "i=\(.)"})),
		status_pages: ([range(100)] | map({slug: "\($slug)-\(.)", name: "P", monitors: ($n | map("S\(.)"))}))}' >"$file"
	apply --json | jq -e '.added == 1100'
	[ "$(apply)" = 'Nothing to change.' ]
	anyone GET "/s/$slug-99/"
	want 200
	grep -q S999 "$answer"
	echo '{"monitors": [], "status_pages": []}' >"$file"
	apply --prune --yes --json | jq -e '.removed == 1100'
}

@test "an error is printed once, and export warns of what its file lacks" {
	echo '{"status_pages": [{"name": 1, "slug": "one-error"}], "monitors": [{"name": 2}]}' >"$BATS_TEST_TMPDIR/wrong.json"
	run "$ctl" apply --account "$account" "$BATS_TEST_TMPDIR/wrong.json" --dry-run
	[ "$status" = 2 ]
	[ "$(grep -c name <<<"$output")" = 2 ]
	"$ctl" account add "Exported $BATS_TEST_NUMBER" >/dev/null
	name="Exported $BATS_TEST_NUMBER"
	"$ctl" key create --account "$name" --json >"$BATS_TEST_TMPDIR/key"
	text=$(jq -r .key "$BATS_TEST_TMPDIR/key")
	for _ in 1 2; do
		call "$text" POST /api/v1/monitors -d name=Same
	done
	call "$text" POST /api/v1/alert-channels -d name=Chat -d type=slack -d value[url]=https://hooks.example.com/1
	call "$text" POST /api/v1/monitors -d name=Other -d "alert_channel_ids[]=$(jq .data.id "$answer")"
	[ "$(jq '.data.alert_channel_ids | length' "$answer")" = 1 ]
	call "$text" POST /api/v1/status-pages -F name=x -F slug="$(new_slug)" -F privacy=2 -F password=secret -F "logo=@$TOP/docs/logo.png"
	slug=$(jq -r .data.slug "$answer")
	"$ctl" export --account "$name" >"$BATS_TEST_TMPDIR/file" 2>"$BATS_TEST_TMPDIR/warnings"
	jq -e '.monitors | length == 3 and all(has("alert_channel_ids") | not)' "$BATS_TEST_TMPDIR/file"
	[ "$(cat "$BATS_TEST_TMPDIR/warnings")" = "daymarkctl: warning: the file does not have the alert channels of the monitor Other
daymarkctl: warning: the file does not have the password of the page $slug
daymarkctl: warning: the file does not have the logo of the page $slug
daymarkctl: warning: 2 monitors are named Same: rename all but one, or apply refuses the file" ]
}
