# Messages to alert channels by e-mail: what arrives at a mail server, and what its refusals do.
load lib

setup_file() {
	export mails=$BATS_FILE_TMPDIR/mails tls_mails=$BATS_FILE_TMPDIR/tls-mails
	mkdir "$mails" "$tls_mails"
	/usr/bin/python3 -c 'import aiosmtpd' 2>/dev/null || skip "python3-aiosmtpd is not installed"
	mail_port=$(own_port)
	mail_server "$mail_port" "$mails" >"$BATS_FILE_TMPDIR/server"
	printf '[notify]\nenabled = yes\n[mail]\nserver = smtp://127.0.0.1:%s\nneeds_tls = no\nfrom = status@example.org\n' \
		"$mail_port" | own_service_start "$TOP/tests/lib/unlimited.conf"
}

teardown_file() {
	own_service_stop
	kill "$(cat "$BATS_FILE_TMPDIR/server")"
}

setup() {
	own_service
}

teardown() {
	[ -z "${tls_server:-}" ] || kill "$tls_server"
	[ -z "${exim:-}" ] || kill "$exim"
}

# mail_server PORT FOLDER [CERTIFICATE KEY]: starts one; prints its process.
mail_server() {
	/usr/bin/python3 "$TOP/tests/lib/mail_server.py" "$@" >&2 3>&- &
	echo $!
	disown
	soon bash -c "exec 9<>/dev/tcp/127.0.0.1/$1"
}

# Makes $folder/cert.pem and key.pem, for localhost.
certificate() {
	openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost \
		-addext subjectAltName=DNS:localhost -keyout "$folder/key.pem" -out "$folder/cert.pem" 2>/dev/null
}

# channel ADDRESS [FIELD]...: creates one; sets $channel.
channel() {
	api POST /api/v1/alert-channels -d "name=Mail" -d type=email -d "value[email]=$1" "${@:2}"
	want 201
	channel=$(jq .data.id "$answer")
}

# test_message ADDRESS: sends one; the response is in $answer.
test_message() {
	channel "$1"
	api POST "/api/v1/alert-channels/$channel/test"
	want 200
}

mail_count() {
	find "$mails" -type f ! -name '*.part' | wc -l
}

