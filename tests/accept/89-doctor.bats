load lib

# A service of its own, whose database and folders may be spoilt.
setup_file() {
	own_unlimited_service_start <<-'END'
		[server]
		publisher = no
	END
}

teardown_file() {
	own_service_stop
}

setup() {
	own_service
	page=$(new_slug)
}

teardown() {
	[ -z "${strict:-}" ] || kill "$strict"
	[ -z "${dns:-}" ] || kill "$dns" 2>/dev/null || true
}

# doctor STATUS CHECK STATE [ARGUMENT...]: the exit status, and the state of a check.
doctor() {
	local wanted=$1 check=$2 state=$3
	shift 3
	run "$ctl" doctor "$@"
	[ "$status" = "$wanted" ] || { echo "$output" && false; }
	grep -qE "^$state +$check( |\$)" <<<"$output" || { echo "$output" && false; }
}

fix() {
	[[ "$output" == *"fix: $1"* ]] || { echo "$output" && false; }
}

@test "doctor finds nothing wrong with a sound installation" {
	page_with_monitor
	"$ctl" work --once
	doctor 0 'public by web' ok
	[[ "$output" != *'NOT OK'* && "$output" == *$'\n\nNothing is wrong.' ]]
	"$ctl" doctor --json | jq -e 'all(.[]; .ok and (.warning or .skipped | not)) and length > 15'
}

@test "doctor warns of a console whose passwords the network can read" {
	doctor 0 console ok --offline
	sed "s|^base_url = .*|base_url = http://status.example.org|" "$conf" >"$BATS_TEST_TMPDIR/conf"
	chmod 600 "$BATS_TEST_TMPDIR/conf"
	run "$ctl" doctor --offline --config "$BATS_TEST_TMPDIR/conf"
	grep -qE '^warning +console .*https' <<<"$output" || { echo "$output" && false; }
}

@test "doctor warns of passkeys that were added at another host name" {
	doctor 0 passkeys ok --offline
	sql "INSERT INTO users (name, created_at) VALUES ('passkey-$$', NOW())"
	sql "INSERT INTO user_passkeys (user_id, credential_id, public_key, rp_id, name, counter, created_at)
		SELECT id, 'of-$$', '', 'old.example.org', 'Laptop', 0, NOW() FROM users WHERE name = 'passkey-$$'"
	doctor 0 passkeys warning --offline
	[[ "$output" = *'passkeys of old.example.org, which do not work at 127.0.0.1'* ]]
	sql "DELETE FROM users WHERE name = 'passkey-$$'"
	[ "$(sql "SELECT COUNT(*) FROM user_passkeys WHERE credential_id = 'of-$$'")" = 0 ]
	doctor 0 passkeys ok --offline
}

@test "doctor warns of a forgotten setup.token" {
	doctor 0 'setup token' ok --offline
	(umask 077 && head -c 40 /dev/zero | tr '\0' x >"${conf%/*}/setup.token")
	doctor 0 'setup token' warning --offline
	fix "rm ${conf%/*}/setup.token"
	rm "${conf%/*}/setup.token"
	doctor 0 'setup token' ok --offline
}

@test "doctor looks at the address of the console, and loads its libraries" {
	doctor 0 'console libraries' ok --offline
	(cat "$conf" && printf '[console]\nurl = http://console.example.org\n') >"$BATS_TEST_TMPDIR/conf"
	chmod 600 "$BATS_TEST_TMPDIR/conf"
	run "$ctl" doctor --offline --config "$BATS_TEST_TMPDIR/conf"
	grep -qE '^warning +console .*\[console\] url does not begin with https.*single sign-on' <<<"$output" || { echo "$output" && false; }
	# Without a library the screens respond with 500.
	for library in liboath libqrencode libzxcvbn; do
		run env LD_PRELOAD="$(no_library "$library")" "$ctl" doctor --offline
		[ "$status" = 1 ]
		grep -qE "^NOT OK +console libraries .*$library" <<<"$output" || { echo "$output" && false; }
	done
}

