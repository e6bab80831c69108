# What the documents say is so.
load lib

# bounce DELIVERY: a report that its receiver does not exist, sent to the address that the installation has signed.
bounce() {
	local signature
	signature=$(python3 - "$pages/secret" "$1" <<-'END'
		import base64, hashlib, hmac, sys
		mac = hmac.digest(open(sys.argv[1], "rb").read(), f"bounce:{sys.argv[2]}".encode(), "sha256")
		print(hashlib.sha256(base64.urlsafe_b64encode(mac).rstrip(b"=")).hexdigest()[:20])
	END
	)
	sed "s/^\t*//" <<-END
		To: bounces+$1-$signature@example.org
		MIME-Version: 1.0
		Content-Type: multipart/report; report-type=delivery-status; boundary=b

		--b
		Content-Type: message/delivery-status

		Reporting-MTA: dns; mail.example.org

		Final-Recipient: rfc822; gone@example.org
		Action: failed
		Status: 5.1.1

		--b--
	END
}

@test "every example of API.md works as it stands, and nothing of openapi.json is left out" {
	account=$("$ctl" account add "Docs $(new_slug)" --json | jq .id)
	export KEY URL MONITOR INCIDENT TMPDIR HOOK CHANNEL DELIVERY REPORT STRICT_PAGE
	KEY=$("$ctl" key create --account "$account" --json | jq -r .key)
	URL=$base
	new_monitor Mail
	MONITOR=$monitor
	INCIDENT=$("$ctl" incident open --monitor "$MONITOR" --cause 'Mail is delivered late' --json | jq .id)
	TMPDIR=$BATS_TEST_TMPDIR
	HOOK=$base/not-a-hook
	# A message that a receiver refused for a while.
	CHANNEL=$("$ctl" alert-channel add First webhook --account "$account" --value "{\"url\": \"$HOOK\"}" --json | jq .id)
	DELIVERY=$(sql "INSERT INTO outbox (account_id, kind, object_id, at, payload, due_at, is_expanded)
			VALUES ($account, 'incident.opened', $INCIDENT, NOW(), '{}', NOW(), 1);
		INSERT INTO deliveries (account_id, outbox_id, channel_id, event, kind, object_id, state, tries, status, response,
			created_at, due_at, first_due_at, tried_at) VALUES ($account, LAST_INSERT_ID(), $CHANNEL, 0, 'incident.opened', $INCIDENT,
			0, 2, 503, 'Try again later.', NOW(), NOW() + INTERVAL 1 HOUR, NOW(), NOW());
		SELECT LAST_INSERT_ID()")
	# A message to a subscriber, and the report that it came back.
	slug=$(new_slug)
	STRICT_PAGE=$(curl -fsS -H "Authorization: Bearer $KEY" "$URL/api/v1/status-pages" -d name=Bounces -d slug="$slug" \
		-d needs_second_person=1 | jq .data.id)
	subscriber=$("$ctl" subscriber add "$slug" gone@example.org --json | jq .id)
	bounced=$(sql "INSERT INTO deliveries (account_id, subscriber_id, lane, event, kind, object_id, state, created_at, due_at, first_due_at)
			VALUES ($account, $subscriber, 1, 0, 'incident.opened', $INCIDENT, 1, NOW(), NOW(), NOW());
		SELECT LAST_INSERT_ID()")
	REPORT=$BATS_TEST_TMPDIR/report
	bounce "$bounced" >"$REPORT"
	cd "$TOP"
	curl -fsS "$URL/api/v1/openapi.json" >"$BATS_TEST_TMPDIR/openapi"
	python3 tests/lib/api-doc docs/API.md "$BATS_TEST_TMPDIR/openapi" "$log"
}

@test "the tables of API.md are those of openapi.json" {
	[ "$(grep -c '^<!-- table: ' "$TOP/docs/API.md")" = 41 ]
	anyone GET /api/v1/openapi.json
	"$TOP/tools/api-tables" --check "$TOP/docs/API.md" <"$answer"
}

@test "the lines of README.md work as they are pasted" {
	account=$("$ctl" account add "Readme $(new_slug)" --json | jq .id)
	KEY=$("$ctl" key create --account "$account" --json | jq -r .key)
	new_monitor Mail
	new_slug=$(new_slug)
	sed -n '/^## Your first page with curl/,/^The whole API/s/^    //p' "$TOP/README.md" |
		sed -e '/^export /d' -e 's/curl /curl -fsS /' -e "s/daymarkctl /'${ctl//\//\\/}' /" \
			-e "s/--monitor 2/--monitor $monitor/; s/monitor_ids\[\]=2/monitor_ids[]=$monitor/; s/slug=example/slug=$new_slug/" \
			>"$BATS_TEST_TMPDIR/lines"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/lines")" = 12 ]
	cd "$TOP"
	URL=$base KEY=$KEY bash -ex -o pipefail "$BATS_TEST_TMPDIR/lines" >"$BATS_TEST_TMPDIR/out"
	grep -q '"comment":"On it"' "$BATS_TEST_TMPDIR/out"
	grep -q '"status":"acknowledged"' "$BATS_TEST_TMPDIR/out"
	grep -q '"body":"Payments work again."' "$BATS_TEST_TMPDIR/out"
	grep -q '"title":"Upgrade"' "$BATS_TEST_TMPDIR/out"
	grep -q '"deleted":true' "$BATS_TEST_TMPDIR/out"
}

@test "an outage runs from the alarm to the post-mortem as INCIDENTS.md has it" {
	account=$("$ctl" account add "Incidents $(new_slug)" --json | jq .id)
	KEY=$("$ctl" key create --account "$account" --json | jq -r .key)
	slug=$(new_slug)
	sed -n '/^```sh$/,/^```$/{/^```/!p}' "$TOP/docs/INCIDENTS.md" |
		sed "s/slug=shop/slug=$slug/" >"$BATS_TEST_TMPDIR/lines"
	URL=$base KEY=$KEY bash -e -o pipefail "$BATS_TEST_TMPDIR/lines" >"$BATS_TEST_TMPDIR/out"
	diff - <(sed -E 's/[0-9]{4}-[0-9-]*T[0-9:]*Z/TIME/; s|/[0-9]+$|/ID|' "$BATS_TEST_TMPDIR/out" | uniq) <<-END
		<title>Example Shop status
		critical
		$base/s/$slug/incidents/ID
		TIME
		<title>Example Shop status
		<title>Orders fail · Example Shop status
		<title>Orders fail (Resolved)
		SUMMARY:Database upgrade
		Orders fail
		postmortem
		resolved
		monitoring
		identified
		investigating
		Database upgrade
		<title>All systems operational
	END
}

@test "the commands of MONITORING.md work where there are several accounts" {
	account=$("$ctl" account add "Monitoring $(new_slug)" --json | jq .id)
	new_monitor Mail
	mkdir "$BATS_TEST_TMPDIR/bin"
	ln -s "$ctl" "$BATS_TEST_TMPDIR/bin/daymarkctl"
	cd "$BATS_TEST_TMPDIR"
	"$ctl" key create --account "$account" >sender.key
	{
		grep -o '`daymarkctl key create [^`]*' "$TOP/docs/MONITORING.md" | tr -d '`'
		sed -n 's/^    //p' "$TOP/docs/MONITORING.md" | grep -v '^\* '
	} | sed -e "s/--account Demo/--account $account/; s/label 2 /label $monitor /; s/--monitor 2/--monitor $monitor/; s/monitor=2/monitor=$monitor/" \
		-e "s/report 2 /report $monitor /; s/^2,/$monitor,/; s|https://status.example.org|$base|; s|/etc/daymark.key|sender.key|" \
		-e 's/^curl /curl -fsS /' >given
	grep -E '^(monitor_id|[0-9]+),' given >history.csv
	grep -vE '^(monitor_id|[0-9]+),' given >lines
	[ "$(wc -l <history.csv) $(wc -l <lines)" = "2 10" ]
	PATH=$BATS_TEST_TMPDIR/bin:$TOP/conf/hooks:$PATH URL=$base KEY=$(cat sender.key) DAYMARK_CONF=$conf bash -ex lines
	api_key=$(cat sender.key)
	call "$api_key" GET "/api/v1/incidents?monitor_id=$monitor&status=resolved"
	[ "$(jq .meta.total "$answer")" = 2 ] || show
}

# blocks KIND [FILE]: the lines of the fenced blocks of that kind in CHECKS.md, or in another document.
blocks() {
	sed -n "/^ *\`\`\`$1\$/,/^ *\`\`\`\$/{/\`\`\`/!p}" "$TOP/docs/${2:-CHECKS.md}"
}

@test "the commands of CHECKS.md work, and a newcomer's site is on a page soon" {
	[ -x "${ctl}"-check ] || [ -x "${ctl%ctl}-check" ] || skip "daymark-check was not built"
	DAYMARK_NO_CHECKER='' own_unlimited_service_start </dev/null
	own_service
	mkdir "$BATS_TEST_TMPDIR/bin"
	ln -s "$ctl" "${ctl%ctl}-check" "$BATS_TEST_TMPDIR/bin"
	blocks sh | sed -e "s|https://www.example.org/|$base/demo-site|" -e 's/curl -s /curl -fsS /' -e '/^export /d' >"$BATS_TEST_TMPDIR/lines"
	[ "$(grep -cE 'curl|daymarkctl|daymark-check' "$BATS_TEST_TMPDIR/lines")" = 24 ]
	export URL=$base KEY=$key PATH=$BATS_TEST_TMPDIR/bin:$PATH
	began=$SECONDS
	head -n 2 "$BATS_TEST_TMPDIR/lines" >"$BATS_TEST_TMPDIR/first"
	page=$(bash -ex -o pipefail "$BATS_TEST_TMPDIR/first")
	is_up() { curl -fsS "$page" | grep -q 'All systems operational'; }
	soon is_up
	[ $((SECONDS - began)) -lt 90 ]
	curl -fsS "$page" | grep 'My site'
	bash -ex -o pipefail <(echo "MONITOR=$("$ctl" monitor list --json | jq '.[] | select(.name == "My site").id')"; tail -n +3 "$BATS_TEST_TMPDIR/lines") \
		>"$BATS_TEST_TMPDIR/out" || { cat "$BATS_TEST_TMPDIR/out"; false; }
	grep -q '^up' "$BATS_TEST_TMPDIR/out"
	[ "$("$ctl" monitor list --json | jq -r '[.[].type] | unique | join(" ")')" = 'dns external heartbeat http ping tcp tls' ]
	# The last key is that of Paris, whose checker needs no more settings than these.
	location_key=$(grep '^dm_' "$BATS_TEST_TMPDIR/out" | tail -n 1)
	{
		printf '[pages]\ndir = %s\n' "$BATS_TEST_TMPDIR/paris"
		blocks conf | sed "s|https://status.example.org|$base|; s|= KEY|= $location_key|; s/^ *//; /^anchors/d"
		echo 'check_allow_private = yes'
	} >"$BATS_TEST_TMPDIR/paris.conf"
	daymark-check --once --config "$BATS_TEST_TMPDIR/paris.conf"
	[ "$(sql "SELECT l.name, s.phase FROM monitor_states s JOIN check_locations l ON l.id = s.location_id WHERE l.id > 0")" = $'paris\t1' ]
	# The address is in none of the files that the examples are for.
	HEARTBEAT=$(curl -fsS -H "Authorization: Bearer $KEY" "$URL/api/v1/monitors" -d name=Jobs -d type=heartbeat -d period=86400 | jq -r .data.heartbeat_url)
	export HEARTBEAT CI_JOB_STATUS=failed EXIT_STATUS=TERM
	{
		blocks crontab | sed -n 's/^0 3 [* ]*//p' | sed 's|/usr/local/bin/backup|(exit 7)|'
		blocks ini | sed -n "s/^ExecStopPost=.bin.sh -c '\(.*\)'\$/\1/p"
		blocks yaml | grep curl | sed 's/^ *\(- \)\{0,1\}\(run: \)\{0,1\}//'
	} >"$BATS_TEST_TMPDIR/beats"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/beats")" = 5 ]
	while read -r line; do sh -xc "$line"; done <"$BATS_TEST_TMPDIR/beats"
	grep -oE 'route=/hb/\{token\}\S*|status=[0-9]+' <(grep -a "route=/hb/" "$log" | tail -n 6) | paste -sd ' ' >"$BATS_TEST_TMPDIR/routes"
	[ "$(grep -o '/hb/{token}/{report} status=200' "$BATS_TEST_TMPDIR/routes" | wc -l)" = 4 ] || { cat "$BATS_TEST_TMPDIR/routes"; false; }
	own_service_stop
}

