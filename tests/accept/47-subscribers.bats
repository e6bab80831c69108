# Subscribers of pages: the form, the messages, and what operators do.
load lib

setup_file() {
	export mails=$BATS_FILE_TMPDIR/mails hooks=$BATS_FILE_TMPDIR/hooks
	mkdir "$mails" "$hooks"
	/usr/bin/python3 -c 'import aiosmtpd' 2>/dev/null || skip "python3-aiosmtpd is not installed"
	mail_port=$(own_port)
	/usr/bin/python3 "$TOP/tests/lib/mail_server.py" "$mail_port" "$mails" >&2 3>&- &
	echo $! >"$BATS_FILE_TMPDIR/servers"
	/usr/bin/python3 "$TOP/tests/lib/hook_server.py" "$hooks" >&2 3>&- &
	echo $! >>"$BATS_FILE_TMPDIR/servers"
	disown -a
	soon bash -c "exec 9<>/dev/tcp/127.0.0.1/$mail_port"
	soon test -s "$hooks/port"
	own_service_start "$TOP/tests/lib/unlimited.conf" <<-END
		[notify]
		enabled = yes
		private_webhooks = yes
		[mail]
		server = smtp://127.0.0.1:$mail_port
		needs_tls = no
		from = status@example.org
		bounce_address = bounces@example.org
		[checker]
		check_allow_private = yes
		ca_file = $hooks/ca.pem
	END
}

teardown_file() {
	own_service_stop
	xargs kill <"$BATS_FILE_TMPDIR/servers"
}

setup() {
	own_service
	hook=https://127.0.0.1:$(cat "$hooks/port")
	jar=$BATS_TEST_TMPDIR/jar
	echo >>"$BATS_FILE_TMPDIR/networks"
	network=127.1.$(wc -l <"$BATS_FILE_TMPDIR/networks")
}

# subscriber_page [CURL ARGUMENT]...: creates a page with the systems $one and $two; sets $here, $page, $slug.
subscriber_page() {
	new_monitor
	one=$monitor
	new_monitor
	two=$monitor
	new_page -F "monitor_ids[]=$one" -F "monitor_ids[]=$two" "$@"
	here=/s/$slug
}

mail_to() {
	grep -l "^X-Envelope: .* $1 " "$mails"/* | sort -V | tail -n 1
}

mails_to() {
	grep -l "^X-Envelope: .* $1 " "$mails"/* | wc -l
}

has_mails() {
	[ "$(mails_to "$1")" -ge "$2" ]
}

# part TYPE FILE: prints a part of a message.
part() {
	/usr/bin/python3 -c 'import email, email.policy, sys
message = email.message_from_bytes(open(sys.argv[2], "rb").read(), policy=email.policy.default)
print(next(p for p in message.walk() if p.get_content_type() == sys.argv[1]).get_content())' "$@"
}

# ask ADDRESS [CURL ARGUMENT]...: subscribes as a visitor, from a network of the test.
ask() {
	anyone POST "$here/subscribe" --interface "$network.1" --data-urlencode "address=$1" "${@:2}"
}

# link_of ADDRESS: sets $link, the path of the link in the newest message.
link_of() {
	link=$(path_of "$(part text/plain "$(mail_to "$1")" | grep -o 'http[^ ]*/subscription?token=[^ ]*' | head -n 1 | tr -d '\r')")
	[ -n "$link" ]
}

# subscribe [CURL ARGUMENT]...: subscribes and confirms a new address; sets $address and $link.
subscribe() {
	address=a$(new_slug)@example.org
	ask "$address" "$@"
	[ "$status" = 200 ] || show
	soon has_mails "$address" 1
	link_of "$address"
	anyone POST "$link" -d action=confirm
	[ "$status" = 200 ] || show
}

# Events of a subscriber wait for 30 seconds: make them due.
hurry() {
	soon says "SELECT COUNT(*) FROM outbox WHERE is_expanded = 0 OR subscribers_after IS NOT NULL" 0
	sql "UPDATE deliveries SET due_at = UTC_TIMESTAMP() WHERE state = 0 AND lane > 0 AND tries = 0"
}

