# A domain is proven by a DNS record, asked for from a real DNS server of this file's own.
load lib

list=/api/v1/status-pages

setup_file() {
	needs dnsmasq
	name_server=$(own_port)
	echo "$name_server" >"$BATS_FILE_TMPDIR/name-server"
	# The tests check proofs again at moments of their own.
	own_service_start <<-END
		[limits]
		requests_per_minute = 0
		account_requests_per_minute = 0
		wrong_keys_per_minute = 0
		domain_lookups_per_minute = 0
		[site]
		resolver = 127.0.0.1:$name_server
		[server]
		publisher = no
	END
	cp "$own/conf/daymark.conf" "$BATS_FILE_TMPDIR/daymark.conf"
}

teardown_file() {
	[ ! -s "$BATS_FILE_TMPDIR/dns.pid" ] || kill "$(cat "$BATS_FILE_TMPDIR/dns.pid")"
	own_service_stop
}

setup() {
	own_service
	name_server=$(cat "$BATS_FILE_TMPDIR/name-server")
	dns_log=$BATS_FILE_TMPDIR/dns.log
	domain=$(new_slug).test
	zone
}

teardown() {
	cmp -s "$BATS_FILE_TMPDIR/daymark.conf" "$conf" || configure
}

# zone [LINE]...: what the DNS server knows of the domain test; it refuses all others.
zone() {
	local i before
	before=$(cat "$BATS_FILE_TMPDIR/dns.pid" 2>/dev/null) || true
	if [ -n "$before" ]; then
		kill "$before"
		soon has_ended "$before"
	fi
	printf '%s\n' no-resolv no-hosts bind-interfaces listen-address=127.0.0.1 "port=$name_server" local=/test/ \
		log-queries "log-facility=$dns_log" "pid-file=$BATS_FILE_TMPDIR/dns.pid" user=root "$@" >"$BATS_FILE_TMPDIR/dns.conf"
	: >"$dns_log"
	PATH=$PATH:/usr/sbin dnsmasq --conf-file="$BATS_FILE_TMPDIR/dns.conf" 3>&- || return 1
	soon test -s "$BATS_FILE_TMPDIR/dns.pid"
}

# asked NAME: how often the DNS server was asked for the proof of NAME.
asked() {
	grep -c "query\[TXT\] _daymark\.$1 " "$dns_log" || true
}

# configure [SED COMMAND]...: the service's configuration as it was, changed, and taken up.
configure() {
	local edit edits=(-e '') old new i
	for edit in "$@"; do edits+=(-e "$edit"); done
	sed "${edits[@]}" "$BATS_FILE_TMPDIR/daymark.conf" >"$conf"
	old=$(pgrep -P "$(cat "$dir/run/daymark.pid")" | sort | tr '\n' ' ')
	kill -HUP "$(cat "$dir/run/daymark.pid")"
	# The former workers are gone when the configuration holds.
	for i in $(seq 200); do
		new=$(pgrep -P "$(cat "$dir/run/daymark.pid")" | sort)
		grep -qwF "$(tr ' ' '\n' <<<"$old" | sed '/^$/d')" <<<"$new" || [ -z "$new" ] || return 0
		sleep 0.05
	done
	echo "the service does not reload"
	return 1
}

# The value that the last answer's fault asks for.
wanted_value() {
	jq -r '.errors.domain[0]' "$answer" | grep -oE 'daymark-proof=[A-Za-z0-9_-]{43}'
}

# proven_page [CURL ARGUMENT]...: a page of the account at $domain, whose record is there; sets $value.
proven_page() {
	new_page "$@"
	api PUT "$list/$page" -d "domain=$domain"
	want_fault domain
	value=$(wanted_value)
	zone "txt-record=_daymark.$domain,$value"
	api PUT "$list/$page" -d "domain=$domain"
	want 200
}

at() {
	anyone GET "${2:-/}" -H "Host: $1"
}

