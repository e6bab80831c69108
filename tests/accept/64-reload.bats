# bats file_tags=server
# What operators do while clients are at work.
load lib

@test "a reload under load loses no request, neither read nor written" {
	[ -z "${DAYMARK_ACCEPT_CONF:-}" ] || skip "this web server starts the program itself"
	list=/api/v1/status-pages slug=$(new_slug)
	for i in 1 2 3 4; do
		urls=()
		for j in $(seq 100); do urls+=(-o /dev/null "$base$list?per_page=10"); done
		curl -sS --max-time 60 -w '%{http_code}\n' -H "Authorization: Bearer $key" "${urls[@]}" >"$BATS_TEST_TMPDIR/get.$i" 3>&- &
		for j in $(seq 25); do
			curl -sS --max-time 60 -o /dev/null -w '%{http_code}\n' -H "Authorization: Bearer $key" \
				-d name=Load -d "slug=$slug-$i-$j" "$base$list"
		done >"$BATS_TEST_TMPDIR/post.$i" 3>&- &
	done
	for i in 1 2 3 4; do
		sleep 0.2
		kill -HUP "$(cat "$dir/run/daymark.pid")"
	done
	wait $(jobs -p)
	# What nginx refuses by limit_req, in daymark-tls.conf, does not come to the program.
	refused='^429$'
	[[ $base == https:* ]] || refused='^$'
	for kind in get:200:400 post:201:100; do
		IFS=: read -r method wanted count <<<"$kind"
		cat "$BATS_TEST_TMPDIR/$method".* >"$BATS_TEST_TMPDIR/answers"
		sort "$BATS_TEST_TMPDIR/answers" | uniq -c
		[ "$(wc -l <"$BATS_TEST_TMPDIR/answers")" = "$count" ]
		[ "$(grep -v "$refused" "$BATS_TEST_TMPDIR/answers" | sort -u)" = "$wanted" ]
	done
}
