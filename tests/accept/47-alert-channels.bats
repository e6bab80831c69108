# Alert channels: as clients see them, what services receive (strict imitations: tests/lib/channel-server), and what follows
# from their responses.
load lib

list=/api/v1/alert-channels

setup_file() {
	own_unlimited_service_start <<<$'[notify]\nenabled = yes'
	mkdir -p "$BATS_FILE_TMPDIR/services"
	tail -f /dev/null 3>&- | "$TOP/tests/lib/channel-server" "$BATS_FILE_TMPDIR/services" \
		>"$BATS_FILE_TMPDIR/services/port" 3>&- &
	pgrep -nx tail >"$BATS_FILE_TMPDIR/services/tail"
	with_service wait_until 20 test -s "$BATS_FILE_TMPDIR/services/port"
	setup
	hook first
	api GET /api/v1/account
	want 200 '.data.webhook_public_key | startswith("whpk_")'
	jq -r .data.webhook_public_key "$answer" >"$BATS_FILE_TMPDIR/services/public-key"
	teardown
}

teardown_file() {
	kill "$(cat "$BATS_FILE_TMPDIR/services/tail")" || true
	own_service_stop
}

setup() {
	own_service
	services=$BATS_FILE_TMPDIR/services
	: >"$services/received"
	at=http://127.0.0.1:$(cat "$services/port")
	whsec=whsec_$(printf %s 'a secret of 32 bytes, for tests.' | base64)
	token=123456789:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
	routing=0123456789abcdef0123456789abcdef
	template='{"title": "{{title}}", "text": "{{ text }}", "event": "{{event}}", "systems": "{{systems}}", "dependents": "{{dependents}}",
		"cause": "{{cause}}", "url": "{{url}}", "at": "{{at}}", "id": "{{id}}", "rest": "{{other}}"}'
}

teardown() {
	sql 'DELETE FROM alert_channels; DELETE FROM outbox'
}

# channel NAME TYPE [CURL ARGUMENT]...: creates a channel; sets $channel.
channel() {
	api POST "$list" --data-urlencode "name=$1" -d "type=$2" "${@:3}"
	[ "$status" = 201 ] || show
	channel=$(jq .data.id "$answer")
}

hook() {
	channel "$1" webhook -d "value[url]=$at/webhook/$1" --data-urlencode "value[secret]=$whsec" -d takes_all_monitors=1 "${@:2}"
}

# all_types [CURL ARGUMENT]...: creates a channel of each type, for all monitors.
all_types() {
	local type
	for type in slack teams discord mattermost; do
		channel "$type" "$type" -d "value[url]=$at/$type/$type" -d takes_all_monitors=1
	done
	channel google_chat google_chat --data-urlencode "value[url]=$at/google_chat/google_chat?key=K&token=T" -d takes_all_monitors=1
	channel telegram telegram -d "value[token]=$token" -d 'value[chat_id]=-100123' -d "value[server]=$at/telegram/telegram/" \
		-d takes_all_monitors=1
	channel ntfy ntfy -d 'value[topic]=alerts' -d "value[server]=$at/ntfy/ntfy" -d 'value[token]=tk_good' -d takes_all_monitors=1
	channel pagerduty pagerduty -d "value[routing_key]=$routing" -d "value[server]=$at/pagerduty/pagerduty" -d takes_all_monitors=1
	channel custom custom -d "value[url]=$at/custom/custom" --data-urlencode "value[body]=$template" -d takes_all_monitors=1
	hook webhook
}

# plan NAME LINE...: what the receiver does with the next requests.
plan() {
	printf '%s\n' "${@:2}" >"$services/plan-$1"
}

# got NAME: the JSON lines of what a receiver got.
got() {
	grep -a "\"name\": \"$1\"" "$services/received" || true
}

has_got() {
	[ "$(got "$1" | wc -l)" -ge "$2" ]
}

# deliveries STATE...: the states of all deliveries in their order.
are() {
	says "SELECT GROUP_CONCAT(ELT(state + 1, 'queued', 'sent', 'failed', 'suspended', 'withdrawn') ORDER BY id SEPARATOR ' ') FROM deliveries" "$*"
}

idle() {
	says 'SELECT (SELECT COUNT(*) FROM outbox WHERE is_expanded = 0) + (SELECT COUNT(*) FROM deliveries WHERE state = 0)' 0
}

# Each request was accepted.
none_refused() {
	refute grep -aE '"status": ([013-9]|2[^0])' "$services/received"
}