# The newest message to the address.
mail_to() {
	grep -l "^X-Envelope: .* $1 " "$mails"/* | sort -V | tail -n 1
}

has_mail_to() {
	[ -n "$(mail_to "$1")" ]
}

@test "an outage and its end arrive as messages of one thread" {
	new_page -F 'monitor_ids[]=2'
	channel "ops@$(new_slug).example" -d takes_all_monitors=1
	address=$(jq -r .data.address "$answer")
	api POST /hooks/generic -d monitor=2 -d state=down -d 'cause=Connection refused: "x" <b> ü'
	want 200
	soon has_mail_to "$address"
	first=$(mail_to "$address")
	api POST /hooks/generic -d monitor=2 -d state=up
	soon eval '[ "$(mail_to "$address")" != "$first" ]'
	/usr/bin/python3 - "$first" "$(mail_to "$address")" <<'END'
import email, email.policy, html.parser, re, sys
down, up = (email.message_from_bytes(open(name, "rb").read(), policy=email.policy.default) for name in sys.argv[1:])
for message in down, up:
    assert not message.defects, message.defects
    assert message["Auto-Submitted"] == "auto-generated" and message["Date"].datetime
    assert message["From"].addresses[0].addr_spec == "status@example.org"
    assert message["References"].startswith("<daymark-incident-") and message["References"].endswith("@example.org>")
    assert [part.get_content_type() for part in message.iter_parts()] == ["text/plain", "text/html"]
    assert all(not part.defects for part in message.walk())
assert down["References"] == up["References"] and down["Message-ID"] != up["Message-ID"]
assert "down" in down["Subject"] and "up again" in up["Subject"], (down["Subject"], up["Subject"])
text, html = (part.get_content() for part in down.iter_parts())
assert 'Connection refused: "x" <b> ü' in text, text
address = re.search(r"^https?://\S+/incidents/\d+$", text.replace("\r\n", "\n"), re.M)
assert address and f'<a href="{address[0]}">' in html, text
assert "&lt;b&gt; ü" in html and "<b>" not in html, html
END
}

@test "a title cannot add a header, and a long one is encoded in short lines" {
	address=long@$(new_slug).example
	channel "$address" -d takes_all_monitors=1
	title="Ausfall: $(printf 'Bücher & Größen %.0s' {1..12})"
	api POST /api/v1/incidents --data-urlencode "title=$title" -d impact=major_outage -d 'monitor_ids[]=1' -d $'body=.first line\n.second line ends with a blank \nFrom here on'
	want 201
	incident=$(jq .data.id "$answer")
	soon has_mail_to "$address"
	api DELETE "/api/v1/incidents/$incident"
	TITLE=$title /usr/bin/python3 - "$(mail_to "$address")" <<'END'
import email, email.policy, os, sys
raw = open(sys.argv[1], "rb").read()
message = email.message_from_bytes(raw, policy=email.policy.default)
assert not message.defects and os.environ["TITLE"].rstrip() in message["Subject"], message["Subject"]
assert all(len(line) <= 78 for line in raw.split(b"\r\n")), max(raw.split(b"\r\n"), key=len)
assert b"\n" not in raw.replace(b"\r\n", b"") and all(line[:1] != b"." for line in raw.split(b"\r\n"))
text = next(message.iter_parts()).get_content()
assert ".first line\n.second line ends with a blank \nFrom here on" in text.replace("\r\n", "\n"), text
END
}

@test "the words of the server are shown, and nothing is sent to an address that is none" {
	test_message nobody@example.org
	want 200 '.data.is_accepted == false' '.data.status == 550' '.data.response == "550 5.1.1 There is no such user"'
	test_message later@example.org
	want 200 '.data.status == 451' '.data.response | startswith("451 4.7.1 Greylisted")'
	test_message "cut@example.org"
	want 200 '.data.is_accepted == false' '.data.status == null'
	test_message "straße@example.org" || true
	for wrong in 'a b@example.org' 'a@b' '@example.org' 'a@example.org, b@example.org' 'a@example.org
Bcc: b@example.org' 'straße@example.org' '"a"@example.org'; do
		api POST /api/v1/alert-channels -d name=x -d type=email --data-urlencode "value[email]=$wrong"
		want 422 '.errors["value.email"]'
	done
	test_message ops@bücher.example
	want 200 .data.is_accepted
	has_mail_to ops@xn--bcher-kva.example
}

@test "a message that is refused for now is sent later, one that is refused for good is not, and the connection is kept" {
	for name in later-once cut-once nobody fine-1 fine-2 fine-3; do
		channel "$name@example.net" -d takes_all_monitors=1
	done
	api POST /hooks/generic -d monitor=2 -d state=down -d cause=x
	soon has_mail_to fine-3@example.net
	state_of() {
		sql "SELECT d.state FROM deliveries d JOIN alert_channels c ON c.id = d.channel_id WHERE c.address = '$1@example.net'
			ORDER BY d.id LIMIT 1"
	}
	soon eval '[ "$(state_of nobody)" = 2 ]'
	# A lost connection is replaced at once; a refusal for now is repeated after some seconds.
	soon has_mail_to cut-once@example.net
	soon has_mail_to later-once@example.net
	soon eval '[ "$(state_of later-once)" = 1 ]'
	[ "$(sql "SELECT response FROM deliveries d JOIN alert_channels c ON c.id = d.channel_id
		WHERE c.address = 'nobody@example.net' LIMIT 1")" = "550 5.1.1 There is no such user" ]
	api POST /hooks/generic -d monitor=2 -d state=up
}

@test "a server that does not reply delays no other receiver" {
	channel slow@example.com -d takes_all_monitors=1
	channel quick@example.com -d takes_all_monitors=1
	api POST /hooks/generic -d monitor=2 -d state=down -d cause=x
	soon has_mail_to quick@example.com
	api DELETE "/api/v1/alert-channels/$((channel - 1))"
	api POST /hooks/generic -d monitor=2 -d state=up
}

@test "STARTTLS and the login are required, and a server without them gets no message" {
	folder=$BATS_TEST_TMPDIR/tls
	mkdir "$folder"
	certificate
	mkdir "$folder/mails"
	port=$(own_port)
	tls_server=$(mail_server "$port" "$folder/mails" "$folder/cert.pem" "$folder/key.pem")
	printf 'right\n' >"$folder/password"
	cp "$conf" "$folder/daymark.conf"
	test_message tls@example.org
	set_mail() {
		sed -i "/^\[mail\]/,\$d" "$folder/daymark.conf"
		printf '[mail]\nfrom = status@example.org\n%s\n' "$1" >>"$folder/daymark.conf"
	}
	ask() {
		run "$ctl" alert-channel test "$channel" --config "$folder/daymark.conf"
	}
	login="user = status
password_file = $folder/password"
	set_mail "server = smtp://localhost:$port
ca_file = $folder/cert.pem
$login"
	ask
	[ "$status" = 0 ]
	[ "$(find "$folder/mails" -type f | wc -l)" = 1 ]
	# A certificate of an unknown authority, a wrong password, and a server without STARTTLS.
	set_mail "server = smtp://localhost:$port
$login"
	ask
	[ "$status" = 1 ]
	printf 'wrong\n' >"$folder/password"
	set_mail "server = smtp://localhost:$port
ca_file = $folder/cert.pem
$login"
	ask
	[ "$status" = 1 ]
	[[ $output == *'Status 535: 535 5.7.8'* ]]
	before=$(mail_count)
	set_mail "server = smtp://127.0.0.1:$(sed -n 's|^server = smtp://127.0.0.1:||p' "$conf")
ca_file = $folder/cert.pem"
	ask
	[ "$status" = 1 ]
	[ "$(mail_count)" = "$before" ]
	[ "$(find "$folder/mails" -type f | wc -l)" = 1 ]
	refute grep -q 'right\|wrong' "$log"
}

@test "messages of all sizes around 64 KB arrive whole" {
	address=size@$(new_slug).example
	channel "$address" -d takes_all_monitors=1
	# 9 bytes for a character, and as much as HTML.
	for count in 3550 3600 3640 7250 7300; do
		before=$(mail_to "$address")
		head -c "$count" /dev/zero | sed 's/\x0/€/g' >"$BATS_TEST_TMPDIR/body"
		api POST /api/v1/incidents -d "title=Size $count" -d impact=none -d 'monitor_ids[]=1' \
			--data-urlencode "body@$BATS_TEST_TMPDIR/body"
		want 201
		incident=$(jq .data.id "$answer")
		soon eval '[ "$(mail_to "$address")" != "$before" ]'
		/usr/bin/python3 -c 'import email, email.policy, sys
message = email.message_from_bytes(open(sys.argv[1], "rb").read(), policy=email.policy.default)
assert "€" * int(sys.argv[2]) in next(message.iter_parts()).get_content()' "$(mail_to "$address")" "$count"
		api DELETE "/api/v1/incidents/$incident"
	done
}

@test "a real mail server delivers a message, and its report of an unknown recipient is read" {
	. "$TOP/tests/lib/exim.bash"
	folder=$BATS_TEST_TMPDIR/exim
	mkdir "$folder"
	certificate
	port=$(own_port)
	exim_start "$folder" "$port" "$folder/cert.pem" "$folder/key.pem"
	sender=status+7.q3Zk0cYt1bE@example.org
	{
		sed "/^\[mail\]/,\$d" "$conf"
		printf '[mail]\nserver = smtp://localhost:%s\nca_file = %s/cert.pem\nfrom = %s\n' "$port" "$folder" "$sender"
	} >"$folder/daymark.conf"
	channel ops@example.org
	"$ctl" alert-channel test "$channel" --config "$folder/daymark.conf"
	arrived() {
		[ "$(find "$folder/mail/new" -type f | wc -l)" = "$1" ]
	}
	soon arrived 1
	grep -q '^Envelope-to: ops@example.org' "$folder"/mail/new/*
	grep -q 'with esmtps' "$folder"/mail/new/*
	rm "$folder"/mail/new/*
	channel nobody@example.org
	"$ctl" alert-channel test "$channel" --config "$folder/daymark.conf"
	soon arrived 1
	"${DAYMARK_BUILD:-$TOP/build}/tests/lib/read-bounce" <"$(echo "$folder"/mail/new/*)" >"$folder/read"
	cat "$folder/read"
	grep -qxF "to	$sender" "$folder/read"
	grep -qP '^failed\t5\.\d\.\d\thard\tnobody@example.org\t' "$folder/read"
	/usr/bin/python3 -c 'import email, sys
from flufl.bounce import all_failures
assert all_failures(email.message_from_binary_file(open(sys.argv[1], "rb")))[1] == {b"nobody@example.org"}' "$folder"/mail/new/*
}

@test "messages of all kinds keep the rules of MIME, and their HTML is valid" {
	address=kinds@$(new_slug).example
	channel "$address" -d takes_all_monitors=1
	kinds=$channel
	japanese=$(printf '障害%.0s' {1..41})
	# A title that forges a header is refused, or arrives as one line.
	titles=("emoji 🧨👩‍🚒 & <b>\"x\"</b>" "$japanese ok" '=?UTF-8?Q?forged?= =?' "$(printf 'a%.0s' {1..200})" ' .dot' 'plain' "ü$(printf ' %.0s' {1..80})ü")
	for title in "${titles[@]}" $'x\r\nBcc: b@example.org'; do
		api POST /api/v1/incidents --data-urlencode "title=$title" -d impact=major_outage -d 'monitor_ids[]=1' \
			--data-urlencode $'body=.dot\r\n**bold** [link](https://example.org/?a=1&b=2) `code` <script>\n\n- item  \n'
		[[ "$title" == x* ]] || { want 201 && incident=$(jq .data.id "$answer"); }
	done
	api POST "/api/v1/incidents/$incident/updates" -d phase=resolved --data-urlencode $'body=# Over\n\n> quoted & <i>done</i> =3D \t\n.\n--'
	want 201
	api POST /api/v1/maintenances --data-urlencode 'title=Umbau der Datenbank – "groß"' -d 'monitor_ids[]=1' \
		-d "starts_at=$(date -u -d '+1 hour' +%FT%TZ)" -d "ends_at=$(date -u -d '+2 hours' +%FT%TZ)" --data-urlencode 'body=Wartung &amp; mehr'
	want 201
	api POST /hooks/generic -d monitor=2 -d state=down --data-urlencode $'cause=\a\x7f caf\xc3\xa9 \xe2\x80\xae <&>'
	api POST /hooks/generic -d monitor=2 -d state=up
	api POST "/api/v1/alert-channels/$kinds/test"
	kinds_wait() {
		[ "$(grep -l "^X-Envelope: .* $address " "$mails"/* | wc -l)" -ge 10 ]
	}
	soon kinds_wait
	mkdir "$BATS_TEST_TMPDIR/html"
	find "$mails" -type f ! -name '*.part' -exec /usr/bin/python3 "$TOP/tests/lib/check_mail.py" "$BATS_TEST_TMPDIR/html" {} + >"$BATS_TEST_TMPDIR/subjects"
	cat "$BATS_TEST_TMPDIR/subjects"
	[ -d "$TOP/.tools/page/node_modules" ] || skip "html-validate was not fetched"
	"$TOP/tests/lib/valid-html" "$BATS_TEST_TMPDIR"/html/*.html
}