# no_library NAME: prints the path of a library with which dlopen() fails for files of this name.
no_library() {
	local file=$BATS_TEST_TMPDIR/no-$1
	printf '%s\n' '#define _GNU_SOURCE' '#include <dlfcn.h>' '#include <string.h>' \
		'void *dlopen(const char *file, int flags) {' \
		"	void *(*next)(const char *, int) = dlsym(RTLD_NEXT, \"dlopen\");" \
		"	return next(file && strstr(file, \"$1\") ? \"$1-is-missing\" : file, flags); }" >"$file.c"
	cc -shared -fPIC -o "$file.so" "$file.c" && echo "$file.so"
}

@test "doctor names permissions that are too wide" {
	for file in private state secret; do
		[ -e "$dir/pages/$file" ] || continue
		chmod o+r "$dir/pages/$file"
		doctor 1 'private files' 'NOT OK' --offline
		fix "chmod go= $dir/pages/$file"
		chmod o-r "$dir/pages/$file"
	done
	chmod 644 "$conf"
	doctor 1 daymark.conf 'NOT OK' --offline
	chmod 600 "$conf"
	doctor 0 'private files' ok --offline
}

@test "doctor names a signing key that is lost while pages need it" {
	new_page -F privacy=1
	"$ctl" backup "$BATS_TEST_TMPDIR/backup"
	doctor 0 'signing key' ok
	mv "$dir/pages/secret" "$BATS_TEST_TMPDIR/secret"
	doctor 0 'signing key' warning
	fix 'copy `secret` from'
	# As the fix says where there is no copy.
	"$ctl" backup "$BATS_TEST_TMPDIR/backup"
	doctor 0 'signing key' ok
	mv "$BATS_TEST_TMPDIR/secret" "$dir/pages/secret"
}

@test "doctor names pages that no worker and no timer publishes" {
	page_with_monitor
	# As if a request had died before it published.
	sql "UPDATE page_revisions SET
		unpublished_since = UTC_TIMESTAMP() - INTERVAL 1 HOUR,
		revision = revision + 1, changed_at = UTC_TIMESTAMP() - INTERVAL 1 HOUR"
	doctor 1 'background work' 'NOT OK'
	fix 'systemctl enable --now daymark-publish.timer'
	[[ "$output" == *'NOT OK   due pages'* ]]
	"$ctl" work --once
	doctor 0 'due pages' ok
}

@test "doctor says if no timer runs, though nothing is due yet" {
	rm -f "$dir/pages/lock/publisher"
	doctor 0 'background work' warning --offline
	[[ "$output" == *'no timer has ever run'* ]]
	fix 'systemctl enable --now daymark-publish.timer'
	# The question alone is no run.
	doctor 0 'background work' warning --offline
	"$ctl" work --once
	doctor 0 'background work' ok --offline
	# The crontab of older installations.
	rm "$dir/pages/lock/publisher"
	"$ctl" publish
	doctor 0 'background work' ok --offline
	echo "$((EPOCHSECONDS - 1300))" >"$dir/pages/lock/publisher"
	doctor 0 'background work' warning --offline
	[[ "$output" == *'none has run for 21 minutes'* ]]
	"$ctl" work --once
}

@test "doctor names heartbeats that wait on the disk, and lost ones" {
	local spool=$dir/pages/spool
	doctor 0 heartbeats ok --offline
	waits_since() {
		printf '%-46s\n' 'daymark spool 0123456789abcdef' "7 1 0 $(date -u -d "@$((EPOCHSECONDS - $1))" +%Y-%m-%dT%H:%M:%SZ)" >"$spool"
	}
	waits_since 30
	doctor 0 heartbeats ok --offline
	waits_since 300
	doctor 1 heartbeats 'NOT OK' --offline
	[[ "$output" == *'have waited on the disk for 30'* ]]
	echo damaged >"$spool-damaged"
	rm "$spool"
	doctor 0 heartbeats warning --offline
	[[ "$output" == *"$dir/pages/spool-damaged has heartbeats that are lost"* ]]
	rm "$spool-damaged"
	# What no process can read is not "none".
	head -c 94 /dev/zero >"$spool"
	doctor 1 heartbeats 'NOT OK' --offline
	rm "$spool"
}