# report TITLE [CURL ARGUMENT]...: reports an incident of $one; sets $incident.
report() {
	api POST /api/v1/incidents --data-urlencode "title=$1" -d impact=major_outage -d "monitor_ids[]=$one" "${@:2}"
	[ "$status" = 201 ] || show
	incident=$(jq .data.id "$answer")
}

state_of() {
	sql "SELECT IF(suspended_at IS NOT NULL, 'suspended', IF(confirmed_at IS NULL, 'unconfirmed', 'confirmed'))
		FROM subscribers WHERE address = '$1'"
}

@test "the form is on a page that allows it, and only a POST by the link confirms" {
	subscriber_page
	see index.html
	shows 'action="subscribe" method="post"'
	shows "value=\"$two\""
	api PUT "/api/v1/status-pages/$page" -d allow_subscribers=0
	want 200 '.data.allow_subscribers == false'
	see index.html
	refute shows 'action="subscribe"'
	ask a@example.org
	[ "$status" = 404 ] || show
	api PUT "/api/v1/status-pages/$page" -d allow_subscribers=1
	address=Ann.$(new_slug)@example.org
	ask "$address"
	[ "$status" = 200 ] || show
	[ "$(header Referrer-Policy)" = no-referrer ]
	[[ "$(header Cache-Control)" == *no-store* ]]
	cp "$answer" "$BATS_TEST_TMPDIR/first"
	want_queries_at_most 14
	soon has_mails "$address" 1
	refute grep -q '^List-Unsubscribe' "$(mail_to "$address")"
	link_of "$address"
	anyone GET "$link"
	[ "$status" = 200 ] || show
	shows 'value="confirm"'
	[ "$(header Referrer-Policy)" = no-referrer ]
	anyone HEAD "$link"
	[ "$(state_of "$address")" = unconfirmed ]
	anyone POST "$link" -d action=confirm
	[ "$status" = 200 ] || show
	shows 'value="end"'
	[ "$(state_of "$address")" = confirmed ]
	# The same response for an address that is known, in another writing, too.
	ask "${address^^}" -d "monitor_ids[]=$one"
	[ "$status" = 200 ] || show
	cmp "$answer" "$BATS_TEST_TMPDIR/first"
	soon has_mails "$address" 2
	[ "$(sql "SELECT COUNT(*), MIN(takes_all) FROM subscribers WHERE page_id = $page" | tr '\t' ' ')" = '1 1' ]
	# The log has neither addresses nor tokens.
	refute grep -qi "$address" "$log"
	refute grep -qF "${link##*token=}" "$log"
}

@test "wrong input is refused in the page's design, with what was typed, and nothing is stored" {
	subscriber_page
	for wrong in '' 'a b@example.org' '"><script>alert(1)</script>' http://example.org/ 'https://u:p@example.org/' \
		$'a@example.org\r\nBcc: b@example.org' "$(printf 'a%.0s' {1..3000})@example.org"; do
		ask "$wrong"
		[ "$status" = 422 ] || show
		refute shows '<script>alert'
	done
	ask a@example.org -d 'monitor_ids[]=999999999'
	[ "$status" = 422 ] || show
	new_monitor
	ask a@example.org -d "monitor_ids[]=$monitor"
	[ "$status" = 422 ] || show
	[ "$(sql "SELECT COUNT(*) FROM subscribers WHERE page_id = $page")" = 0 ]
	for token in '' x 1-x "$(printf '1%.0s' {1..200})" '1-AAAAAAAAAAAAAAAAAAAAAA' '%00' '"><b>'; do
		anyone GET "$here/subscription?token=$token"
		[ "$status" = 404 ] || show
		anyone POST "$here/subscription?token=$token" -d action=confirm
		[ "$status" = 404 ] || show
	done
}