# look_again [HOURS]: as if the domain had been looked at so long ago; then what the timer runs.
look_again() {
	sql "UPDATE status_pages SET domain_checked_at = domain_checked_at - INTERVAL ${1:-25} HOUR, domain_missing_since = domain_missing_since - INTERVAL ${1:-25} HOUR WHERE domain = '$domain'"
	"$ctl" publish 2>"$BATS_TEST_TMPDIR/err"
}

@test "a domain without its proof is refused, and the answer says which record to make" {
	new_page -F name=Before
	api PUT "$list/$page" -d "domain=$domain" -d name=After
	want_fault domain "_daymark.$domain of type TXT with the value daymark-proof="
	[ "$(asked "$domain")" = 1 ]
	value=$(wanted_value)
	api GET "$list/$page"
	want 200 '.data.name == "Before"' '.data.domain == null'
	at "$domain"
	[ "$status" = 404 ]
	# The same again, and for a page that is new: nothing is kept between the two.
	api POST "$list" -d name=New -d "slug=$(new_slug)" -d "domain=$domain"
	want_fault domain "$value"
	zone "txt-record=_daymark.$domain,$value"
	api PUT "$list/$page" -d "domain=$domain" -d name=After
	want 200 ".data.domain == \"$domain\""
	at "$domain"
	[ "$status" = 200 ]
	shows '>After<'
}

@test "a name's owner who answers with 32,600 strings harms nobody" {
	proven_page
	workers=$(pgrep -P "$(cat "$dir/run/daymark.pid")" | sort)
	dns=$(cat "$BATS_FILE_TMPDIR/dns.pid")
	kill "$dns"
	soon has_ended "$dns"
	"$TOP/tests/lib/hostile-dns" "$name_server" >"$BATS_TEST_TMPDIR/hostile" 3>&- &
	echo "$!" >"$BATS_FILE_TMPDIR/dns.pid"
	soon grep -q ready "$BATS_TEST_TMPDIR/hostile"
	api POST "$list" -d name=New -d "slug=$(new_slug)" -d "domain=x-$domain"
	want_fault domain "_daymark.x-$domain of type TXT"
	[ "$(pgrep -P "$(cat "$dir/run/daymark.pid")" | sort)" = "$workers" ]
	look_again
	grep -q "domain $domain of page" "$BATS_TEST_TMPDIR/err"
	[ "$(sql "SELECT domain_missing_since IS NOT NULL FROM status_pages WHERE domain = '$domain'")" = 1 ]
}

@test "a fault of the domain's proof is named with the others" {
	api POST "$list" -d "slug=$(new_slug)" -d "domain=$domain" -d 'monitor_ids[]=999999999'
	want 422 '.errors | keys == ["domain", "monitor_ids.0", "name"]'
}

@test "a record is one account's: another needs its own" {
	proven_page
	first=$page
	call "$other_key" POST "$list" -d name=Thief -d "slug=$(new_slug)" -d "domain=$domain"
	want 422 '.errors.domain | length == 2'
	api PUT "$list/$first" -d domain=
	want 200
	call "$other_key" POST "$list" -d name=Thief -d "slug=$(new_slug)" -d "domain=$domain"
	want_fault domain "_daymark.$domain"
	theirs=$(wanted_value)
	[ "$theirs" != "$value" ]
	# Both may be there while the domain changes hands.
	zone "txt-record=_daymark.$domain,$value" "txt-record=_daymark.$domain,$theirs"
	call "$other_key" POST "$list" -d name=Heir -d "slug=$(new_slug)" -d "domain=$domain"
	want 201
	at "$domain"
	shows '>Heir<'
}