@test "doctor says when no checker checks the monitors" {
	page_with_monitor
	doctor 0 checker ok --offline
	[[ "$output" == *'no monitor is to be checked'* ]]
	"$ctl" monitor set "$monitor" --type http --url https://example.com/
	doctor 1 checker 'NOT OK' --offline
	[[ "$output" == *'no daymark-check has ever run; 1 monitor to check'* ]]
	fix 'systemctl enable --now daymark-check'
	sql "INSERT INTO check_locations (id, name, holder, lease_until, seen_at) VALUES
		(0, '', 'x', UTC_TIMESTAMP(3) + INTERVAL 15 SECOND, UTC_TIMESTAMP())"
	doctor 0 checker ok --offline
	sql "UPDATE check_locations SET lease_until = UTC_TIMESTAMP(3) - INTERVAL 120 SECOND,
		seen_at = UTC_TIMESTAMP() - INTERVAL 135 SECOND"
	doctor 1 checker 'NOT OK' --offline
	[[ "$output" == *'no daymark-check has run for 2 minutes'* ]]
	# A checker that was restarted a moment ago is no fault.
	sql "UPDATE check_locations SET holder = NULL, lease_until = NULL,
		seen_at = UTC_TIMESTAMP() - INTERVAL 20 SECOND"
	doctor 0 checker ok --offline
	# By cron.
	"$ctl" monitor set "$monitor" --interval 60s
	sql "UPDATE check_locations SET seen_at = UTC_TIMESTAMP(), lease_until = UTC_TIMESTAMP(3) + INTERVAL 661 SECOND"
	doctor 0 checker warning --offline
	[[ "$output" == *'runs every 300 s or so, less often than the interval of 1 monitor'* ]]
	"$ctl" monitor set "$monitor" --pause
	sql 'DELETE FROM check_locations'
	doctor 0 checker ok --offline
}

@test "doctor names a database that is away, read-only, or has another clock" {
	sql 'SET GLOBAL read_only = ON'
	doctor 69 writes 'NOT OK'
	sql 'SET GLOBAL read_only = OFF'
	run faketime '1 hour ago' "$ctl" doctor --offline
	[ "$status" = 1 ]
	[[ "$output" == *"the database's clock is 3"*' s ahead'* ]]
	sed 's|^socket = .*|socket = /nonexistent|' "$conf" >"$BATS_TEST_TMPDIR/conf"
	doctor 69 'database server' 'NOT OK' --offline --config "$BATS_TEST_TMPDIR/conf"
}

@test "doctor names rights in the database that the service does not need" {
	local user
	user=$(sed -n 's/^user = //p' "$conf")
	sql "GRANT DROP ON daymark.* TO '$user'@'localhost'"
	doctor 0 rights warning --offline
	[[ "$output" == *"$user may also DROP"* ]]
	sql "REVOKE DROP ON daymark.* FROM '$user'@'localhost'"
	doctor 0 rights ok --offline
}

# serve FOLDER: starts a web server that has the folder; sets $server to its pid, $port, and $web_conf to a
# configuration with its address.
serve() {
	port=''
	python3 -u -m http.server --bind 127.0.0.1 --directory "$1" 0 >"$BATS_TEST_TMPDIR/out" 2>&1 3>&- &
	server=$!
	while [ -z "$port" ]; do
		port=$(grep -oE 'port [0-9]+' "$BATS_TEST_TMPDIR/out" | cut -d ' ' -f 2) || sleep 0.05
	done
	echo ready >"$1/readyz"
	web_conf=$BATS_TEST_TMPDIR/conf
	sed "s|^base_url = .*|base_url = http://127.0.0.1:$port|" "$conf" >"$web_conf"
}