@test "the commands of NOTIFY.md work, and a newcomer gets three messages, and a mail" {
	rm -rf "$BATS_FILE_TMPDIR/own"
	DAYMARK_NO_CHECKER='' own_unlimited_service_start <<-'END'
		[notify]
		enabled = yes
	END
	own_service
	sink_port=$(bash -c '. "$0" && free_port 18900' "$TOP/tools/lib/common.sh")
	mkdir "$BATS_TEST_TMPDIR/bin"
	ln -s "$ctl" "$BATS_TEST_TMPDIR/bin"
	blocks sh NOTIFY.md | sed -e "s/18099/$sink_port/g" -e 's/curl -s /curl -fsS /' >"$BATS_TEST_TMPDIR/lines"
	[ "$(grep -cE 'curl|daymarkctl' "$BATS_TEST_TMPDIR/lines")" = 44 ]
	export URL=$base KEY=$key PATH=$BATS_TEST_TMPDIR/bin:$PATH
	receiver=$(head -n 1 "$BATS_TEST_TMPDIR/lines")
	bash -c "exec ${receiver% &}" >"$BATS_TEST_TMPDIR/got" 2>"$BATS_TEST_TMPDIR/errors" 3>&- &
	sink=$!
	soon curl -sS -o /dev/null "http://127.0.0.1:$sink_port/"
	sed -n 2,5p "$BATS_TEST_TMPDIR/lines" >"$BATS_TEST_TMPDIR/first"
	bash -ex -o pipefail "$BATS_TEST_TMPDIR/first" >"$BATS_TEST_TMPDIR/out"
	grep '"is_accepted":true' "$BATS_TEST_TMPDIR/out"
	is_told() { grep -q incident.resolved "$BATS_TEST_TMPDIR/got"; }
	soon is_told
	diff <(jq -r .type "$BATS_TEST_TMPDIR/got") <(printf '%s\n' alert_channel.tested incident.opened incident.resolved)
	jq -e 'select(.type == "incident.opened") | .data | .incident.id > 0 and (.title | endswith(" is down"))' "$BATS_TEST_TMPDIR/got"
	kill "$sink"
	# The mail to a subscriber: in place of a time that is long enough, wait for the mail itself.
	mails() { [ "$(find "$own/mail" -name '[0-9]*' ! -name '*.part' | wc -l)" -ge "$1" ]; }
	grep -n -A 4 '^MAIL=' "$BATS_TEST_TMPDIR/lines" | sed -E 's/^[0-9]+[:-]//; s/; sleep [0-9]+$//' >"$BATS_TEST_TMPDIR/mail"
	sed -i '/^MAIL=/,/^cat/d' "$BATS_TEST_TMPDIR/lines"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/mail")" = 5 ]
	DAYMARK_CONF=$conf
	export DAYMARK_CONF
	eval "$(sed -n 1p "$BATS_TEST_TMPDIR/mail")"
	soon mails 1
	eval "$(sed -n 2,4p "$BATS_TEST_TMPDIR/mail")"
	soon mails 2
	eval "$(sed -n 5p "$BATS_TEST_TMPDIR/mail")" >"$BATS_TEST_TMPDIR/got-mail"
	grep -x 'To: you@example.org' "$BATS_TEST_TMPDIR/got-mail"
	grep -x 'Subject: .* is down (Investigating)' "$BATS_TEST_TMPDIR/got-mail"
	cd "$BATS_TEST_TMPDIR"
	bash -ex -o pipefail <(echo "CHANNEL=$("$ctl" alert-channel list --json | jq '.[] | select(.name == "Sink").id')"
		tail -n +6 "$BATS_TEST_TMPDIR/lines") >"$BATS_TEST_TMPDIR/out" || { cat "$BATS_TEST_TMPDIR/out"; false; }
	[ "$(grep -c 'incident.*sent' "$BATS_TEST_TMPDIR/out")" -ge 2 ]
	[ "$("$ctl" alert-channel list --json | jq -r '[.[].type] | unique | join(" ")')" = 'custom discord email google_chat mattermost ntfy pagerduty slack teams telegram webhook' ]
	[ "$("$ctl" subscriber list --json | jq -r '[.[].address] | join(" ")')" = you@example.org ]
	"$ctl" deliver --once | grep -x 'Messages sent: 0. Failed: 0. To be tried again: 0.'
	own_service_stop
}