@test "the record may be one of several, in pieces, or behind an alias" {
	new_page
	api PUT "$list/$page" -d "domain=$domain"
	value=$(wanted_value)
	several=("txt-record=_daymark.$domain,v=spf1 -all" "txt-record=_daymark.$domain,x$value" "txt-record=_daymark.$domain,$value,x")
	zone "${several[@]}"
	api PUT "$list/$page" -d "domain=$domain"
	want_fault domain "$value"
	zone "${several[@]}" "txt-record=_daymark.$domain,$value"
	api PUT "$list/$page" -d "domain=$domain"
	want 200
	api PUT "$list/$page" -d domain=
	zone "txt-record=_daymark.$domain,${value:0:20},${value:20:1},${value:21}"
	api PUT "$list/$page" -d "domain=$domain"
	want 200
	api PUT "$list/$page" -d domain=
	zone "cname=_daymark.$domain,proofs.test" "txt-record=proofs.test,$value"
	api PUT "$list/$page" -d "domain=$domain"
	want 200
}

@test "a look-up that fails is said to be one, and changes nothing" {
	new_page -F name=Before
	# The server refuses what is not below test.
	domain=$(new_slug).example.com
	api PUT "$list/$page" -d "domain=$domain" -d name=After
	want_fault domain 'lookup of _daymark.'
	jq -e '.errors.domain[0] | contains("Try again later")' "$answer"
	# Nobody is there.
	configure "s|^resolver = .*|resolver = 127.0.0.1:9|"
	api PUT "$list/$page" -d "domain=$domain"
	want_fault domain 'lookup of _daymark.'
	# Somebody is there, and silent.
	python3 -c 'import socket, time; s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1], flush=True); time.sleep(60)' >"$BATS_TEST_TMPDIR/port" 3>&- &
	silent=$!
	soon test -s "$BATS_TEST_TMPDIR/port"
	configure "s|^resolver = .*|resolver = 127.0.0.1:$(cat "$BATS_TEST_TMPDIR/port")|"
	api PUT "$list/$page" -d "domain=$domain"
	kill "$silent"
	want_fault domain 'lookup of _daymark.'
	api GET "$list/$page"
	want 200 '.data.name == "Before"' '.data.domain == null'
}

@test "a domain too long for a record is refused where it must be proven" {
	long=$(printf 'a%.0s' $(seq 60)).$(printf 'b%.0s' $(seq 60)).$(printf 'c%.0s' $(seq 60)).$(printf 'd%.0s' $(seq 61)).test
	api POST "$list" -d name=x -d "slug=$(new_slug)" -d "domain=$long"
	want_fault domain 'too long to be proven'
}

@test "writes without a domain, or with the same one, ask no DNS and cost what they did" {
	proven_page
	[ "$(asked "$domain")" = 1 ]
	api PUT "$list/$page" -d name=Plain
	want 200
	plain=$(queries)
	[ "$(asked "$domain")" = 1 ]
	api PUT "$list/$page" -d "domain=${domain^^}." -d name=Same
	want 200
	[ "$(queries)" = $((plain + 1)) ]
	[ "$(asked "$domain")" = 1 ]
	api PUT "$list/$page" -d domain=
	want 200
	[ "$(asked "$domain")" = 1 ]
}

@test "a write that is sent again with its key is answered as before, whatever DNS says by now" {
	new_page
	api PUT "$list/$page" -d "domain=$domain"
	zone "txt-record=_daymark.$domain,$(wanted_value)"
	api PUT "$list/$page" -d "domain=$domain" -H "Idempotency-Key: $domain"
	want 200
	api PUT "$list/$page" -d domain=
	want 200
	zone
	api PUT "$list/$page" -d "domain=$domain" -H "Idempotency-Key: $domain"
	want 200 ".data.domain == \"$domain\""
	[ "$(header Idempotent-Replayed)" = true ]
}

@test "an account may cause ten look-ups a minute" {
	configure 's|^domain_lookups_per_minute = .*|domain_lookups_per_minute = 10|'
	for i in $(seq 10); do
		api POST "$list" -d name=x -d "slug=$(new_slug)" -d "domain=$i.$domain"
		want_fault domain "_daymark.$i.$domain"
	done
	api POST "$list" -d name=x -d "slug=$(new_slug)" -d "domain=11.$domain"
	want 429
	[ "$(header Retry-After)" -ge 1 ]
	[ "$(asked "11.$domain")" = 0 ]
	# Other writes go on, and so does the other account.
	new_page
	other POST "$list" -d name=x -d "slug=$(new_slug)" -d "domain=$domain"
	want_fault domain "_daymark.$domain"
}