down() {
	incident=$("$ctl" incident open --monitor "$monitor" --cause "${1:-Timeout}" --json | jq .id)
}

up() {
	"$ctl" incident resolve --monitor "$monitor"
}

@test "channels of all types are created, shown, listed and deleted, without their secrets" {
	all_types
	api GET "$list?per_page=100"
	want 200 '.data | length == 10' '[.data[].value | .url, .token, .routing_key, .secret] | all(. == null)' \
		'.data[0].type == "webhook"' '.data[0].address == "127.0.0.1"' '.data[] | select(.type == "ntfy").value.topic == "alerts"' \
		'.data[] | select(.type == "telegram").value.chat_id == "-100123"'
	[ "$(queries)" -le 6 ]
	count=$(queries)
	api GET "$list?per_page=10&type=slack&search=sla&sort_by=name&sort=asc"
	want 200 '.meta.total == 1' '.data[0].name == "slack"'
	want_queries "$count"
	api GET "$list/$channel"
	want 200 '.data.name == "webhook"' '.data.is_enabled' '.data.events == null' '.data.delay == 0' '.data.suspended_at == null'
	want_queries_at_most 5
	other GET "$list"
	want 200 '.data == []'
	for method in GET PUT DELETE; do
		other "$method" "$list/$channel"
		want 404
	done
	other POST "$list/$channel/test"
	want 404
	# A member as JSON: a number is a chat's id, too.
	api POST "$list" -H 'Content-Type: application/json' \
		-d "{\"name\": \"n\", \"type\": \"telegram\", \"value\": {\"token\": \"$token\", \"chat_id\": -7}}"
	want 201 '.data.value.chat_id == "-7"' '.data.address == "-7"'
	api DELETE "$list/$channel"
	want 200 '.object == "alert_channel"' '.deleted'
	api DELETE "$list/$channel"
	want 404
	api GET '/api/v1/events?object=alert_channel&per_page=25'
	want 200 '.data[0].kind == "alert_channel.deleted"' '[.data[].kind] | index("alert_channel.created") != null'
	cp "$answer" "$BATS_TEST_TMPDIR/events"
	mariadb-dump --no-defaults -uroot -S "$dir/run/mysql.sock" daymark >"$BATS_TEST_TMPDIR/dump"
	for secret in "$token" "$routing" "$whsec" tk_good 'token=T' "$at/slack"; do
		refute grep -aF -- "$secret" "$BATS_TEST_TMPDIR/dump" "$BATS_TEST_TMPDIR/events" "$log"
	done
}

@test "what was read may be sent back, and keeps the secrets" {
	channel t telegram -d "value[token]=$token" -d 'value[chat_id]=-1' -d "value[server]=$at/telegram/t"
	api GET "$list/$channel"
	jq -c .data "$answer" >"$BATS_TEST_TMPDIR/read"
	api PUT "$list/$channel" -H 'Content-Type: application/json' -d @"$BATS_TEST_TMPDIR/read"
	want 200 '.data.value.token == null'
	api POST "$list/$channel/test"
	want 200 '.data.is_accepted' '.data.status == 200'
	# Whoever may not see the token cannot send it elsewhere.
	api PUT "$list/$channel" -d "value[server]=$at/telegram/thief" -d 'value[chat_id]=-1'
	want_fault value.token
	api PUT "$list/$channel" -d type=slack
	want 422 '.errors | has("value.url")'
	api PUT "$list/$channel" -d type=slack -d "value[url]=$at/slack/t"
	want 200 '.data.type == "slack"' '.data.value.chat_id == null' '.data.address == "127.0.0.1"'
	etag=$(header ETag)
	api PUT "$list/$channel" -d name=other -H 'If-Match: "x"'
	want 412
	api POST "$list/$channel" -d _method=PATCH -d name=other -H "If-Match: $etag"
	want 200 '.data.name == "other"'
	reader=$("$ctl" key create --account "$account" --read-only --json | jq -r .key)
	call "$reader" GET "$list/$channel"
	want 200
	for path in "POST $list" "PUT $list/$channel" "DELETE $list/$channel" "POST $list/$channel/test"; do
		# shellcheck disable=SC2086
		call "$reader" $path -d name=x -d type=slack -d "value[url]=$at/slack/x"
		want 403
	done
	for turn in 1 2; do
		api POST "$list" -d name=once -d type=slack -d "value[url]=$at/slack/x" -H "Idempotency-Key: alert-channel-once"
		want 201
	done
	says "SELECT COUNT(*) FROM alert_channels WHERE name = 'once'" 1
}