@test "doctor names a web server that serves the whole pages folder" {
	page_with_monitor -F privacy=1
	serve "$dir/pages"
	run "$ctl" doctor --config "$web_conf"
	kill "$server"
	rm "$dir/pages/readyz"
	[ "$status" = 1 ]
	[[ "$output" == *"anyone can fetch http://127.0.0.1:$port/private/"* ]]
	fix 'the web server may read only the folders public and noindex'
}

@test "doctor names the reason why the web server shows no page" {
	page_with_monitor
	mkdir "$BATS_TEST_TMPDIR/web"
	serve "$BATS_TEST_TMPDIR/web"
	chmod o-x "$dir"
	run "$ctl" doctor --config "$web_conf"
	kill "$server"
	[ "$status" = 1 ]
	[[ "$output" == *'is not the published file'* ]]
	fix "chmod o+x $dir"
}

# mirror_conf PORT: sets $mirror_conf, a configuration with the mirror `paris` at that port.
mirror_conf() {
	mirror_conf=$BATS_TEST_TMPDIR/conf
	{ cat "$conf" && printf '\n[mirrors]\nmirror = http://127.0.0.1:%s name=paris key=%s\n' \
		"$1" 0123456789abcdef0123456789abcdef; } >"$mirror_conf"
	chmod 600 "$mirror_conf"
}

@test "doctor names pages whose files are gone or changed, and prints a command that mends it" {
	mirror_conf=$conf
	page_with_monitor -F "domain=$(new_slug).example.com"
	new_page -F privacy=1
	# Visitors get nothing, and the web server has no file to compare.
	rm -r "$dir/pages/private/$slug"
	page_with_monitor
	doctor 1 'files of pages' 'NOT OK'
	[[ "$output" == *' 1 lack files'* ]]
	fix 'daymarkctl publish --all'
	rm "$dir/pages/public/s/$slug"/index.html*
	doctor 1 'files of pages' 'NOT OK'
	[[ "$output" == *' 2 lack files'* ]]
	echo defaced >"$dir/pages/public/s/$slug/summary.json"
	rm "$dir"/pages/public/s/*/index.html
	doctor 1 'files of pages' 'NOT OK'
	[[ "$output" != *'visitors get'* ]]
	run_fix
	[ "$status" = 0 ]
	doctor 0 'files of pages' ok
	doctor 0 'public by web' ok
	anyone GET "/s/$slug/summary.json"
	want 200 .page
}

# run_fix: runs the first daymarkctl command of the fixes, with the test's configuration.
run_fix() {
	local words
	read -ra words < <(grep -oP -m 1 'fix: daymarkctl \K.*' <<<"$output")
	run "$ctl" "${words[@]}" --config "$mirror_conf"
}

@test "doctor names a mirror that gets nothing" {
	mirror_conf 9
	doctor 1 'mirror paris' 'NOT OK' --offline --config "$mirror_conf"
	fix 'daymarkctl mirror push --name paris'
	[[ "$output" != *0123456789abcdef* ]]
}

@test "doctor names the error of a mirror that refuses, and prints a command that mends it" {
	local port
	port=$(own_port)
	"$TOP/tests/lib/strict-mirror" "$port" 0123456789abcdef0123456789abcdef 3>&- &
	strict=$!
	mirror_conf "$port"
	page_with_monitor
	soon curl -fsS "http://127.0.0.1:$port/state"
	"$ctl" mirror push --config "$mirror_conf"
	doctor 0 'mirror paris' ok --offline --config "$mirror_conf"
	# Nothing waits, but nobody knows what the mirror has.
	curl -fsS -d 401 "http://127.0.0.1:$port/fail"
	run "$ctl" mirror push --config "$mirror_conf"
	doctor 0 'mirror paris' warning --offline --config "$mirror_conf"
	[[ "$output" == *'the last attempt failed: '*401* ]]
	sed -i "s/^complete .*/complete $((EPOCHSECONDS - 310)) - 0/" "$dir/pages/mirror/paris/status"
	doctor 1 'mirror paris' 'NOT OK' --offline --config "$mirror_conf"
	[[ "$output" == *'was last complete 5 minutes ago: '*401* ]]
	curl -fsS -d 0 "http://127.0.0.1:$port/fail"
	run_fix
	[ "$status" = 0 ]
	doctor 0 'mirror paris' ok --offline --config "$mirror_conf"
}

