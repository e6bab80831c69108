# The settings by which a monitor is checked: each by form, multipart and JSON, with its rules and its secrets.
load lib

list=/api/v1/monitors

# values ROUND: a JSON object with another value for each setting, which the type of the round allows.
values() {
	jq -nc --argjson n "$1" --argjson other "$monitor" '{
		type: ["http", "tls", "tcp"][$n], url: ["https://a.example.org/", "a.example.org:993", "tcp://a.example.org:25"][$n],
		interval: (30 + $n), timeout: (5 + $n), confirmations: (3 + $n), recoveries: (4 + $n), slow_ms: (500 + $n),
		depends_on_id: $other, request_method: ["POST", "HEAD", "OPTIONS"][$n],
		request_headers: [{key: "Accept", value: "a/\($n); q=\"1\""}, {key: "X-Test", value: "ü \($n)"}],
		request_body: " {\"n\": \($n)}\n", request_auth_username: "user \($n)", cache_buster: ($n == 0),
		expected_statuses: "200-299,40\($n)", follow_redirects: ($n == 1), verify_tls: ($n == 2),
		alert_condition: ["url_text", "json", "url_no_text"][$n], alert_text_lookup: " look & up \($n) ",
		json_path: "checks[\($n)].status", json_operator: ["<", "!=", ">"][$n], json_value: "\($n).5",
		tcp_send: "EHLO \($n)\\r\\n", tcp_expect: "25\($n) ", dns_type: ["AAAA", "MX", "CAA"][$n],
		dns_server: ["192.0.2.1", "192.0.2.1:5353", "[2001:db8::1]:53"][$n], dns_expected: "10 mail\($n).example.org",
		ssl_alert_days: [60, 0, 3][$n], domain_alert_days: [30, 1, 2][$n], issuer_alert: ($n == 2), period: (600 + $n), grace: (120 + $n)}'
}