@test "a value that is not allowed is named" {
	channel ok slack -d "value[url]=$at/slack/x"
	for pair in name= type=fax delay=-1 delay=86401 reminder=299 quiet_from=24:00 quiet_until=7:00 time_zone=Mars/One \
		events=up,sideways is_enabled=2 id=7 suspended_at=2026-01-01T00:00:00Z address=x; do
		api PUT "$list/$channel" -d "$pair"
		want_fault "${pair%%=*}"
	done
	api PUT "$list/$channel" -d quiet_from=22:00
	want_fault quiet_until
	for url in ftp://x.example.org/ nothing http://user:pw@x.example.org/ "https://x.example.org/$(printf '%2050s' x | tr ' ' x)"; do
		api PUT "$list/$channel" --data-urlencode "value[url]=$url"
		want 422
	done
	api POST "$list" -d name=x -d type=ntfy -d 'value[topic]=t' --data-urlencode $'value[token]=a\r\nX-Other: b'
	want_fault value.token
	for secret in nothing whsec_ whsec_QQ== "whsec_$(head -c 100 /dev/zero | base64 -w0)"; do
		api POST "$list" -d name=x -d type=webhook -d "value[url]=$at/webhook/x" --data-urlencode "value[secret]=$secret"
		want_fault value.secret
	done
	for type in webhook slack teams discord mattermost google_chat custom; do
		api POST "$list" -d name=x -d "type=$type" -d 'value[topic]=t'
		want 422 '.errors | has("value.url") and has("value.topic")'
	done
	for i in $(seq 99); do printf "INSERT INTO alert_channels SELECT NULL, account_id, 'n', type, address, sealed_value, 1, 0, NULL,
		0, 0, NULL, NULL, NULL, NULL, NULL, created_at, updated_at FROM alert_channels WHERE id = %s;" "$channel"; done >"$BATS_TEST_TMPDIR/sql"
	sql "$(cat "$BATS_TEST_TMPDIR/sql")"
	api POST "$list" -d name=x -d type=slack -d "value[url]=$at/slack/x"
	want 422 '.errors | has("alert_channels")'
}