# The text of the documents for operators and clients.
docs() {
	cat "$TOP"/README.md "$TOP"/docs/{API,CHECKS,INCIDENTS,OPERATING,MIRRORS,MONITORING,NOTIFY}.md
}

@test "every command and option of daymarkctl that the documents name is there" {
	"$ctl" --help >"$BATS_TEST_TMPDIR/help"
	docs | tr '\n' ' ' | grep -oE 'daymarkctl [a-z-]+( [a-z-]+)?( --[a-z-]+)?' | sort -u >"$BATS_TEST_TMPDIR/named"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/named")" -gt 15 ]
	while read -r _ group rest; do
		grep -qE "^  $group( |$)" "$BATS_TEST_TMPDIR/help" || { echo "no such command: $group $rest"; false; }
	done < <(grep -vE 'daymarkctl (leaves|and|are|works|runs|is|on|s)( |$)' "$BATS_TEST_TMPDIR/named")
	docs | grep -oE 'daymarkctl [a-z-]+( [a-z]+)? --[a-z0-9-]+' | while read -r _ words; do
		option=--${words##*--}
		command=${words%% --*}
		"$ctl" $command --help | grep -q -- "$option" || { echo "no such option: $words"; false; }
	done
}

@test "the lists of daymarkctl(1) are those of the program, and the page names each option" {
	"$TOP/tools/man-options" --check "$ctl" "$TOP/man/daymarkctl.1"
	while read -r command; do
		sed -n "/^\.It Cm $command\( \|\$\)/,/^\.It Cm /p" "$TOP/man/daymarkctl.1" >"$BATS_TEST_TMPDIR/part"
		# shellcheck disable=SC2086
		"$ctl" $command --help | sed -nE 's/^  --([a-z0-9-]+).*/\1/p' | while read -r option; do
			grep -qE "Fl -$option( |\$)" "$BATS_TEST_TMPDIR/part" || { echo "the page lacks $command --$option"; false; }
		done
	done < <("$ctl" --help | sed -nE '/^Options of every command/q; s/^  ([a-z-]+( [a-z-]+)?)  .*/\1/p')
}