@test "an incident arrives once, and one click ends the subscription with all that waits" {
	subscriber_page
	subscribe
	report 'Größe <b>&amp;</b>' --data-urlencode 'body=We *look* into it, see [here](https://example.org/?a=1&b=2).'
	api POST "/api/v1/incidents/$incident/updates" -d phase=identified -d 'body=A disk is full.'
	hurry
	soon has_mails "$address" 2
	file=$(mail_to "$address")
	LINK=$link INCIDENT=$incident PAGE=$page /usr/bin/python3 - "$file" <<'END'
import email, email.policy, os, sys
message = email.message_from_bytes(open(sys.argv[1], "rb").read(), policy=email.policy.default)
assert not message.defects and message["Subject"].count("Größe <b>&amp;</b>") == 1, message["Subject"]
assert message["List-Unsubscribe"].endswith(os.environ["LINK"] + ">"), message["List-Unsubscribe"]
# RFC 8058 needs https.
assert message["List-Unsubscribe-Post"] is None
assert message["References"] == f"<page-{os.environ['PAGE']}-incident-{os.environ['INCIDENT']}@example.org>", message["References"]
assert message["List-Id"] == f"<page-{os.environ['PAGE']}.example.org>" and message["Auto-Submitted"] == "auto-generated"
text, html = (part.get_content() for part in message.iter_parts())
for words in "We look into it, see here: https://example.org/?a=1&b=2", "A disk is full.", os.environ["LINK"]:
    assert words in text, (words, text)
assert "We <em>look</em> into it" in html and "A disk is full." in html and "&lt;b&gt;&amp;amp;&lt;/b&gt;" in html, html
assert "<b>&amp;" not in html
END
	[[ "$(head -n 1 "$file")" == "X-Envelope: bounces+"*"@example.org $address "* ]]
	api POST "/api/v1/incidents/$incident/updates" -d phase=monitoring -d 'body=Never sent.'
	for how in '-d List-Unsubscribe=One-Click' '-F List-Unsubscribe=One-Click' '-d List-Unsubscribe=One-Click'; do
		# shellcheck disable=SC2086
		anyone POST "$link" $how
		[ "$status" = 200 ] || show
		[ -z "$(header Location)" ]
	done
	[ -z "$(state_of "$address")" ]
	[ "$(sql "SELECT COUNT(*) FROM deliveries d JOIN subscribers s ON s.id = d.subscriber_id WHERE s.page_id = $page")" = 0 ]
	[ "$(mails_to "$address")" = 2 ]
	anyone POST "$link" -d action=confirm
	[ "$status" = 404 ] || show
}

@test "a message shows what the page shows when it is sent" {
	subscriber_page
	subscribe
	report First -d 'body=A tpyo.'
	api GET "/api/v1/incidents/$incident/updates"
	update=$(jq '.data[0].id' "$answer")
	api PUT "/api/v1/incidents/$incident/updates/$update" -d 'body=A typo.'
	want 200
	withdrawn=$incident
	report Second -d 'body=Nobody reads this.'
	api DELETE "/api/v1/incidents/$incident"
	want 200
	hurry
	soon has_mails "$address" 2
	part text/plain "$(mail_to "$address")" >"$answer"
	shows 'A typo.'
	refute shows tpyo
	refute shows 'Nobody reads'
	# All was withdrawn: no message.
	report Third -d 'body=Nobody reads this, either.'
	api DELETE "/api/v1/incidents/$incident"
	hurry
	soon says "SELECT COUNT(*) FROM deliveries d JOIN subscribers s ON s.id = d.subscriber_id
		WHERE s.page_id = $page AND d.state = 4" 1
	[ "$(mails_to "$address")" = 2 ]
	[ "$withdrawn" -gt 0 ]
}