@test "each service accepts all messages, whatever their texts contain" {
	all_types
	evil='<!everyone> & "quotes" \ @everyone @channel <users/all> 🧨 שלום'
	add_monitor "$evil" https://example.org/ --since now
	new_page -F "monitor_ids[]=$monitor"
	down "$evil $(printf '\001')"
	api PUT "/api/v1/incidents/$incident" -d acknowledged_at=1
	want 200
	up
	python3 -c "import sys; print((sys.argv[1] * 40 + '🧨' * 4000 + '\x01\"<' * 2000)[:10000], end='')" "$evil" >"$BATS_TEST_TMPDIR/long"
	api POST /api/v1/incidents --data-urlencode "title=$evil" -d "monitor_ids[]=$monitor" --data-urlencode "body@$BATS_TEST_TMPDIR/long"
	want 201
	reported=$(jq .data.id "$answer")
	api POST "/api/v1/incidents/$reported/updates" -d phase=resolved --data-urlencode "body=$evil"
	want 201
	start=$(date -u -d '+1 hour' +%FT%TZ) end=$(date -u -d '+2 hours' +%FT%TZ)
	api POST /api/v1/maintenances --data-urlencode "title=$evil" -d "monitor_ids[]=$monitor" -d "starts_at=$start" -d "ends_at=$end"
	want 201
	window=$(jq .data.id "$answer")
	sql "INSERT INTO outbox (at, due_at, account_id, kind, object_id, payload) SELECT UTC_TIMESTAMP(), UTC_TIMESTAMP(), account_id, k,
		$monitor, REPLACE(REPLACE(payload, '\"occurrence\"', '\"was\"'), '\"monitors\"', '\"monitor\": {\"id\": $monitor, \"name\": \"M\"}, \"were\"')
		FROM outbox, (SELECT 'monitor.certificate_expiring' k UNION SELECT 'monitor.domain_expiring') kinds WHERE object_id = $window AND kind = 'maintenance.scheduled'"
	for kind in started completed cancelled reminder; do
		# Without locks on the rows that the sender changes.
		sql "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED; INSERT INTO outbox (at, due_at, account_id, kind, object_id, payload) SELECT UTC_TIMESTAMP(), UTC_TIMESTAMP(), account_id,
			'maintenance.$kind', object_id, payload FROM outbox WHERE object_id = $window AND kind = 'maintenance.scheduled' LIMIT 1"
	done
	while read -r id; do
		api POST "$list/$id/test"
		want 200 '.data.is_accepted' '.data.status >= 200 and .data.status < 300'
	done < <(sql 'SELECT id FROM alert_channels')
	soon idle
	none_refused >"$BATS_TEST_TMPDIR/refused" || { cut -c1-300 "$BATS_TEST_TMPDIR/refused"; false; }
	for type in slack teams discord mattermost google_chat telegram ntfy pagerduty custom webhook; do
		# down, acknowledged, up, reported, resolved by an update, 5 of maintenance, 2 of the monitor, and the test
		[ "$(got "$type" | wc -l)" = 13 ] || { echo "$type"; got "$type" | cut -c1-20; sql 'SELECT kind, COUNT(*) FROM deliveries GROUP BY 1'; false; }
	done
	says 'SELECT COUNT(*) FROM deliveries WHERE state <> 1' 0
	[ "$(got webhook | jq -r '.headers["webhook-id"]' | sort | uniq -d)" = '' ]
	[ "$(got pagerduty | jq -r 'select(.body.dedup_key | startswith("daymark-incident-'"$incident"'")) .body.event_action' | xargs)" = 'trigger acknowledge resolve' ]
	[ "$(got webhook | jq -r --argjson id "$reported" 'select(.body.data.incident.id == $id).body.type' | xargs)" = 'incident.reported incident.resolved' ]
	got custom | jq -s -e --arg text "$evil" 'map(select(.body.event == "incident.resolved" and .body.text == $text)) | length == 1'
	got slack | jq -e 'select(.body.text | contains("&lt;!everyone&gt; &amp; \"quotes\" \\ @everyone")) | .status == 200'
	got custom | jq -e 'select(.body.event == "incident.opened") | .body.cause | contains("\"quotes\" \\ @everyone")'
	# Each message of an incident leads to its page.
	url=$base/s/$slug/incidents/$incident
	got webhook | jq -s -e --arg url "$url" '[.[].body.data | select(.incident.id == '"$incident"') | .url == $url and .incident.url == $url and .page_address == null] | length == 3 and all'
	got custom | jq -s -e --arg url "$url" '[.[] | select(.body.url == $url)] | length == 3'
	got ntfy | jq -s -e --arg url "$url" '[.[] | select(.body.click == $url)] | length == 3'
	got pagerduty | jq -s -e --arg url "$url" '[.[] | select(.body.links[0].href == $url)] | length == 3'
	# The log has no address of a hook.
	refute grep -aE "$token|/slack/slack|tk_good" "$log"
}

@test "the response decides: final, tried again, or the channel is suspended" {
	new_monitor
	for name in final again refused redirected text; do
		hook "$name" -d events=down
	done
	channel slack slack -d "value[url]=$at/slack/slack" -d takes_all_monitors=1 -d events=down
	plan final '{"status": 400, "body": "bad\u0000 thing"}'
	plan again '{"status": 503, "headers": {"Retry-After": {"in": 3600}}}'
	plan refused '{"status": 404, "body": "no /webhook/refused here; '"$whsec"'"}'
	plan redirected '{"status": 307, "headers": {"Location": "/webhook/other"}}'
	plan text '{"do": "reset"}' '{"do": "reset"}'
	plan slack '{"status": 200, "body": "invalid_payload"}'
	down
	for name in final again refused redirected text slack; do
		soon has_got "$name" 1
	done
	soon says 'SELECT COUNT(*) FROM deliveries WHERE response IS NOT NULL' 6
	are failed queued suspended failed queued failed || { "$ctl" delivery list; false; }
	says "SELECT TIMESTAMPDIFF(SECOND, tried_at, due_at) BETWEEN 3590 AND 3605 FROM deliveries WHERE status = 503" 1
	says "SELECT TIMESTAMPDIFF(SECOND, tried_at, due_at) BETWEEN 1 AND 20 FROM deliveries WHERE status = 0" 1
	[ -z "$(got other)$(got visited)" ]
	api GET '/api/v1/deliveries?state=suspended'
	want 200 '.meta.total == 1' '.data[0].status == 404' '.data[0].due_at == null' '.data[0].channel_name == "refused"' \
		'.data[0].response | startswith("no ****************")' '.data[0].response | contains("whsec") | not'
	refused=$(jq .data[0].channel_id "$answer")
	api GET "$list/$refused"
	want 200 '.data.suspended_at != null' '.data.suspension | startswith("no *")'
	api GET "/api/v1/events?object=alert_channel&object_id=$refused"
	want 200 '.data[0].kind == "alert_channel.suspended"' '.data[0].actor.type == "system"'
	refute grep -aF "$whsec" "$log"
	# A change ends the suspension: what waits is sent.
	api PUT "$list/$refused" -d name=refused
	want 200 '.data.suspended_at == null'
	soon has_got refused 2
	soon says "SELECT state FROM deliveries WHERE channel_id = $refused" 1
	api GET '/api/v1/deliveries?state=failed&sort=asc'
	id=$(jq .data[0].id "$answer")
	other POST "/api/v1/deliveries/$id/retry"
	want 404
	api POST "/api/v1/deliveries/$id/retry"
	want 202
	soon says "SELECT state FROM deliveries WHERE id = $id" 1
	got final | jq -s -e '.[0].headers["webhook-id"] == .[1].headers["webhook-id"]'
}