# heads FILE: its sections as its contents must list them: "[1 Build and install](#1-build-and-install)".
heads() {
	local head anchor
	while read -r head; do
		anchor=$(tr 'A-Z ' 'a-z-' <<<"$head" | tr -cd 'a-z0-9\n-')
		echo "[$head](#$anchor)"
	done < <(sed -n 's/^## //p' "$1")
}

@test "the contents of the operators' documents are complete, and links lead to sections" {
	local name
	for name in OPERATING MIRRORS; do
		heads "$TOP/docs/$name.md" >"$BATS_TEST_TMPDIR/heads"
		[ "$(wc -l <"$BATS_TEST_TMPDIR/heads")" -gt 10 ]
		sed -n '/^- \[1 /,/^## /p' "$TOP/docs/$name.md" | sed '/^$/,$d' | grep -o '\[[^]]*\](#[^)]*)' | diff "$BATS_TEST_TMPDIR/heads" -
		grep -o '](#[^)]*)' "$TOP/docs/$name.md" | sort -u | while read -r link; do
			grep -qF -- "$link" "$BATS_TEST_TMPDIR/heads" || { echo "$name: no such section: $link"; false; }
		done
	done
	# Sections that the text names by number are there.
	last=$(sed -nE 's/^## ([0-9]+) .*/\1/p' "$TOP/docs/OPERATING.md" | tail -n 1)
	grep -ohE 'OPERATING [0-9]+( to [0-9]+)?' "$TOP/docs/MIRRORS.md" | grep -oE '[0-9]+' | while read -r number; do
		[ "$number" -le "$last" ]
	done
	for name in OPERATING MIRRORS; do
		last=$(sed -nE 's/^## ([0-9]+) .*/\1/p' "$TOP/docs/$name.md" | tail -n 1)
		grep -oE '\bsections? [0-9]+' "$TOP/docs/$name.md" | grep -oE '[0-9]+' | while read -r number; do
			[ "$number" -le "$last" ] || { echo "$name: no section $number"; false; }
		done
	done
}

