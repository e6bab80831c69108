# Every status that came is one that openapi.json names. tools/check runs this behind all other files, once for
# each service.
load lib
load ../lib/statuses

@test "all that this service has answered is documented" {
	anyone GET /api/v1/openapi.json
	want 200
	log_line
	jq -r '.paths | to_entries[] | .key as $path | .value | to_entries[] | (.key | ascii_upcase) as $method
		| .value.responses | keys[] | "\($method) \($path) \(.)"' "$answer" >"$BATS_TEST_TMPDIR/said"
	came >"$BATS_TEST_TMPDIR/came"
	grep -qx 'GET /api/v1/openapi.json 200' "$BATS_TEST_TMPDIR/came"
	# Other methods of a path are no operations.
	awk 'NR == FNR { said[$0] = operation[$1 " " $2] = 1; next }
		operation[$1 " " $2] && !said[$0]' "$BATS_TEST_TMPDIR/said" "$BATS_TEST_TMPDIR/came" >"$BATS_TEST_TMPDIR/unsaid"
	[ ! -s "$BATS_TEST_TMPDIR/unsaid" ] || { cat "$BATS_TEST_TMPDIR/unsaid"; false; }
	[ "$(wc -l <"$BATS_TEST_TMPDIR/said")" -ge 40 ]
}