@test "a new secret signs beside the former one for a day" {
	hook rotated
	other=whsec_$(printf %s 'another one of 32 bytes for tests' | head -c 32 | base64)
	api PUT "$list/$channel" -d "value[url]=$at/webhook/rotated" --data-urlencode "value[secret]=$other"
	want 200 '.data.value | has("former_secret") or has("rotated_at") | not' '.data.value.secret == null'
	# The imitation knows the former secret alone, and verifies v1a.
	api POST "$list/$channel/test"
	want 200 '.data.is_accepted'
	[ "$(got rotated | jq -r '.headers["webhook-signature"]' | sed 's/,[^ ]*//g')" = 'v1 v1 v1a' ]
	# A value with the secret of before is no change.
	api PUT "$list/$channel" -d "value[url]=$at/webhook/rotated" --data-urlencode "value[secret]=$other"
	api POST "$list/$channel/test"
	want 200 '.data.is_accepted'
	# No request sets what the service alone knows.
	api PUT "$list/$channel" -d 'value[former_secret]=x' -d 'value[rotated_at]=x'
	api POST "$list/$channel/test"
	want 200 '.data.is_accepted'
	mariadb-dump --no-defaults -uroot -S "$dir/run/mysql.sock" daymark >"$BATS_TEST_TMPDIR/dump"
	for secret in "$whsec" "$other"; do
		refute grep -aF -- "$secret" "$BATS_TEST_TMPDIR/dump" "$log"
	done
}

@test "the key that verifies webhooks is told while messages are sent" {
	channel bare webhook -d "value[url]=$at/webhook/bare"
	api POST "$list/$channel/test"
	# Without a secret the installation signs alone.
	[ "$(got bare | jq -r '.headers["webhook-signature"]' | sed 's/,[^ ]*//g')" = v1a ]
	# The receiver notices another key.
	cp "$services/public-key" "$BATS_TEST_TMPDIR/public-key"
	hook keyed
	echo whpk_11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo= >"$services/public-key"
	api POST "$list/$channel/test"
	cp "$BATS_TEST_TMPDIR/public-key" "$services/public-key"
	want 200 '.data.response | contains("InvalidSignature")'
	api POST "$list/$channel/test"
	want 200 '.data.is_accepted'
	pages=$dir/pages
	mv "$pages" "$pages.away"
	api GET /api/v1/account
	want 200 '.data.webhook_public_key == null'
	[ ! -e "$pages" ] || rm -rf "$pages"
	mv "$pages.away" "$pages"
	api GET /api/v1/account
	want 200 ".data.webhook_public_key == \"$(cat "$services/public-key")\""
}

@test "a message waits while the pages folder with the key is away" {
	new_monitor
	hook away -d events=down
	pids=$(pgrep -P "$parent" -x daymark-sender)
	kill -STOP "$pids"
	down
	pages=$dir/pages
	mv "$pages" "$pages.away"
	kill -CONT "$pids"
	soon says "SELECT COUNT(*) FROM deliveries WHERE response LIKE 'the key %'" 1
	are queued
	# The service may make the folder again at any moment.
	back() { rm -rf "$pages" && mv -T "$pages.away" "$pages"; }
	soon back
	sql 'UPDATE deliveries SET due_at = UTC_TIMESTAMP()'
	soon has_got away 1
	soon are sent
}