@test "every file that the documents name is there" {
	docs | grep -oE '(/usr/local/share/daymark/)?(conf|docs|sql|tools|tests)/[A-Za-z0-9_./-]+' | sed 's|^/usr/local/share/daymark/||; s|[./]*$||' |
		sort -u >"$BATS_TEST_TMPDIR/named"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/named")" -gt 15 ]
	while read -r file; do
		[ -e "$TOP/$file" ] || [ -e "${DAYMARK_BUILD:-$TOP/build}/$file" ] || { echo "no such file: $file"; false; }
	done <"$BATS_TEST_TMPDIR/named"
}

@test "each message by which OPERATING.md finds a cause is one of the program or of conf/" {
	sed -n '/^| you see/,/^$/p' "$TOP/docs/OPERATING.md" | cut -d '|' -f 2 | grep -o '"[^"]*"' | sed 's/"//g; s/…/\n/g' |
		sed 's/^ *//; s/ *$//' | grep -vxE '|Access denied' >"$BATS_TEST_TMPDIR/messages"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/messages")" -ge 15 ]
	while read -r message; do
		grep -rqF -- "$message" "$TOP"/{src,cgi-bin,conf} || { echo "no such message: $message"; false; }
	done <"$BATS_TEST_TMPDIR/messages"
}