@test "a proof that is gone is warned of each day, and after seven the domain is not served until it is back" {
	proven_page
	zone
	look_again 1
	[ "$(asked "$domain")" = 0 ]
	look_again
	[ "$(asked "$domain")" = 1 ]
	grep -q "domain $domain of page $slug has had no proof in DNS since .*, and shows the page until" "$BATS_TEST_TMPDIR/err"
	at "$domain"
	[ "$status" = 200 ]
	"$ctl" domain list --json | jq -e --arg domain "$domain" --arg value "$value" \
		'.[] | select(.domain == $domain) | .state == "missing" and .record == "_daymark." + $domain and .value == $value'
	look_again
	grep -q "$domain" "$BATS_TEST_TMPDIR/err"
	look_again $((24 * 5))
	at "$domain"
	[ "$status" = 200 ]
	api GET "$list/$page"
	etag=$(header ETag)
	look_again $((24 * 2))
	grep -q "domain $domain of page $slug .*does not show the page until DNS has the proof" "$BATS_TEST_TMPDIR/err"
	at "$domain"
	[ "$status" = 404 ] || show
	[ ! -e "$pages/public/d/$domain" ]
	[ ! -e "$pages/host/$domain" ]
	anyone GET "/internal/domain-check?domain=$domain"
	want 404
	anyone GET "/s/$slug/"
	[ "$status" = 200 ]
	# The page says where it is now.
	api GET "$list/$page"
	want 200 ".data.url == \"$base/s/$slug/\"" ".data.domain == \"$domain\""
	[ "$(header ETag)" != "$etag" ]
	[[ "$("$ctl" page link "$slug")" == "$base/s/$slug/"* ]]
	"$ctl" domain list | grep -E "^$domain +$slug +Demo +lost "
	# A write of something else does not bring it back.
	api PUT "$list/$page" -d name=Other
	want 200
	at "$domain"
	[ "$status" = 404 ]
	zone "txt-record=_daymark.$domain,$value"
	look_again
	at "$domain"
	[ "$status" = 200 ]
	shows '>Other<'
	api GET "$list/$page"
	want 200 ".data.url | startswith(\"http://$domain:\")"
	"$ctl" domain list | grep -E "^$domain +$slug +Demo +proven "
	[ "$(domain_events "$page")" = domain.proven,domain.lost,domain.proven ]
}

# The events of a page's domain, oldest first.
domain_events() {
	"$ctl" audit --object status_page --object-id "$1" --json |
		jq -r 'map(.kind | select(startswith("domain."))) | reverse | join(",")'
}

@test "a lost domain that is sent again, with its record back, is served at once" {
	proven_page
	zone
	look_again
	look_again $((24 * 8))
	at "$domain"
	[ "$status" = 404 ]
	api PUT "$list/$page" -d "domain=$domain"
	want 200 ".data.url == \"$base/s/$slug/\""
	at "$domain"
	[ "$status" = 404 ]
	zone "txt-record=_daymark.$domain,$value"
	api PUT "$list/$page" -d "domain=$domain"
	want 200 ".data.url | startswith(\"http://$domain:\")"
	at "$domain"
	[ "$status" = 200 ]
}