@test "a subscriber of single systems hears of these, and can change that" {
	subscriber_page
	subscribe -d "monitor_ids[]=$two"
	report 'Of the first'
	hurry
	[ "$(sql "SELECT COUNT(*) FROM deliveries d JOIN subscribers s ON s.id = d.subscriber_id
		WHERE s.page_id = $page AND d.outbox_id IS NOT NULL")" = 0 ]
	anyone GET "$link"
	shows "value=\"$two\" checked"
	anyone POST "$link" -d action=save -d 'monitor_ids[]=999999999'
	[ "$status" = 422 ] || show
	anyone POST "$link" -d action=save -d "monitor_ids[]=$one"
	[ "$status" = 200 ] || show
	shows "value=\"$one\" checked"
	report 'Of the first again'
	hurry
	soon has_mails "$address" 2
	# None: the whole page.
	anyone POST "$link" -d action=save
	[ "$(sql "SELECT takes_all FROM subscribers WHERE page_id = $page")" = 1 ]
}

@test "an old link works after the page is renamed, and not in the design of others" {
	subscriber_page
	subscribe
	token=${link##*token=} first=$page former=$slug
	slug=$(new_slug)
	api PUT "/api/v1/status-pages/$page" -d "slug=$slug"
	want 200
	# Another page takes the address: it gets neither the address nor the token.
	api POST /api/v1/status-pages -F "name=Somebody else" -F "slug=$former"
	want 201
	for path in "$former" "$slug" "$former"; do
		anyone GET "/s/$path/subscription?token=$token"
		[ "$status" = 200 ] || show
		shows "$address"
		refute grep -q 'Somebody else' "$answer"
	done
	anyone POST "/s/$former/subscription?token=$token" -d List-Unsubscribe=One-Click
	[ "$status" = 200 ] || show
	refute grep -q 'Somebody else' "$answer"
	[ -z "$(state_of "$address")" ]
	[ "$(sql "SELECT COUNT(*) FROM subscribers WHERE page_id = $first")" = 0 ]
}

@test "requests are limited by address, by network and by page" {
	subscriber_page
	address=b$(new_slug)@example.org
	for _ in 1 2 3 4; do
		ask "$address"
		[ "$status" = 200 ] || show
	done
	soon has_mails "$address" 3
	soon says "SELECT COUNT(*) FROM deliveries WHERE state = 0 AND lane = 1" 0
	[ "$(mails_to "$address")" = 3 ]
	# A wrong address does not count.
	ask wrong
	[ "$status" = 422 ]
	for i in {5..20}; do
		ask "c$i-$(new_slug)@example.org"
		[ "$status" = 200 ] || show
	done
	ask "d@example.org" --interface "$network.77"
	[ "$status" = 429 ] || show
	[ "$(header Retry-After)" -gt 0 ]
	[ "$(header Retry-After)" -le 3600 ]
	refute grep -q d@example.org "$answer"
	network=127.2.1
	ask "e@example.org"
	[ "$status" = 200 ] || show
}

@test "a webhook is confirmed by a challenge, and gets signed messages for each object" {
	subscriber_page
	ask "$hook/echo/$slug"
	[ "$status" = 200 ] || show
	soon eval '[ "$(state_of "$hook/echo/$slug")" = confirmed ]'
	api GET /api/v1/account
	public=$(jq -r .data.webhook_public_key "$answer")
	link=$(path_of "$(grep -a "/echo/$slug" "$hooks/received" | head -n 1 | jq -r '.body | fromjson | .manage_url')")
	anyone GET "$link"
	[ "$status" = 200 ] || show
	secret=$(grep -o 'whsec_[A-Za-z0-9+/=]*' "$answer")
	shows "$public"
	report 'Disk "full" <b>'
	report Second
	hurry
	soon eval '[ "$(grep -ac "/echo/$slug" "$hooks/received")" = 3 ]'
	grep -a "/echo/$slug" "$hooks/received" | tail -n 2 >"$BATS_TEST_TMPDIR/got"
	SECRET=$secret PUBLIC=$public PAGE=$page /usr/bin/python3 - "$BATS_TEST_TMPDIR/got" <<'END'
import base64, hashlib, hmac, json, os, sys
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
names = []
for line in open(sys.argv[1]):
    got = json.loads(line)
    headers, body = got["headers"], got["body"]
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.{body}".encode()
    mac = base64.b64encode(hmac.digest(base64.b64decode(os.environ["SECRET"][6:]), signed, hashlib.sha256)).decode()
    signatures = headers["webhook-signature"].split()
    assert "v1," + mac in signatures, signatures
    key = Ed25519PublicKey.from_public_bytes(base64.b64decode(os.environ["PUBLIC"][5:]))
    key.verify(base64.b64decode(next(s for s in signatures if s.startswith("v1a,"))[4:]), signed)
    data = json.loads(body)
    assert str(data["page"]["id"]) == os.environ["PAGE"], data["page"]
    names.append(data["incident"]["name"])
assert sorted(names) == ['Disk "full" <b>', "Second"], names
END
}

@test "webhooks that do not return the challenge stay unconfirmed, and those that refuse are suspended" {
	subscriber_page
	for kind in deaf moved huge gone; do
		ask "$hook/$kind/$slug"
		[ "$status" = 200 ] || show
	done
	asked() {
		says "SELECT COUNT(*) FROM deliveries d JOIN subscribers s ON s.id = d.subscriber_id
			WHERE s.page_id = $page AND d.state = 0" 0
	}
	soon asked
	[ "$(state_of "$hook/deaf/$slug")" = unconfirmed ]
	[ "$(state_of "$hook/moved/$slug")" = unconfirmed ]
	[ "$(state_of "$hook/huge/$slug")" = unconfirmed ]
	[ "$(state_of "$hook/gone/$slug")" = suspended ]
	refute grep -q '/echo/moved' "$hooks/received"
	# A redirect is not followed; a receiver that refuses hears nothing more.
	[ "$(grep -ac "/gone/$slug" "$hooks/received")" = 1 ]
}

@test "a visitor who is not admitted learns nothing, and a password admits to the form" {
	subscriber_page -F privacy=1
	private=$here
	for what in subscribe 'subscription?token=x'; do
		here=$private
		anyone GET "$here/$what"
		first=$status
		cp "$answer" "$BATS_TEST_TMPDIR/private"
		anyone GET "/s/$(new_slug)/$what"
		[ "$status" = "$first" ] && [ "$status" = 404 ] || show
		cmp "$answer" "$BATS_TEST_TMPDIR/private"
	done
	ask a@example.org
	[ "$status" = 404 ] || show
	cp "$answer" "$BATS_TEST_TMPDIR/private"
	here=/s/$(new_slug) ask a@example.org
	[ "$status" = 404 ]
	cmp "$answer" "$BATS_TEST_TMPDIR/private"
	[ "$(sql "SELECT COUNT(*) FROM subscribers WHERE page_id = $page")" = 0 ]
	subscriber_page -F privacy=2 -F password=one
	ask a@example.org
	[ "$status" != 200 ]
	[ "$(sql "SELECT COUNT(*) FROM subscribers WHERE page_id = $page")" = 0 ]
	anyone POST "$here/" -c "$jar" -d password=one
	[ "$status" = 303 ]
	anyone GET "$here/" -b "$jar"
	[ "$status" = 200 ] || show
	# The page is sandboxed: its requests have no cookies.
	action=$(grep -o 'action="subscribe[^"]*"' "$answer" | cut -d '"' -f 2)
	[[ "$action" == 'subscribe?pass='* ]]
	[[ "$(header Content-Security-Policy)" == *"form-action 'self'"*"sandbox allow-scripts allow-forms"* ]]
	address=p$(new_slug)@example.org
	anyone POST "$here/$action" --interface "$network.1" -d address=wrong
	[ "$status" = 422 ] || show
	# The form can be sent again.
	action=$(grep -o 'action="subscribe[^"]*"' "$answer" | cut -d '"' -f 2)
	anyone POST "$here/$action" --interface "$network.1" -d "address=$address"
	[ "$status" = 200 ] || show
	soon has_mails "$address" 1
	link_of "$address"
	# The link needs no password.
	anyone POST "$link" -d action=confirm
	[ "$status" = 200 ] || show
	[ "$(state_of "$address")" = confirmed ]
	# A token of another page admits to nothing.
	pass=${action#*\?}
	subscriber_page -F privacy=2 -F password=one
	anyone POST "$here/subscribe?$pass" --interface "$network.1" -d "address=$address"
	[ "$status" != 200 ]
	[ "$(sql "SELECT COUNT(*) FROM subscribers WHERE page_id = $page")" = 0 ]
}

@test "a password page at its own domain takes subscribers by the cookie" {
	domain=$(new_slug).example.com
	subscriber_page -F privacy=2 -F password=one -F "domain=$domain"
	anyone POST / -H "Host: $domain" -c "$jar" -d password=one
	[ "$status" = 303 ] || show
	cookie=$(awk '/daymark/ { print $6 "=" $7 }' "$jar")
	anyone GET / -H "Host: $domain" -H "Cookie: $cookie"
	shows 'action="subscribe"'
	address=q$(new_slug)@example.org
	anyone POST /subscribe -H "Host: $domain" --interface "$network.1" -d "address=$address"
	[ "$status" != 200 ]
	anyone POST /subscribe -H "Host: $domain" -H "Cookie: $cookie" --interface "$network.1" -d "address=$address"
	[ "$status" = 200 ] || show
	soon has_mails "$address" 1
	part text/plain "$(mail_to "$address")" | grep -q "http://$domain:[0-9]*/subscription?token="
	link_of "$address"
	anyone POST "$link" -H "Host: $domain" -d action=confirm
	[ "$status" = 200 ] || show
}

@test "operators list, add, import, export and delete the subscribers of their own pages" {
	subscriber_page
	list=/api/v1/status-pages/$page/subscribers
	api POST "$list" -d address=Ann@Example.org -d "monitor_ids[]=$one"
	want 201 '.data.state == "confirmed"' '.data.type == "email"' '.data.takes_all_monitors == false' ".data.monitor_ids == [$one]"
	first=$(jq .data.id "$answer")
	api POST "$list" -d address=ann@example.org
	want_fault address 'already been taken'
	api POST "$list" -d address=b@example.org -d 'monitor_ids[]=999999999'
	want_fault monitor_ids
	api POST "$list" -d address=none
	want_fault address
	api POST "$list"
	want_fault address
	printf 'state,address\nconfirmed,"c@example.org"\nunconfirmed,d@example.org\nconfirmed,ANN@example.org\n' >"$BATS_TEST_TMPDIR/in.csv"
	api POST "$list/import" -F "file=@$BATS_TEST_TMPDIR/in.csv"
	want 200 '.data.added == 1' '.data.skipped == 2'
	printf '\xef\xbb\xbfaddress\r\n\r\ne@example.org\r\n\r\nnone\r\n' >"$BATS_TEST_TMPDIR/bad.csv"
	api POST "$list/import" -F "file=@$BATS_TEST_TMPDIR/bad.csv"
	want_fault file 'line 5'
	api POST "$list/import" -F 'file=@/dev/null;filename=x.csv'
	want_fault file
	api GET "$list?sort_by=address&sort=asc"
	want 200 '.meta.total == 2 or .total == 2 or (.data | length) == 2' '[.data[].address] == ["Ann@example.org", "c@example.org"]'
	api GET "$list?search=c@&state=confirmed&type=email"
	want 200 '.data | length == 1'
	api GET "$list/export"
	[ "$status" = 200 ] || show
	[ "$(header Content-Type)" = 'text/csv; charset=utf-8' ]
	[[ "$(header Cache-Control)" == *no-store* ]]
	[ "$(wc -l <"$answer")" = 3 ]
	for request in "GET $list" "POST $list -d address=x@example.org" "DELETE $list/$first" "GET $list/export" "POST $list/import -F file=@$BATS_TEST_TMPDIR/in.csv"; do
		# shellcheck disable=SC2086
		other $request
		[ "$status" = 404 ] || show
	done
	reader=$("$ctl" key create --account "$account" --read-only --json | jq -r .key)
	for request in "POST $list -d address=x@example.org" "DELETE $list/$first" "GET $list/export" "POST $list/import -F file=@$BATS_TEST_TMPDIR/in.csv"; do
		# shellcheck disable=SC2086
		call "$reader" $request
		[ "$status" = 403 ] || show
	done
	new_page
	api DELETE "/api/v1/status-pages/$page/subscribers/$first"
	want 404
	api DELETE "$list/$first"
	want 200
	api DELETE "$list/$first"
	want 404
	# The same by daymarkctl.
	subscriber_page
	"$ctl" subscriber add "$slug" f@example.org
	run "$ctl" subscriber add "$slug" F@example.org
	[ "$status" = 2 ] || [ "$status" = 4 ] || echo "$status $output"
	[[ "$output" == *'already been taken'* ]]
	chmod 0644 "$BATS_TEST_TMPDIR/in.csv"
	"$ctl" subscriber import "$slug" - <"$BATS_TEST_TMPDIR/in.csv"
	"$ctl" subscriber export "$slug" >"$BATS_TEST_TMPDIR/out.csv"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/out.csv")" = 4 ]
	id=$("$ctl" subscriber list --json | jq -r '.[] | select(.address == "f@example.org") | .id')
	"$ctl" subscriber remove "$slug" "$id"
	[ "$("$ctl" subscriber export "$slug" | wc -l)" = 3 ]
}

# report_for SENDER ADDRESS: prints a report that the address of the delivery does not exist.
report_for() {
	printf '%s\r\n' "To: $1" 'From: MAILER-DAEMON@example.net' 'Subject: Undelivered' 'MIME-Version: 1.0' \
		'Content-Type: multipart/report; report-type=delivery-status; boundary=B' '' '--B' 'Content-Type: text/plain' '' 'Sorry.' \
		'--B' 'Content-Type: message/delivery-status' '' 'Reporting-MTA: dns; mail.example.net' '' \
		"Final-Recipient: rfc822; $2" 'Action: failed' 'Status: 5.1.1' 'Diagnostic-Code: smtp; 550 5.1.1 unknown' '' '--B--' ''
}

@test "a bounce is counted by the address to which it came, and only with its signature" {
	subscriber_page
	subscribe
	sender=$(head -n 1 "$(mail_to "$address")" | cut -d ' ' -f 2)
	post() {
		report_for "$1" "$address" >"$BATS_TEST_TMPDIR/report"
		anyone POST /hooks/bounce -H 'Content-Type: message/rfc822' --data-binary "@$BATS_TEST_TMPDIR/report"
	}
	post "$sender"
	want 200 '.data.outcome == "counted"'
	post "${sender^^}"
	[ "$status" = 200 ] || [ "$status" = 403 ] || show
	[ "$(sql "SELECT bounces FROM subscribers WHERE address = '$address'")" = 1 ]
	post bounces@example.org
	want 403
	post "bounces+999-00000000000000000000@example.org"
	want 403
	post "bounces+${link##*token=}@example.org"
	want 403
	sql "UPDATE subscribers SET bounced_at = bounced_at - INTERVAL 25 HOUR WHERE address = '$address'"
	report_for "$sender" "$address" | "$ctl" bounce
	[ "$(state_of "$address")" = suspended ]
	report 'Not sent'
	hurry
	[ "$(mails_to "$address")" = 1 ]
	# The receiver confirms again.
	ask "$address"
	soon has_mails "$address" 2
	anyone POST "$link" -d action=confirm
	[ "$(state_of "$address")" = confirmed ]
}

@test "messages that wait for a page that is gone, or takes no subscribers, are withdrawn" {
	subscriber_page
	subscribe
	report One
	api PUT "/api/v1/status-pages/$page" -d allow_subscribers=0
	hurry
	soon says "SELECT COUNT(*) FROM deliveries d JOIN subscribers s ON s.id = d.subscriber_id
		WHERE s.page_id = $page AND d.state = 4" 1
	# The subscription can be ended all the same.
	anyone POST "$link" -d List-Unsubscribe=One-Click
	[ "$status" = 200 ] || show
	[ -z "$(state_of "$address")" ]
	api PUT "/api/v1/status-pages/$page" -d allow_subscribers=1
	subscribe
	report Two
	api DELETE "/api/v1/status-pages/$page"
	want 200
	hurry
	soon says "SELECT COUNT(*) FROM deliveries d JOIN subscribers s ON s.id = d.subscriber_id
		WHERE s.address = '$address' AND d.state = 0" 0
	[ "$(mails_to "$address")" = 1 ]
	anyone GET "$link"
	[ "$status" = 404 ] || show
}

# restart: starts the program again, after setup() with another configuration.
restart() {
	kill "$parent"
	soon has_ended "$parent"
	with_service service_start_daymark "$dir" "${DAYMARK_BUILD:-$TOP/build}" >&2
	parent=$(cat "$dir/run/daymark.pid")
}

@test "without a mail server there is no form, and messages wait for one" {
	subscriber_page
	subscribe
	report 'Waits'
	soon says "SELECT COUNT(*) FROM outbox WHERE is_expanded = 0 OR subscribers_after IS NOT NULL" 0
	cp "$conf" "$BATS_TEST_TMPDIR/daymark.conf"
	sed -i '/^server = smtp/d' "$conf"
	restart
	hurry
	has_no_form() {
		see index.html && ! grep -q 'action="subscribe"' "$answer"
	}
	soon has_no_form
	ask a@example.org
	[ "$status" = 404 ] || show
	anyone GET "$here/subscribe"
	[ "$status" = 404 ] || show
	# A link of an old message works.
	anyone GET "$link"
	[ "$status" = 200 ] || show
	sleep 1
	[ "$(sql "SELECT state, tries, lease FROM deliveries d JOIN subscribers s ON s.id = d.subscriber_id
		WHERE s.page_id = $page AND d.outbox_id IS NOT NULL" | tr '\t' ' ')" = '0 0 0' ]
	cp "$BATS_TEST_TMPDIR/daymark.conf" "$conf"
	restart
	soon has_mails "$address" 2
	has_form() {
		see index.html && grep -q 'action="subscribe"' "$answer"
	}
	soon has_form
}

@test "while the program is stopped, the form answers in the page's design, with the feed" {
	subscriber_page
	kill "$parent"
	soon has_ended "$parent"
	anyone POST "$here/subscribe" -d address=a@example.org
	code=$status
	cp "$answer" "$BATS_TEST_TMPDIR/stopped"
	with_service service_start_daymark "$dir" "${DAYMARK_BUILD:-$TOP/build}" >&2
	[ "$code" = 503 ]
	grep -q '<bdi>Test</bdi>' "$BATS_TEST_TMPDIR/stopped"
	grep -q 'feed' "$BATS_TEST_TMPDIR/stopped"
}

@test "a sender that is stopped loses no message and sends none twice" {
	subscriber_page
	for i in {1..40}; do
		"$ctl" subscriber add "$slug" "many-$i-$slug@example.org"
	done >&2
	report 'To forty'
	hurry
	restart
	all_have() {
		[ "$(grep -lE "^X-Envelope: .* many-[0-9]+-$slug@example.org " "$mails"/* | wc -l)" -ge 40 ]
	}
	soon all_have
	soon says "SELECT COUNT(*) FROM deliveries WHERE state = 0" 0
	[ "$(grep -hE "^X-Envelope: .* many-[0-9]+-$slug@example.org " "$mails"/* | cut -d ' ' -f 3 | sort | uniq -d)" = '' ]
	[ "$(grep -hoE '^Message-ID: <notice-[0-9]+' "$mails"/* | sort | uniq -d)" = '' ]
}