# sends OPTION: the values of $sent as fields of a form; sets $fields.
sends() {
	fields=()
	mapfile -d '' -t fields < <(jq -j --arg option "$1" 'to_entries[] | if .key == "request_headers" then
			.value | to_entries[] | [$option, "request_headers[\(.key)][key]=\(.value.key)",
				$option, "request_headers[\(.key)][value]=\(.value.value)"]
		else [$option, "\(.key)=\(.value)"] end | .[] | . + "\u0000"' <<<"$sent")
}

shows_sent() {
	jq -e --argjson sent "$sent" '.data as $shown | $sent | all(to_entries[]; .value == $shown[.key])' "$answer" >/dev/null ||
		{ echo "sent: $sent"; show; }
}

new_check() {
	api POST "$list" -d "name=Check $(new_slug)" "$@"
	want 201
	check=$(jq .data.id "$answer")
}

@test "each setting comes back as it was sent by form, multipart and JSON" {
	new_monitor
	sent=$(values 0)
	sends --data-urlencode
	new_check "${fields[@]}"
	shows_sent
	sent=$(values 1)
	sends --form-string
	api POST "$list/$check" -F _method=PUT "${fields[@]}"
	want 200
	shows_sent
	sent=$(values 2)
	api PATCH "$list/$check" -H 'Content-Type: application/json' -d "$sent"
	want 200
	shows_sent
	api GET "$list/$check"
	want 200
	shows_sent
	api GET "$list?per_page=10"
	jq -e --argjson sent "$sent" --argjson id "$check" '.data[] | select(.id == $id) as $shown
		| $sent | all(to_entries[]; .value == $shown[.key])' "$answer" >/dev/null
	# What was read may be sent back, and changes nothing.
	api GET "$list/$check"
	etag=$(header ETag)
	api PUT "$list/$check" -H 'Content-Type: application/json' -d "$(jq -c .data "$answer")"
	want 200
	[ "$(header ETag)" = "$etag" ]
	# Empty values clear.
	api PUT "$list/$check" -d type=external -d url= -d 'request_headers=' -d request_body= -d expected_statuses= -d slow_ms= \
		-d depends_on_id= -d alert_text_lookup= -d dns_server= -d period=
	want 200 '.data.type == "external"' '.data.request_headers == []' '.data.request_body == null' '.data.slow_ms == null' \
		'.data.depends_on_id == null' '.data.expected_statuses == null' '.data.period == null' '.data.json_value == "2.5"'
}

@test "a new monitor has the defaults, and is not checked" {
	new_check
	want 201 '.data.type == "external"' '.data.interval == 60' '.data.timeout == 10' '.data.confirmations == 2' \
		'.data.recoveries == 1' '.data.follow_redirects' '.data.verify_tls' '.data.request_method == "GET"' \
		'.data.expected_statuses == null' '.data.ssl_alert_days == 14' '.data.heartbeat_url == null' '.data.grace == 60'
	[ "$(sql "SELECT COUNT(*) FROM monitor_checks WHERE monitor_id = $check")" = 0 ]
}

@test "a setting that is not allowed is named, and nothing is changed" {
	new_check -d type=http -d url=https://a.example.org/
	api GET "$list/$check"
	etag=$(header ETag)
	for pair in type=ftp interval=0 interval=86401 interval= timeout=0 timeout=61 confirmations=11 recoveries=0 slow_ms=60001 \
		slow_ms=-1 depends_on_id=999999999 "depends_on_id=$check" request_method=get 'request_headers=x' cache_buster=2 \
		expected_statuses=2xx follow_redirects=maybe verify_tls= alert_condition=text json_operator=le \
		dns_type=ANY dns_server=ns.example.org ssl_alert_days=5 ssl_alert_days=90 domain_alert_days=x issuer_alert=x period=-1 grace=-1 \
		heartbeat_url=x has_request_auth_password=1 maintenance_start_at=soon; do
		api PUT "$list/$check" -d "$pair" -d name=Changed
		want_fault "${pair%%=*}"
	done
	# Whatever else is wrong, of a new monitor and of this one.
	api PUT "$list/$check" -d name= -d depends_on_id=999999999 -d expected_statuses=2xx
	want 422 '(.errors | keys) == ["depends_on_id", "expected_statuses", "name"]' '.codes.depends_on_id == ["unknown"]'
	api POST "$list" -d name= -d type=http -d url=https://a.example.org/ -d depends_on_id=999999999
	want 422 '(.errors | keys) == ["depends_on_id", "name"]'
	api POST "$list" -d name= -d type=http -d url=https://a.example.org/ -d "depends_on_id=$check"
	want 422 '(.errors | keys) == ["name"]'
	for pair in url= url=a.example.org type=tcp type=ping type=dns type=tls; do
		api PUT "$list/$check" -d "$pair"
		want_fault url
	done
	api PUT "$list/$check" -d type=heartbeat
	want_fault period
	api PUT "$list/$check" -d alert_condition=url_no_text
	want_fault alert_text_lookup
	api PUT "$list/$check" -d alert_condition=json
	want 422 '.errors | keys == ["json_path", "json_value"]'
	for header in Host Content-Length transfer-encoding 'X Y' 'X:'; do
		api PUT "$list/$check" --data-urlencode "request_headers[3][key]=$header" -d 'request_headers[3][value]=1'
		want_fault request_headers.0.key
	done
	api PUT "$list/$check" -d 'request_headers[0][key]=X-Test' --data-urlencode $'request_headers[0][value]=a\r\nHost: b'
	want_fault request_headers.0.value
	api PUT "$list/$check" -d 'request_headers[0][key]=X-Test'
	want_fault request_headers.0.value
	api PUT "$list/$check" --data-urlencode "request_body=$(printf 'x%.0s' $(seq 16385))"
	want_fault request_body
	api GET "$list/$check"
	want 200 '.data.name != "Changed"'
	[ "$(header ETag)" = "$etag" ]
}

@test "a password and secret headers are never shown, and stay until they are replaced" {
	new_check -d type=http -d url=https://a.example.org/ -d request_auth_username=u -d request_auth_password=sesame-pass \
		-d 'request_headers[0][key]=X-Api-Key' -d 'request_headers[0][value]=sesame-header' -d interval=77
	want 201 '.data.has_request_auth_password' '.data.request_headers == [{key: "X-Api-Key", value: null}]' \
		'.data | has("request_auth_password") | not'
	api PUT "$list/$check" -H 'Content-Type: application/json' -d "$(jq -c '.data | .name = "New"' "$answer")"
	want 200 '.data.has_request_auth_password' '.data.request_headers == [{key: "X-Api-Key", value: null}]'
	before=$(sql "SELECT request_headers, request_auth_password FROM monitor_checks WHERE monitor_id = $check")
	api PUT "$list/$check" -d 'request_headers[0][key]=x-api-KEY' -d 'request_headers[0][value]=' -d request_auth_username=v
	want 200
	[ "$(sql "SELECT request_headers, request_auth_password FROM monitor_checks WHERE monitor_id = $check")" = "${before/X-Api-Key/x-api-KEY}" ]
	"$ctl" monitor list --account "$account" --json >"$BATS_TEST_TMPDIR/list"
	"$ctl" export --account "$account" >"$BATS_TEST_TMPDIR/export" 2>"$BATS_TEST_TMPDIR/warnings"
	grep -q 'the request_auth_password of the monitor New' "$BATS_TEST_TMPDIR/warnings"
	grep -q 'the header x-api-KEY of the monitor New' "$BATS_TEST_TMPDIR/warnings"
	api GET "/api/v1/events?per_page=100"
	cp "$answer" "$BATS_TEST_TMPDIR/events"
	mariadb-dump --no-defaults -uroot -S "$dir/run/mysql.sock" daymark >"$BATS_TEST_TMPDIR/dump"
	grep -q "$check,.*77" "$BATS_TEST_TMPDIR/dump"
	run grep -rl sesame- "$BATS_TEST_TMPDIR/list" "$BATS_TEST_TMPDIR/export" "$BATS_TEST_TMPDIR/events" "$BATS_TEST_TMPDIR/dump" "$log"
	[ "$status" = 1 ]
	api PUT "$list/$check" -d request_auth_password= -d 'request_headers[]='
	want 200 '.data.has_request_auth_password == false' '.data.request_headers == []'
	api PUT "$list/$check" -d 'request_headers[0][key]=Cookie' -d 'request_headers[0][value]='
	want_fault request_headers.0.value
}

@test "another account's monitor is no dependency, and a circle is refused" {
	new_check
	first=$check
	new_check -d "depends_on_id=$first"
	want 201 ".data.depends_on_id == $first"
	api PUT "$list/$first" -d "depends_on_id=$check"
	want_fault depends_on_id
	other POST "$list" -d 'name=Theirs'
	want 201
	theirs=$(jq .data.id "$answer")
	api PUT "$list/$first" -d "depends_on_id=$theirs"
	want_fault depends_on_id
	api POST "$list" -d name=New -d "depends_on_id=$theirs"
	want_fault depends_on_id
	api DELETE "$list/$first"
	want 200
	api GET "$list/$check"
	want 200 '.data.depends_on_id == null'
	other DELETE "$list/$theirs"
}

@test "both times add a maintenance window" {
	new_check
	api PUT "$list/$check" -d maintenance_start_at=2999-01-01T00:00:00Z -d maintenance_end_at=2999-01-01T01:00:00Z
	want_fault maintenance_start_at
	start=$(date -u -d '+1 hour' +%FT%TZ) end=$(date -u -d '+2 hours' +%FT%TZ)
	api PUT "$list/$check" -d "maintenance_start_at=$start"
	want_fault maintenance_end_at
	api PUT "$list/$check" -d "maintenance_end_at=$end"
	want_fault maintenance_start_at
	api PUT "$list/$check" -d "maintenance_end_at=$start" -d "maintenance_start_at=$end"
	want_fault maintenance_end_at
	api PUT "$list/$check" -d "maintenance_start_at=$start" -d "maintenance_end_at=$end"
	want 200
	api GET "/api/v1/maintenances?monitor_id=$check"
	want 200 '.data | length == 1' ".data[0].monitor_ids == [$check]" ".data[0].next_starts_at == \"$start\"" \
		".data[0].ends_at == \"$end\""
}

@test "a heartbeat has an address that stays" {
	new_check -d type=heartbeat -d period=3600
	want 201 ".data.heartbeat_url | test(\"^$base/hb/$check-[A-Za-z0-9_-]{22}$\")"
	url=$(jq -r .data.heartbeat_url "$answer")
	api PUT "$list/$check" -H 'Content-Type: application/json' -d "$(jq -c '.data | .grace = 5' "$answer")"
	want 200 ".data.heartbeat_url == \"$url\"" '.data.grace == 5'
	api PUT "$list/$check" -d "heartbeat_url=${url}x"
	want_fault heartbeat_url
	"$ctl" monitor list --account "$account" --json | jq -e --argjson id "$check" --arg url "${url#"$base"}" \
		'.[] | select(.id == $id) | .heartbeat_url | endswith($url)'
}

@test "daymarkctl sets, exports and applies the settings" {
	name="Checks $(new_slug)"
	"$ctl" account add "$name" >/dev/null
	id=$("$ctl" monitor add Web https://a.example.org/ --account "$name" --type http --interval 90s --timeout 5s \
		--no-follow-redirects --request-headers '[{"key": "X-Token", "value": "sesame-1"}, {"key": "Accept", "value": "a/b"}]' \
		--expected-statuses 200,401 --request-auth-password sesame-2 --json | tee "$BATS_TEST_TMPDIR/added" | jq .id)
	jq -e '.type == "http" and .interval == 90 and .timeout == 5 and (.follow_redirects | not)
		and .request_headers == [{key: "X-Token", value: null}, {key: "Accept", value: "a/b"}]' "$BATS_TEST_TMPDIR/added"
	"$ctl" monitor set "$id" --follow-redirects --slow-ms 700
	"$ctl" monitor add Cron --account "$name" --type heartbeat --period 1h --json | jq -e '.heartbeat_url | contains("/hb/")'
	# A long option has its own line in the help, from which the man page is made.
	"$ctl" monitor set --help | grep -A1 -x '  --request-auth-username TEXT' | grep -q '^                         http: the user'
	run "$ctl" monitor set "$id" --interval 60
	[ "$status" = 2 ]
	[[ "$output" == *'such as 30s'* ]]
	run "$ctl" monitor set "$id" --type ping
	[ "$status" != 0 ]
	[[ "$output" == *'host name or an address'* ]]
	"$ctl" monitor set "$id" --depends-on-id "$("$ctl" monitor list --account "$name" --json | jq '.[] | select(.name == "Cron").id')"
	"$ctl" export --account "$name" >"$BATS_TEST_TMPDIR/file" 2>/dev/null
	jq -e '.monitors == [{name: "Web", url: "https://a.example.org/", type: "http", interval: 90, timeout: 5, slow_ms: 700,
		request_headers: [{key: "X-Token", value: null}, {key: "Accept", value: "a/b"}], expected_statuses: "200,401", depends_on: "Cron"},
		{name: "Cron", type: "heartbeat", period: 3600}]' "$BATS_TEST_TMPDIR/file"
	[ "$("$ctl" apply "$BATS_TEST_TMPDIR/file" --account "$name")" = 'Nothing to change.' ]
	# New secrets are a change, whose values nobody sees; the same secrets are none.
	jq '.monitors[0] |= (.request_headers[0].value = "sesame-3" | .request_auth_password = "sesame-4")' \
		"$BATS_TEST_TMPDIR/file" >"$BATS_TEST_TMPDIR/new"
	run "$ctl" apply "$BATS_TEST_TMPDIR/new" --account "$name"
	[ "$status" = 0 ]
	grep -qx '    request_auth_password' <<<"$output"
	grep -q '^    request_headers' <<<"$output"
	[[ "$output" != *sesame* ]]
	[ "$("$ctl" apply "$BATS_TEST_TMPDIR/new" --account "$name")" = 'Nothing to change.' ]
	# In another account the secret is missing, and is asked for.
	"$ctl" account add "$name 2" >/dev/null
	run "$ctl" apply "$BATS_TEST_TMPDIR/file" --account "$name 2"
	[ "$status" = 2 ]
	[[ "$output" == *'monitors[0].request_headers.0.value'* ]]
	"$ctl" apply "$BATS_TEST_TMPDIR/new" --account "$name 2" | grep -qx '2 added, 0 changed, 0 removed.'
	[ "$("$ctl" export --account "$name 2" 2>/dev/null | jq -c .monitors)" = "$(jq -c .monitors "$BATS_TEST_TMPDIR/file")" ]
	jq '.monitors[0].type = "tcp"' "$BATS_TEST_TMPDIR/file" >"$BATS_TEST_TMPDIR/wrong"
	run "$ctl" apply "$BATS_TEST_TMPDIR/wrong" --account "$name"
	[ "$status" = 2 ]
	[[ "$output" == *'monitors[0].url'* ]]
}