# config_copy SED...: sets $copy, a copy of the configuration with changes.
config_copy() {
	copy=$BATS_TEST_TMPDIR/copy.conf
	sed "$@" "$conf" >"$copy"
	chmod 600 "$copy"
}

@test "doctor and check-config name a pages folder that belongs to root, not to the service" {
	[ "$(id -u)" = 0 ] || skip "only root can give folders away"
	local state=$BATS_TEST_TMPDIR/state
	mkdir -p "$state/pages"
	chmod 0755 "$BATS_TEST_TMPDIR"
	chown nobody "$state"
	config_copy "s|^dir = .*|dir = $state/pages|"
	for command in doctor check-config; do
		run "$ctl" "$command" --config "$copy"
		[ "$status" = 1 ]
		[[ "$output" == *"NOT OK   pages folder"*"$state/pages belongs to root, so that the service, which runs as nobody, cannot publish"* ]]
		fix "chown -R nobody: $state/pages"
	done
	# As the group of the configuration tells, where the folder around belongs to root, too.
	chown root "$state"
	chgrp mail "$copy"
	if id -u mail >/dev/null 2>&1; then
		run "$ctl" check-config --config "$copy"
		fix "chown -R mail: $state/pages"
	fi
	chgrp root "$copy"
	run "$ctl" check-config --config "$copy"
	[[ "$output" != *'belongs to root'* ]]
}

@test "doctor and check-config name a migrate_user that cannot log in" {
	config_copy 's|^migrate_password = .*|migrate_password = wrong|'
	run "$ctl" check-config --config "$copy"
	[ "$status" = 1 ]
	[[ "$output" == *"NOT OK   migrate_user"*"daymark_migrate cannot log in, so that backup and migrate fail"* ]]
	fix 'set [database] migrate_password'
	doctor 1 migrate_user 'NOT OK' --offline --config "$copy"
	doctor 0 migrate_user ok --offline
	# A provider gives one user.
	config_copy '/^migrate_/d'
	run "$ctl" check-config --config "$copy"
	[[ "$output" != *migrate_user* ]]
}

@test "check-config names a socket that only the service's own user may use" {
	[ "$(id -u)" = 0 ] || skip "only root can give sockets away"
	local socket=$BATS_TEST_TMPDIR/s
	python3 -c 'import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])' "$socket"
	chown nobody:nogroup "$socket"
	chmod 0660 "$socket"
	config_copy "s|^listen = .*|listen = unix:$socket|"
	# A group that has no other user.
	chgrp 4242 "$socket"
	run "$ctl" check-config --config "$copy"
	[ "$status" = 0 ]
	[[ "$output" == *"warning  socket"*"no user but nobody is in the group 4242 of $socket"* ]]
	fix 'SocketGroup= in daymark.socket'
	chgrp www-data "$socket"
	run "$ctl" check-config --config "$copy"
	[ "$status" = 0 ]
	grep -qE '^ok +socket ' <<<"$output"
}

