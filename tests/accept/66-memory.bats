# No allocation that fails makes an answer that says less than the truth.
load lib

setup() {
	setup_of_lib
	program=${DAYMARK_BUILD:-$TOP/build}/daymark
	shim=$BATS_TEST_TMPDIR/failing-malloc.so
	cc -shared -fPIC -O1 -o "$shim" "$TOP/tests/lib/failing-malloc.c"
}

# run_cgi N [VARIABLE=VALUE]...: a request with its body on standard input.
run_cgi() {
	code=0
	env -i DAYMARK_CONF="$conf" GATEWAY_INTERFACE=CGI/1.1 HTTP_HOST=localhost HTTP_AUTHORIZATION="Bearer $key" \
		FAIL_AT="$1" LD_PRELOAD="$shim" "${@:2}" "$program" >"$answer" 2>"$BATS_TEST_TMPDIR/said" \
		9>"$BATS_TEST_TMPDIR/hit" || code=$?
	[ -s "$BATS_TEST_TMPDIR/hit" ]
}

# ask N PATH: by plain CGI, the allocation of number N failing. Sets $code; the answer
# is in $answer, head and body. False when there are fewer than N allocations.
ask() {
	run_cgi "$1" REQUEST_METHOD=GET REQUEST_URI="$2" QUERY_STRING="${2#*\?}" </dev/null
}

# Head and body of $answer are told apart by an empty line.
body() {
	tr -d '\r' <"$answer" | sed '1,/^$/d'
}

# every_answer PATH: with each allocation failing in turn it is whole, or no success.
every_answer() {
	local n=0 whole=0 refused=0 none=0 good
	refute ask 999999 "$1"
	good=$(body)
	jq -e .data <<<"$good" >/dev/null
	while n=$((n + 1)) && ask "$n" "$1"; do
		case $(head -c 12 "$answer") in
		'Status: 200 ')
			[ "$(body)" = "$good" ] || { echo "allocation $n:"; cat "$answer"; return 1; }
			whole=$((whole + 1))
			;;
		'Status: 50'[03]' ')
			[ -z "$(body)" ] || body | jq -e '.status >= 500' >/dev/null || { echo "allocation $n:"; cat "$answer"; return 1; }
			refused=$((refused + 1))
			;;
		*)
			# Without an answer the web server says 500 or 502.
			[ ! -s "$answer" ] || { echo "allocation $n:"; cat "$answer"; return 1; }
			[ "$code" = 70 ] || { echo "allocation $n: exit status $code"; cat "$BATS_TEST_TMPDIR/said"; return 1; }
			none=$((none + 1))
			;;
		esac
	done
	echo "$n allocations: $whole whole answers, $refused errors, $none without an answer"
	[ "$n" -gt 20 ]
	[ "$refused" -gt 0 ]
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

# What is answered with 201 is there, and what is answered with a message of failure is not.
@test "a page is made or not, as the answer says, whichever allocation fails" {
	prefix=m$(new_slug)
	made=0 refused=0 n=0
	while true; do
		n=$((n + 1))
		printf '{"name":"Memory","slug":"%s-%d"}' "$prefix" "$n" >"$BATS_TEST_TMPDIR/body"
		run_cgi "$n" REQUEST_METHOD=POST REQUEST_URI=/api/v1/status-pages CONTENT_TYPE=application/json \
			CONTENT_LENGTH="$(stat -c %s "$BATS_TEST_TMPDIR/body")" <"$BATS_TEST_TMPDIR/body" || break
		is_there=$(sql "SELECT COUNT(*) FROM status_pages WHERE slug = '$prefix-$n'")
		case $(head -c 12 "$answer") in
		'Status: 201 ')
			[ "$is_there" = 1 ]
			body | jq -e ".data.slug == \"$prefix-$n\"" >/dev/null
			made=$((made + 1))
			;;
		'Status: 500 ')
			[ -z "$(body)" ] || [ "$is_there" = 0 ] || { echo "allocation $n"; cat "$answer"; return 1; }
			refused=$((refused + 1))
			;;
		*)
			[ "$code" = 70 ] || head -c 12 "$answer" | grep -qE '^Status: (400|503) ' ||
				{ echo "allocation $n: exit status $code"; cat "$answer" "$BATS_TEST_TMPDIR/said"; return 1; }
			;;
		esac
	done
	echo "$n allocations: $made made, $refused refused"
	[ "$made" -gt 0 ]
	[ "$refused" -gt 10 ]
}