@test "the packages to build with are those of the one list" {
	sed -n '/^    apt-get install gcc/,/^    .\/configure/p' "$TOP/docs/OPERATING.md" | grep -v configure |
		tr -d '\\' | tr ' ' '\n' | grep -vE '^(apt-get|install|)$' | sort >"$BATS_TEST_TMPDIR/named"
	awk '$1 == "build" { print $2 }' "$TOP/tools/packages" | grep -vE '^auto(conf|make)$' | sort |
		diff - "$BATS_TEST_TMPDIR/named"
}

# The lines of code in the section of OPERATING.md that begins so.
section() {
	awk -v head="## $1 " 'index($0, "## ") == 1 { is_in = index($0, head) == 1 } is_in && /^    /' "$TOP/docs/OPERATING.md" |
		sed 's/^    //'
}

@test "the steps for each web server put files where its configuration looks for them" {
	stage=$BATS_TEST_TMPDIR/stage root=$BATS_TEST_TMPDIR/root
	make -s -C "${DAYMARK_BUILD:-$TOP/build}" install DESTDIR="$stage" >/dev/null
	mkdir -p "$root"/etc/nginx/{snippets,sites-available,sites-enabled} "$root"/etc/apache2/sites-available \
		"$root"/etc/lighttpd/conf-available "$root/etc/caddy"
	for number in 4 5 6 7; do
		section "$number" | grep -E '^(cp|ln) ' | sed "s|/usr/local/share|$stage/usr/local/share|g; s|/etc/|$root/etc/|g"
	done >"$BATS_TEST_TMPDIR/steps"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/steps")" = 13 ]
	bash -ex "$BATS_TEST_TMPDIR/steps"
	wanted() {
		grep -rhoE '^[[:space:]]*include [a-z/.-]+' "$root/etc/nginx/sites-enabled/"* "$root"/etc/nginx/snippets/* | sed 's|.* |/etc/nginx/|'
		grep -rhoE '^[[:space:]]*Include [a-z0-9/.-]+' "$root/etc/apache2" | sed 's|.* ||'
		grep -hoE '/etc/lighttpd/[a-z.]+' "$root"/etc/lighttpd/conf-available/50-daymark.conf | grep lua
		echo /etc/caddy/Caddyfile
		echo /etc/apache2/sites-available/daymark.conf
		echo /etc/apache2/sites-available/daymark-fcgid.conf
	}
	[ "$(wanted | wc -l)" -gt 10 ]
	wanted | while read -r file; do
		[ -e "$root$file" ] || { echo "missing: $file"; false; }
	done
}

@test "by the steps of OPERATING.md an empty database becomes a page with an incident" {
	own=$BATS_TEST_TMPDIR/own
	service_in "$own"
	mariadb --no-defaults -uroot -S "$own/run/mysql.sock" -e 'DROP DATABASE daymark'
	service=$(sed -n 's/^password = //p' "$own/conf/daymark.conf")
	migrate=$(sed -n 's/^migrate_password = //p' "$own/conf/daymark.conf")
	# "Put two passwords of your own into a copy of sql/grants.sql."
	sed -e "s/service-password/$service/" -e "s/migrate-password/$migrate/" "$TOP/sql/grants.sql" |
		mariadb --no-defaults -uroot -S "$own/run/mysql.sock"
	export DAYMARK_CONF=$own/conf/daymark.conf URL
	URL=$(jq -r .base_url "$own/quickstart.json")
	mkdir "$BATS_TEST_TMPDIR/bin"
	ln -s "$ctl" "$BATS_TEST_TMPDIR/bin/daymarkctl"
	export PATH=$BATS_TEST_TMPDIR/bin:$PATH
	{
		section 2 | grep daymarkctl
		# "With the key that was printed."
		section 9 | sed 's/^\(sudo .* key create .*\)/KEY=$(\1)/'
	} | sed 's/sudo -u daymark //' >"$BATS_TEST_TMPDIR/steps"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/steps")" = 8 ]
	bash -ex "$BATS_TEST_TMPDIR/steps"
	base=$URL anyone GET /s/example/
	[ "$status" = 200 ]
	shows 'Website: Slow answers'
	"$TOP/tools/quickstart" --stop --dir "$own"
}