@test "doctor names two installations that use one database" {
	# The service of which this one is a copy counts for 15 minutes.
	sql 'DELETE FROM installations'
	"$ctl" work --once
	doctor 0 installation ok --offline
	# A staging copy with the same database, which runs at the same time.
	config_copy -e 's|^base_url = .*|base_url = https://staging.example.org|' -e "s|^dir = .*|dir = $BATS_TEST_TMPDIR/pages|"
	"$ctl" work --once --config "$copy"
	# Times are whole seconds: both began a minute ago.
	sql 'UPDATE installations SET since = since - INTERVAL 1 MINUTE'
	doctor 1 installation 'NOT OK' --offline
	[[ "$output" == *'an installation with the address staging.example.org uses the same database'* ]]
	doctor 1 installation 'NOT OK' --offline --config "$copy"
	# It has ended.
	sql "UPDATE installations SET seen_at = seen_at - INTERVAL 16 MINUTE, since = since - INTERVAL 1 DAY WHERE address = 'staging.example.org'"
	doctor 0 installation ok --offline
	# It was this installation's address: it came before the address of now, and with https no other.
	sql "UPDATE installations SET seen_at = UTC_TIMESTAMP() - INTERVAL 1 MINUTE WHERE address = 'staging.example.org'"
	sql "UPDATE installations SET since = UTC_TIMESTAMP() WHERE address <> 'staging.example.org'"
	doctor 0 installation ok --offline
	config_copy 's|^base_url = http:|base_url = https:|'
	doctor 0 installation ok --offline --config "$copy"
	sql 'DELETE FROM installations'
}

# Sets $on to a configuration that sends messages.
notify_conf() {
	on=$BATS_TEST_TMPDIR/on.conf
	{
		cat "$conf"
		printf '[notify]\nenabled = yes\n'
	} >"$on"
	chmod 600 "$on"
}

@test "doctor tells of messages that wait, of failed ones, and of suspended channels" {
	local channel
	run "$ctl" doctor --offline
	[[ "$output" != *'alert channels'* ]]
	notify_conf
	for check in messages 'failed messages' 'alert channels'; do
		doctor 0 "$check" ok --offline --config "$on"
	done
	api POST /api/v1/alert-channels -d name=Pager -d type=ntfy -d 'value[topic]=pager'
	want 201
	channel=$(jq .data.id "$answer")
	sql "INSERT INTO outbox (account_id, kind, object_id, at, payload, due_at) SELECT MIN(id), 'incident.opened', 1,
			UTC_TIMESTAMP() - INTERVAL 190 SECOND, '{}', UTC_TIMESTAMP() FROM accounts;
		UPDATE alert_channels SET suspended_at = UTC_TIMESTAMP(), suspension = 'gone' WHERE id = $channel"
	doctor 0 messages warning --offline --config "$on"
	[[ "$output" == *'no sender has taken what has happened for 3 minutes'* ]]
	fix 'is daymark-sender there?'
	doctor 0 'alert channels' warning --offline --config "$on"
	[[ "$output" == *"suspended, since their receivers refuse messages: $channel (Pager)"* ]]
	sql "UPDATE outbox SET is_expanded = 1;
		INSERT INTO deliveries (account_id, outbox_id, channel_id, round, event, kind, object_id, state, tries, created_at, first_due_at, due_at)
			SELECT account_id, id, $channel, seq, 0, kind, 1, IF(seq = 2, 2, 0), seq, UTC_TIMESTAMP() - INTERVAL 2 DAY,
			UTC_TIMESTAMP() - INTERVAL 670 SECOND, UTC_TIMESTAMP() + INTERVAL IF(seq = 2, 0, 1) HOUR FROM outbox, seq_0_to_2"
	doctor 0 messages warning --offline --config "$on"
	[[ "$output" == *'a message has waited for 11 minutes; 2 messages to send'* ]]
	doctor 0 'failed messages' warning --offline --config "$on"
	[[ "$output" == *'1 message of the last day'* ]]
	sql "DELETE FROM alert_channels; DELETE FROM outbox"
}

@test "doctor names an alert channel that another signing key has encrypted" {
	local old
	notify_conf
	api POST /api/v1/alert-channels -d name=Old -d type=ntfy -d 'value[topic]=old'
	want 201
	old=$(jq .data.id "$answer")
	doctor 0 'channel secrets' ok --offline --config "$on"
	mv "$dir/pages/secret" "$BATS_TEST_TMPDIR/secret"
	"$ctl" backup "$BATS_TEST_TMPDIR/backup"
	doctor 1 'channel secrets' 'NOT OK' --offline --config "$on"
	[[ "$output" == *"cannot decrypt the address of channel $old"* ]]
	fix 'bring the former file `secret` back'
	# A channel that is entered again is readable by the new key.
	api PUT "/api/v1/alert-channels/$old" -d type=ntfy -d 'value[topic]=old'
	want 200
	doctor 0 'channel secrets' ok --offline --config "$on"
	api DELETE "/api/v1/alert-channels/$old"
	mv "$BATS_TEST_TMPDIR/secret" "$dir/pages/secret"
}