@test "a lost domain goes to the account that proves it, one that is missing does not" {
	proven_page
	first=$page
	call "$other_key" POST "$list" -d name=Heir -d "slug=$(new_slug)" -d "domain=$domain"
	theirs=$(wanted_value)
	zone "txt-record=_daymark.$domain,$theirs"
	look_again
	call "$other_key" POST "$list" -d name=Heir -d "slug=$(new_slug)" -d "domain=$domain"
	want 422 '.errors.domain == ["The domain has already been taken."]'
	look_again $((24 * 8))
	api GET "$list/$first"
	etag=$(header ETag)
	call "$other_key" POST "$list" -d name=Heir -d "slug=$(new_slug)" -d "domain=$domain"
	want 201 ".data.domain == \"$domain\""
	at "$domain"
	shows '>Heir<'
	api GET "$list/$first"
	want 200 '.data.domain == null'
	[ "$(header ETag)" != "$etag" ]
	[ "$(domain_events "$first")" = domain.proven,domain.lost,domain.taken ]
	# Who took it is not for the account that had it.
	api GET "/api/v1/events?object_id=$first&kind=domain.taken"
	want 200 '.data | length == 1' '.data[0].actor == {type: "system", id: null, label: null}' '.data[0].request_id == null'
	"$ctl" publish
	at "$domain"
	shows '>Heir<'
	api DELETE "$list/$first"
	at "$domain"
	shows '>Heir<'
	# It does not go back.
	zone "txt-record=_daymark.$domain,$value" "txt-record=_daymark.$domain,$theirs"
	new_page
	api PUT "$list/$page" -d "domain=$domain"
	want 422 '.errors.domain == ["The domain has already been taken."]'
}

@test "a DNS server that is away loses no domain" {
	proven_page
	configure "s|^resolver = .*|resolver = 127.0.0.1:9|"
	look_again
	grep -q "domain $domain of page $slug cannot be looked up" "$BATS_TEST_TMPDIR/err"
	look_again $((24 * 30))
	at "$domain"
	[ "$status" = 200 ]
	[ "$(sql "SELECT domain_missing_since IS NULL FROM status_pages WHERE domain = '$domain'")" = 1 ]
}

@test "domain check looks at once, at one or all, and its exit status tells" {
	proven_page
	"$ctl" domain check --domain "$domain" --json | jq -e '.found == 1 and .missing == 0 and .unknown == 0'
	zone
	run "$ctl" domain check --domain "$domain"
	[ "$status" = 1 ]
	[[ "$output" == *"0 records found, 1 missing"* ]]
	run "$ctl" domain check --domain 'a b'
	[ "$status" = 2 ]
}

@test "a follower that marks looks at proofs again as well" {
	proven_page
	sql "UPDATE status_pages SET domain_checked_at = domain_checked_at - INTERVAL 25 HOUR WHERE domain = '$domain'"
	: >"$dns_log"
	"$ctl" publish --follow --mark >/dev/null 2>&1 3>&- &
	follower=$!
	for i in $(seq 200); do
		[ "$(sql "SELECT domain_checked_at > UTC_TIMESTAMP() - INTERVAL 1 HOUR FROM status_pages WHERE domain = '$domain'")" = 0 ] || break
		sleep 0.05
	done
	kill "$follower"
	wait "$follower"
	[ "$(asked "$domain")" = 1 ]
	[ "$(sql "SELECT domain_checked_at > UTC_TIMESTAMP() - INTERVAL 1 HOUR FROM status_pages WHERE domain = '$domain'")" = 1 ]
}

@test "the service looks at proofs again by itself, and publishes what that changes" {
	proven_page
	sql "UPDATE status_pages SET domain_checked_at = domain_checked_at - INTERVAL 9 DAY, domain_missing_since = UTC_TIMESTAMP() - INTERVAL 8 DAY WHERE domain = '$domain'"
	[ -e "$pages/public/d/$domain/index.html" ]
	zone
	configure 's/^publisher = no/publisher = yes/'
	for i in $(seq 200); do
		[ -e "$pages/public/d/$domain/index.html" ] || break
		sleep 0.1
	done
	[ ! -e "$pages/public/d/$domain/index.html" ]
	soon grep -q "event=domain .*$domain" "$log"
}

@test "domain_proof = no asks for none, and brings back what was lost" {
	proven_page
	zone
	look_again
	look_again $((24 * 8))
	at "$domain"
	[ "$status" = 404 ]
	configure 's|^resolver = .*|domain_proof = no|'
	"$ctl" publish
	at "$domain"
	[ "$status" = 200 ]
	[ "$(domain_events "$page")" = domain.proven,domain.lost,domain.restored ]
	api POST "$list" -d name=x -d "slug=$(new_slug)" -d "domain=unproven.$domain"
	want 201
}