@test "each way to say when to come back is heard" {
	new_monitor
	hook seconds -d events=down
	channel discord discord -d "value[url]=$at/discord/discord" -d takes_all_monitors=1 -d events=down
	channel telegram telegram -d "value[token]=$token" -d 'value[chat_id]=-1' -d "value[server]=$at/telegram/telegram" -d takes_all_monitors=1 -d events=down
	channel moved telegram -d "value[token]=$token" -d 'value[chat_id]=-1' -d "value[server]=$at/telegram/moved" -d takes_all_monitors=1 -d events=down
	plan seconds '{"status": 429, "headers": {"Retry-After": "600"}}'
	plan discord '{"status": 429, "body": "{\"message\": \"You are being rate limited.\", \"retry_after\": 899.5}"}'
	plan telegram '{"status": 429, "body": "{\"ok\": false, \"error_code\": 429, \"parameters\": {\"retry_after\": 1200}}"}'
	plan moved '{"status": 400, "body": "{\"ok\": false, \"error_code\": 400, \"parameters\": {\"migrate_to_chat_id\": -1001}}"}'
	down
	soon says 'SELECT COUNT(*) FROM deliveries WHERE response IS NOT NULL' 4
	are queued queued queued sent
	says 'SELECT GROUP_CONCAT(ROUND(TIMESTAMPDIFF(SECOND, tried_at, due_at), -1) ORDER BY id) FROM deliveries WHERE state = 0' 600,900,1200
	[ "$(got moved | jq -r .body.chat_id | xargs)" = '-1 -1001' ]
	# Nothing is lost, and "up" stays behind "down".
	sql "UPDATE alert_channels SET events = NULL"
	up
	soon says "SELECT COUNT(*) FROM deliveries WHERE event = 1" 4
	[ "$(got seconds | wc -l)" = 1 ]
	sql 'UPDATE deliveries SET due_at = UTC_TIMESTAMP() WHERE state = 0'
	soon idle
	[ "$(got seconds | jq -r .body.type | xargs)" = 'incident.opened incident.opened incident.resolved' ]
	are sent sent sent sent sent sent sent sent
}

@test "fifty receivers that hang delay neither another account nor the writer" {
	new_monitor
	hook tarpit
	plan tarpit '{"do": "silence", "always": true}'
	# shellcheck disable=SC2034
	for i in $(seq 49); do printf "INSERT INTO alert_channels SELECT NULL, account_id, 'tarpit$i', type, address, sealed_value, 1, 1, NULL,
		0, 0, NULL, NULL, NULL, NULL, NULL, created_at, updated_at FROM alert_channels WHERE id = %s;" "$channel"; done >"$BATS_TEST_TMPDIR/sql"
	sql "$(cat "$BATS_TEST_TMPDIR/sql")"
	other POST /api/v1/monitors -d name=theirs
	theirs=$(jq .data.id "$answer")
	other POST "$list" -d name=theirs -d type=slack -d "value[url]=$at/slack/theirs" -d takes_all_monitors=1
	want 201
	began=${EPOCHREALTIME/[^0-9]/}
	down
	soon has_got tarpit 4
	"$ctl" incident open --monitor "$theirs" --cause c
	soon has_got theirs 1
	api GET "$list"
	want 200
	[ $((${EPOCHREALTIME/[^0-9]/} - began)) -lt 8000000 ]
	# They have a quarter of the lanes, and are not given up so soon.
	[ "$(got tarpit | wc -l)" = 4 ]
	says 'SELECT COUNT(*) FROM deliveries WHERE state = 0 AND tries = 0' 46
	first=$(sql "SELECT id FROM deliveries WHERE channel_id = $channel")
	# A process that sends ends at once, and its messages are sent by the next one.
	sql "DELETE FROM alert_channels WHERE name LIKE 'tarpit%' AND id <> $channel"
	"$ctl" incident resolve --monitor "$theirs"
	: >"$services/plan-tarpit"
	sender=$(pgrep -P "$parent" -x daymark-sender)
	kill "$sender"
	soon has_ended "$sender"
	sql 'UPDATE deliveries SET due_at = UTC_TIMESTAMP() WHERE state = 0'
	soon has_got tarpit 5
	got tarpit | jq -s -e '.[4].headers["webhook-id"] == "delivery-'"$first"'"'
}

@test "a response without end counts by its status" {
	new_monitor
	hook huge -d events=down
	plan huge '{"do": "huge"}'
	down
	soon has_got huge 1
	soon are sent
}