# mail_conf FROM [SERVER]: the configuration $mail_conf, which sends e-mail and asks the DNS server of the test.
mail_conf() {
	mail_conf=$BATS_TEST_TMPDIR/mail.conf
	{
		cat "$conf"
		printf '[notify]\nenabled = yes\n[mail]\nserver = %s\nfrom = %s\n[site]\nresolver = 127.0.0.1:%s\n' \
			"${2:-smtp://mail.example.org:587}" "$1" "$name_server"
	} >"$mail_conf"
	chmod 600 "$mail_conf"
}

# dns_server [LINE]...: starts one that knows of the domain test what the lines say.
dns_server() {
	needs dnsmasq
	[ ! -s "$BATS_TEST_TMPDIR/dns.pid" ] || kill "$(cat "$BATS_TEST_TMPDIR/dns.pid")"
	name_server=$(own_port)
	printf '%s\n' no-resolv no-hosts bind-interfaces listen-address=127.0.0.1 "port=$name_server" local=/test/ local=/arpa/ \
		"pid-file=$BATS_TEST_TMPDIR/dns.pid" user=root "$@" >"$BATS_TEST_TMPDIR/dns.conf"
	PATH=$PATH:/usr/sbin dnsmasq --conf-file="$BATS_TEST_TMPDIR/dns.conf" 3>&- || return 1
	soon test -s "$BATS_TEST_TMPDIR/dns.pid"
	dns=$(cat "$BATS_TEST_TMPDIR/dns.pid")
}

# mail_finding CHECK STATE TEXT: a line of the last output.
mail_finding() {
	grep -qE "^$2 +$1 .*$3" <<<"$output" || { echo "$output" && false; }
}

@test "doctor tells what DNS says about the sender of e-mail" {
	dns_server mx-host=good.test,mx.good.test,10 txt-record=good.test,'v=spf1 mx -all' txt-record=good.test,other \
		txt-record=_dmarc.good.test,'v=DMARC1; sp=quarantine; p=none' \
		host-record=plain.test,192.0.2.1 txt-record=sub.good.test,'V=spf1 a ~all' mx-host=sub.good.test,mx.good.test,10 \
		mx-host=two.test,mx.good.test,10 txt-record=two.test,'v=spf1 mx' txt-record=two.test,v=spf1 txt-record=two.test,v=spf10 \
		txt-record=_dmarc.two.test,v=DMARC1 txt-record=_dmarc.plain.test,'v=DMARC1;p=none' txt-record=_dmarc.plain.test,'v=DMARC1; p=none'
	run "$ctl" doctor --offline
	[[ "$output" != *DMARC* ]]
	mail_conf status@good.test
	doctor 0 'sender domain' ok --config "$mail_conf"
	mail_finding 'sender domain' ok 'good.test has the MX 10 mx.good.test'
	mail_finding SPF ok 'good.test has "v=spf1 mx -all"'
	mail_finding DMARC ok '_dmarc.good.test has p=none'
	mail_finding DKIM skipped 'the mail server must sign with d=good.test'
	fix 'daymarkctl alert-channel test ID; the source of the received message has `dkim=pass` with `header.d=good.test`'
	[[ "$output" != *'reverse DNS'* ]]
	"$ctl" doctor --json --config "$mail_conf" | jq -e 'any(.[]; .check == "SPF" and .ok and (.warning | not))
		and any(.[]; .check == "DKIM" and .skipped and (.fix | contains("d=good.test")))'
	# DMARC of the domain above it.
	mail_conf status@sub.good.test
	doctor 0 DMARC ok --config "$mail_conf"
	mail_finding DMARC ok '_dmarc.good.test has p=quarantine'
	mail_finding SPF ok 'sub.good.test has "V=spf1 a ~all"'
	mail_conf status@plain.test
	doctor 0 'sender domain' ok --config "$mail_conf"
	mail_finding 'sender domain' ok 'plain.test has no MX, but the address 192.0.2.1'
	mail_finding SPF warning 'plain.test has no TXT record v=spf1'
	mail_finding DMARC warning '_dmarc.plain.test has several'
	mail_conf status@two.test
	doctor 0 SPF warning --config "$mail_conf"
	mail_finding SPF warning 'two.test has 2 TXT records v=spf1'
	mail_finding DMARC warning '_dmarc.two.test has no p='
	mail_conf status@none.test
	doctor 0 'sender domain' warning --config "$mail_conf"
	mail_finding 'sender domain' warning 'none.test has neither an MX nor an address'
	mail_finding DMARC warning 'none.test has no TXT record'
	fix 'have one record: _dmarc.none.test. TXT "v=DMARC1; p=none"'
	mail_conf status@localhost
	doctor 0 'sender domain' warning --config "$mail_conf"
	mail_conf status@good.test
	doctor 0 'sender domain' skipped --offline --config "$mail_conf"
	[[ "$output" != *SPF* ]]
	kill "$dns"
	soon has_ended "$dns"
	# Refused at once.
	doctor 0 SPF skipped --config "$mail_conf"
	mail_finding 'sender domain' skipped 'no answer of DNS'
}