@test "without base_url no page has a domain, one that was there before is taken away" {
	proven_page
	[ -e "$pages/public/d/$domain/index.html" ]
	configure '/^base_url/d'
	api PUT "$list/$page" -d "domain=new.$domain"
	want_fault domain base_url
	api PUT "$list/$page" -d "domain=$domain"
	want_fault domain base_url
	# By the program itself, which reads the note that is still there.
	[ -e "$pages/host/$domain" ]
	at "$domain" '/?plain=1'
	[ "$status" = 404 ]
	anyone GET "/internal/domain-check?domain=$domain"
	want 404
	api GET "$list/$page"
	want 200 '.data.url | endswith("/s/'"$slug"'/")'
	"$ctl" publish
	[ ! -e "$pages/public/d/$domain" ]
	[ ! -e "$pages/host/$domain" ]
	at "$domain"
	[ "$status" = 404 ]
	api PUT "$list/$page" -d name=Changed
	want 200
	[ ! -e "$pages/public/d/$domain" ]
	"$ctl" check-config | grep -E '^warning +base_url +not set: .*no page can have a domain'
	configure
	"$ctl" publish --all
	at "$domain"
	[ "$status" = 200 ]
	shows '>Changed<'
}

@test "names of the installation are nobody's domain, in any spelling" {
	configure 's|^base_url = .*|base_url = http://Bücher.Status.TEST.:8080|' 's|^resolver = .*|domain_proof = no\nhosts = WWW.status.test., prüf.test|'
	for name in xn--bcher-kva.status.test bücher.status.test. BÜCHER.status.test www.status.test xn--prf-ioa.test; do
		api POST "$list" -d name=x -d "slug=$(new_slug)" --data-urlencode "domain=$name"
		want_fault domain 'host name of this service'
	done
	"$ctl" check-config | grep -E '^ok +hosts +xn--bcher-kva.status.test, www.status.test, xn--prf-ioa.test'
	api POST "$list" -d name=x -d "slug=$(new_slug)" -d "domain=a.$domain"
	want 201
}

@test "a page whose domain becomes the installation's own is not seen there" {
	proven_page
	configure "s|^resolver = .*|hosts = $domain|"
	anyone GET '/?plain=1' -H "Host: $domain"
	refute shows '>Test<'
	anyone GET "/internal/domain-check?domain=$domain"
	want 404
	"$ctl" publish
	[ ! -e "$pages/public/d/$domain" ]
	"$ctl" domain list | grep -E "^$domain .*off: own name"
}

@test "only who is named may ask below /internal/, and no proxy for somebody else" {
	proven_page
	anyone GET "/internal/domain-check?domain=$domain" -H 'X-Forwarded-For: 127.0.0.1'
	want 200
	for header in 'X-Forwarded-For: 198.51.100.1' 'X-Forwarded-For: 127.0.0.1, 198.51.100.1' 'Forwarded: for=198.51.100.1'; do
		anyone GET "/internal/domain-check?domain=$domain" -H "$header"
		want 404
	done
	anyone GET '/internal/domain-check?domain=' -H 'X-Forwarded-For: 198.51.100.1'
	want 404
	configure 's|^; internal_clients = .*|internal_clients =|'
	anyone GET "/internal/domain-check?domain=$domain"
	want 404
}

@test "a single account needs no proof, until there is another" {
	"$ctl" account remove Other --yes
	api POST "$list" -d name=Alone -d "slug=$(new_slug)" -d "domain=$domain"
	want 201
	[ "$(asked "$domain")" = 0 ]
	"$ctl" domain list | grep -E "^$domain .* not proven "
	look_again
	[ "$(asked "$domain")" = 0 ]
	"$ctl" account add Another
	look_again
	[ "$(asked "$domain")" = 1 ]
	at "$domain"
	[ "$status" = 200 ]
	api POST "$list" -d name=x -d "slug=$(new_slug)" -d "domain=new.$domain"
	want_fault domain "_daymark.new.$domain"
}