@test "an update that was withdrawn while its message waited is not sent" {
	new_monitor
	# Quiet from a minute ago on.
	hook quiet -d "quiet_from=$(date -u +%H:%M -d '-1 minute')" -d "quiet_until=$(date -u +%H:%M -d '-2 minutes')"
	api POST /api/v1/incidents -d title=Slow -d "monitor_ids[]=$monitor"
	want 201
	reported=$(jq .data.id "$answer")
	api POST /api/v1/maintenances -d title=Move -d "monitor_ids[]=$monitor" -d "starts_at=$(date -u +%FT%TZ -d '+1 day')" -d "ends_at=$(date -u +%FT%TZ -d '+2 days')"
	want 201
	window=$(jq .data.id "$answer")
	for object in "incidents/$reported" "maintenances/$window"; do
		for word in Wrong Right; do
			api POST "/api/v1/$object/updates" -d "body=$word"
			want 201
			[ $word = Right ] || wrong=$(jq .data.id "$answer")
		done
		api DELETE "/api/v1/$object/updates/$wrong"
		[ "$status" = 200 ] || [ "$status" = 204 ]
	done
	# A comment, too. What else the event tells is told without the text.
	down
	api PUT "/api/v1/incidents/$incident" -d acknowledged_at=1 -d comment=Hasty
	api PUT "/api/v1/incidents/$incident" -d comment=
	api PUT "/api/v1/incidents/$incident" -d comment=Unfounded
	api PUT "/api/v1/incidents/$incident" -d comment=
	want 200
	api POST /api/v1/incidents -d title=Late -d "monitor_ids[]=$monitor" -d body=Premature
	late=$(jq .data.id "$answer")
	api GET "/api/v1/incidents/$late/updates"
	api DELETE "/api/v1/incidents/$late/updates/$(jq '.data[0].id' "$answer")"
	api POST "/api/v1/incidents/$late/updates" -d phase=resolved -d body=Premature
	api DELETE "/api/v1/incidents/$late/updates/$(jq .data.id "$answer")"
	want 200
	soon says 'SELECT COUNT(*) FROM outbox WHERE is_expanded = 0' 0
	sql "UPDATE deliveries SET due_at = UTC_TIMESTAMP() WHERE state = 0 AND channel_id = $channel"
	soon says "SELECT COUNT(*) FROM deliveries WHERE state = 0 AND channel_id = $channel" 0
	says "SELECT COUNT(*) FROM deliveries WHERE state = 4 AND channel_id = $channel" 3
	got quiet >"$BATS_TEST_TMPDIR/got"
	[ "$(grep -c Right "$BATS_TEST_TMPDIR/got")" -eq 2 ]
	for kind in acknowledged reported resolved; do grep -q "incident.$kind" "$BATS_TEST_TMPDIR/got"; done
	run ! grep -E 'Wrong|Unfounded|Hasty|Premature' "$BATS_TEST_TMPDIR/got"
}

@test "a short outage is not told to a channel with a delay, and a message does not overtake" {
	new_monitor
	hook all
	hook delayed -d delay=60
	hook onlydown -d delay=60 -d events=down
	hook later -d delay=3600 -d quiet_from=00:00 -d quiet_until=23:59
	down
	api PUT "/api/v1/incidents/$incident" -d acknowledged_at=1
	want 200
	soon has_got all 2
	up
	soon has_got all 3
	soon says "SELECT GROUP_CONCAT(DISTINCT state) FROM deliveries d JOIN alert_channels c ON c.id = d.channel_id WHERE c.name <> 'all'" 4
	[ -z "$(got delayed)$(got onlydown)$(got later)" ]
	# The same, if nothing was sent meanwhile.
	pids=$(pgrep -P "$parent" -x daymark-sender)
	kill -STOP "$pids"
	down
	up
	sql "UPDATE outbox SET at = at - INTERVAL 1 HOUR WHERE is_expanded = 0"
	sql "UPDATE alert_channels SET created_at = created_at - INTERVAL 2 HOUR"
	kill -CONT "$pids"
	soon has_got all 5
	[ -z "$(got delayed)$(got onlydown)" ]
	# An outage that lasts is told, then its end. A reminder that waits does not withdraw the end.
	down
	soon has_got all 6
	sql "UPDATE deliveries SET due_at = UTC_TIMESTAMP() WHERE state = 0"
	soon has_got delayed 1
	soon says "SELECT COUNT(*) FROM deliveries d JOIN alert_channels c ON c.id = d.channel_id WHERE c.name = 'delayed' AND d.state = 1" 1
	sql "INSERT INTO deliveries (account_id, outbox_id, channel_id, round, event, kind, object_id, state, created_at, due_at, first_due_at)
		SELECT account_id, outbox_id, channel_id, 1, 0, kind, object_id, 0, UTC_TIMESTAMP(), UTC_TIMESTAMP() + INTERVAL 1 HOUR, due_at
		FROM deliveries WHERE state = 1 AND channel_id = (SELECT id FROM alert_channels WHERE name = 'delayed')"
	up
	soon has_got delayed 2
	[ "$(got delayed | jq -r .body.type | xargs)" = 'incident.opened incident.resolved' ]
	says "SELECT state FROM deliveries WHERE round = 1" 4
	# A channel hears of nothing that happened before it was created.
	soon has_got all 7
	kill -STOP "$pids"
	down
	up
	sql "UPDATE outbox SET at = at - INTERVAL 3 HOUR WHERE is_expanded = 0"
	hook new
	kill -CONT "$pids"
	soon says 'SELECT COUNT(*) FROM outbox WHERE is_expanded = 0' 0
	[ -z "$(got new)" ]
}

