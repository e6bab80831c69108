# What the documents say is so.
load lib

@test "every example of API.md works as it stands, and nothing of openapi.json is left out" {
	account=$("$ctl" account add "Docs $(new_slug)" --json | jq .id)
	export KEY URL MONITOR INCIDENT TMPDIR
	KEY=$("$ctl" key create --account "$account" --json | jq -r .key)
	URL=$base
	new_monitor Mail
	MONITOR=$monitor
	INCIDENT=$("$ctl" incident open --monitor "$MONITOR" --cause 'Mail is delivered late' --json | jq .id)
	TMPDIR=$BATS_TEST_TMPDIR
	cd "$TOP"
	python3 tests/lib/api-doc docs/API.md src/app/openapi.json "$log"
}