@test "doctor ends in time if DNS does not answer" {
	name_server=$(own_port)
	python3 -c 'import socket, sys
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.bind(("127.0.0.1", int(sys.argv[1])))
print("ready", flush=True)
sys.stdin.read()' "$name_server" < <(exec sleep 60) >"$BATS_TEST_TMPDIR/silent" 3>&- &
	silent=$!
	soon grep -q ready "$BATS_TEST_TMPDIR/silent"
	mail_conf status@good.test
	local began=$SECONDS
	doctor 0 'sender domain' skipped --config "$mail_conf"
	[ $((SECONDS - began)) -lt 30 ]
	kill "$silent"
}

@test "doctor looks for the names of public addresses if the mail server is on this machine" {
	unshare -rn true 2>/dev/null || skip "no network of its own can be made here"
	needs dnsmasq ip
	name_server=$(own_port)
	mail_conf status@good.test smtp://localhost:25
	# In a network of its own: 9.9.9.1 has a name, that of 9.9.9.2 is another's, 9.9.9.3 has none.
	run unshare -rn bash -c 'PATH=$PATH:/usr/sbin
		ip link set lo up
		for i in 1 2 3; do ip address add 9.9.9.$i/32 dev lo; done
		ip -6 address add 2620:fe::1/128 dev lo nodad
		dnsmasq --no-daemon --conf-file=/dev/null --no-resolv --no-hosts --bind-interfaces --listen-address=127.0.0.1 \
			--port="$1" --user=root --pid-file= --local=/test/ --local=/arpa/ --host-record=mx.good.test,9.9.9.1,2620:fe::1 \
			--ptr-record=1.9.9.9.in-addr.arpa,mx.good.test --ptr-record=2.9.9.9.in-addr.arpa,mx.good.test &
		for ((i = 0; i < 200; i++)); do ! (exec 9<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null || break; sleep 0.05; done
		"$2" doctor --config "$3"
		kill $!' bash "$name_server" "$ctl" "$mail_conf"
	mail_finding 'reverse DNS' ok '9.9.9.1 is mx.good.test'
	mail_finding 'reverse DNS' ok '2620:fe::1 is mx.good.test'
	mail_finding 'reverse DNS' warning '9.9.9.2 has the name mx.good.test, which does not have the address'
	mail_finding 'reverse DNS' warning '9.9.9.3 has no PTR record'
	run unshare -rn "$ctl" doctor --config "$mail_conf"
	mail_finding 'reverse DNS' skipped 'this machine has no public address of its own'
}