@test "a reminder comes until the end, but not after an acknowledgement" {
	new_monitor
	hook reminded -d reminder=300
	down
	soon says 'SELECT COUNT(*) FROM deliveries WHERE state = 1' 1
	sql "UPDATE deliveries SET tried_at = tried_at - INTERVAL 301 SECOND"
	# The process looks for reminders when it starts.
	kill "$(pgrep -P "$parent" -x daymark-sender)"
	soon has_got reminded 2
	soon says 'SELECT COUNT(*) FROM deliveries WHERE state = 1' 2
	got reminded | jq -s -e '.[1].body.data.title | contains("still")'
	up
	soon has_got reminded 3
}

@test "daymarkctl manages channels, and sends once" {
	printf '{"url": "%s/slack/ctl"}' "$at" >"$BATS_TEST_TMPDIR/value"
	run "$ctl" alert-channel add ctl slack --value - --all-monitors --account "$account" --json <"$BATS_TEST_TMPDIR/value"
	[ "$status" = 0 ] || { echo "$output"; false; }
	id=$(jq .id <<<"$output")
	jq -e '.value.url == null and .takes_all_monitors' <<<"$output"
	"$ctl" alert-channel set "$id" --name renamed
	"$ctl" alert-channel list --json | jq -e ".[0].name == \"renamed\" and .[0].id == $id"
	"$ctl" alert-channel test "$id"
	plan ctl '{"status": 500, "body": "broken"}'
	run "$ctl" alert-channel test "$id" --json
	[ "$status" = 1 ]
	jq -e '.status == 500 and .response == "broken"' <<<"$output"
	run "$ctl" alert-channel add bad slack --value '{"topic": "x"}' --account "$account"
	[ "$status" = 1 ] || [ "$status" = 2 ]
	refute "$ctl" alert-channel test 999999
	run "$ctl" deliver
	[ "$status" = 2 ]
	kill -STOP "$(pgrep -P "$parent" -x daymark-sender)"
	new_monitor
	down
	run "$ctl" deliver --once --json
	kill -CONT "$(pgrep -P "$parent" -x daymark-sender)"
	jq -e '.sent == 1 and .failed == 0 and .waiting == 0' <<<"$output"
	"$ctl" delivery list --json | jq -e '.[0].state == "sent" and .[0].response == "ok"'
	"$ctl" delivery retry "$("$ctl" delivery list --json | jq '.[0].id')"
	soon has_got ctl 4
	up
	soon has_got ctl 5
	"$ctl" alert-channel remove "$id"
	"$ctl" delivery list --json | jq -e '. == []'
}

@test "private addresses are refused at once, and nothing is written while notifications are off" {
	channel private slack -d "value[url]=$at/slack/private"
	channel named slack -d "value[url]=http://localhost:${at##*:}/slack/named"
	sed -i 's/^check_allow_private = .*/check_allow_private = no/; s/^enabled = yes/enabled = no/' "$conf"
	kill -HUP "$parent"
	soon refute pgrep -P "$parent" -x daymark-sender
	api GET /api/v1/account
	want 200 '.data.webhook_public_key == null'
	while read -r id; do
		api POST "$list/$id/test"
		want 200 '.data.is_accepted == false' '.data.status == null' '.data.response | contains("private")'
	done < <(sql 'SELECT id FROM alert_channels')
	sql 'DELETE FROM outbox'
	sql 'UPDATE alert_channels SET takes_all_monitors = 1'
	new_monitor
	down
	up
	says 'SELECT COUNT(*) FROM outbox' 0
	# Rows of before are told as soon as it is on again.
	sed -i 's/^enabled = no/enabled = yes/' "$conf"
	kill -HUP "$parent"
	soon pgrep -P "$parent" -x daymark-sender
	down
	soon are failed failed
	says "SELECT COUNT(*) FROM deliveries WHERE response LIKE '%private%' AND tries = 1" 2
	up
}
