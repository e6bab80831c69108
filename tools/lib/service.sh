# Starts and stops the private MariaDB, daymark and nginx of a folder, for tools/quickstart and the
# acceptance tests. Sourced by bash; needs common.sh.
# shellcheck shell=bash

# Each process has a session of its own, so that a Ctrl-C for the script does not end it. A pid file
# and the folder in the command line identify the process.

service_stop() {
	local dir=$1
	stop_process "$dir/run/daymark-check.pid" "$dir" TERM
	stop_process "$dir/run/nginx.pid" "$dir" QUIT
	stop_process "$dir/run/mail.pid" "$dir" TERM
	stop_process "$dir/run/daymark.pid" "$dir" TERM
	stop_process "$dir/run/mysql.pid" "$dir" TERM
	rm -f "$dir/run/quickstart.pid"
}

mysql_root() {
	local dir=$1
	shift
	mariadb --no-defaults --user=root --socket="$dir/run/mysql.sock" "$@"
}

# service_copy_template DIR: copies data, pages and keys from $DAYMARK_TEMPLATE, the folder of a
# stopped service, into a new folder. Only tests set it: they start many services.
service_copy_template() {
	local dir=$1 template=${DAYMARK_TEMPLATE:-}
	[ -d "$template/mysql" ] && [ ! -d "$dir/mysql" ] || return 1
	cp -a --sparse=always "$template/mysql" "$template/pages" "$template/quickstart.json" "$dir/"
}

# The copied pages name the address of the template's service: publish them again.
service_publish_template() {
	local dir=$1 programs=$2
	"$programs/daymarkctl" publish --all --config "$dir/conf/daymark.conf" >&2
}

# With a template a start takes ten jq; gojq starts in a tenth of its time.
if [ -n "${DAYMARK_TEMPLATE:-}" ] && command -v gojq >/dev/null; then
	jq() { gojq "$@"; }
fi

# service_start_mysql DIR [OPTION]...: the options are further ones for mariadbd, as are those in
# $DAYMARK_MYSQL_OPTIONS, which only tests set.
service_start_mysql() {
	local dir=$1 as=() more=()
	shift
	read -r -a more <<<"${DAYMARK_MYSQL_OPTIONS:-}"
	[ "$(id -u)" -ne 0 ] || as=(--user=root)
	if [ ! -d "$dir/mysql/mysql" ]; then
		rm -rf "$dir/mysql"
		# When MariaDB starts, it removes all temporary tables from its tmpdir, including other servers'.
		mariadb-install-db --no-defaults --datadir="$dir/mysql" --tmpdir="$dir/run" --skip-test-db --force \
			--auth-root-authentication-method=normal "${as[@]}" || return 1
	fi
	# Small buffers where InnoDB does not need more: the default buffers take a third of the time to start.
	setsid mariadbd --no-defaults "${as[@]}" --datadir="$dir/mysql" \
		--socket="$dir/run/mysql.sock" --pid-file="$dir/run/mysql.pid" \
		--skip-networking --skip-log-bin --tmpdir="$dir/run" \
		--innodb-buffer-pool-size=128M --innodb-log-file-size=32M --innodb-log-buffer-size=2M \
		--key-buffer-size=64K --aria-pagecache-buffer-size=8M "${more[@]}" "$@" \
		>>"$dir/log/mysql.log" 2>&1 </dev/null &
	wait_until 60 mysql_answers "$dir"
}

# Looks for the socket first: a client takes longer to start.
mysql_answers() {
	[ -S "$1/run/mysql.sock" ] && mysql_root "$1" -e 'SELECT 1'
}

# Whether the example sends mail to its subscribers; tests that send mail start servers of their own.
service_has_mail() {
	[ -z "${DAYMARK_NO_CHECKER:-}" ]
}

# Takes all mail, and keeps each message as a file of DIR/mail, newest last. The port stays that of the last run.
service_start_mail() {
	local dir=$1 port
	port=$(cat "$dir/run/mail.port" 2>/dev/null)
	[ -n "$port" ] && port_is_free "$port" || port=$(free_port 18025)
	echo "$port" >"$dir/run/mail.port"
	mkdir -p "$dir/mail"
	setsid /usr/bin/python3 "$top/tools/lib/mail-sink" "$port" "$dir/mail" >>"$dir/log/mail.log" 2>&1 </dev/null &
	echo $! >"$dir/run/mail.pid"
	wait_until 20 port_is_taken "$port"
}

port_is_taken() {
	! port_is_free "$1"
}

random_word() {
	od -An -N18 -tx1 /dev/urandom | tr -d ' \n'
}

# Creates users, tables and daymark.conf from the unchanged files in sql/ and conf/.
service_prepare_database() {
	local dir=$1 programs=$2 port=$3 extra=$4 service migrate
	service=$(random_word) migrate=$(random_word)
	sed -e "s/service-password/$service/" -e "s/migrate-password/$migrate/" \
		"$top/sql/grants.sql" | mysql_root "$dir" || return 1
	(umask 077 && sed -e "s|^;* *base_url *=.*|base_url = http://127.0.0.1:$port|" \
		-e "s|/var/lib/daymark/pages|$dir/pages|" \
		-e "s|/run/mysqld/mysqld.sock|$dir/run/mysql.sock|" \
		-e "s|/run/daymark/daymark.sock|$dir/run/daymark.sock|" \
		-e "s|service-password|$service|" -e "s|migrate-password|$migrate|" \
		-e "s|^;* *log_file *=.*|log_file = $dir/log/daymark.log|" \
		-e "s|^;* *check_allow_private *=.*|check_allow_private = yes|" \
		-e "/^\[notify\]/,/^\[/s|^;* *enabled *=.*|enabled = yes|" \
		-e "/^\[console\]/,/^\[/s|^;* *enabled *=.*|enabled = yes|" \
		"$top/conf/daymark.conf" >"$dir/conf/daymark.conf") || return 1
	[ ! -e "$dir/run/mail.pid" ] || printf '\n[mail]\nserver = smtp://127.0.0.1:%s\nneeds_tls = no\nfrom = status@example.org\n' \
		"$(cat "$dir/run/mail.port")" >>"$dir/conf/daymark.conf"
	[ -z "$extra" ] || cat "$extra" >>"$dir/conf/daymark.conf"
	"$programs/daymarkctl" migrate --config "$dir/conf/daymark.conf"
}

service_start_daymark() {
	local dir=$1 programs=$2
	setsid "$programs/daymark" --config "$dir/conf/daymark.conf" \
		>>"$dir/log/daymark.log" 2>&1 </dev/null &
	echo $! >"$dir/run/daymark.pid"
	wait_until 20 test -S "$dir/run/daymark.sock"
}

# Whether the example is checked: most tests have monitors in states of their own ($DAYMARK_NO_CHECKER).
service_has_checker() {
	[ -x "$1/daymark-check" ] && [ -z "${DAYMARK_NO_CHECKER:-}" ]
}

service_start_checker() {
	local dir=$1 programs=$2
	setsid "$programs/daymark-check" --config "$dir/conf/daymark.conf" \
		>>"$dir/log/daymark-check.log" 2>&1 </dev/null &
	echo $! >"$dir/run/daymark-check.pid"
	sleep 0.2
	kill -0 "$(cat "$dir/run/daymark-check.pid")"
}

# The site that the example checks: it is broken while the file DIR/broken is there.
service_add_site() {
	cat >>"$1/conf/nginx/snippets/daymark-shared.conf" <<-END

		location = /demo-site {
			default_type text/plain;
			if (-e $1/broken) {
				return 503 "The demo site is broken.\n";
			}
			return 200 "The demo site works.\n";
		}
	END
}

# service_copy_nginx INTO SERVICE PORT: copies conf/nginx with the paths and the port of a service.
service_copy_nginx() {
	local into=$1 service=$2 port=$3
	rm -rf "$into/conf/nginx"
	mkdir -p "$into/conf"
	cp -r "$top/conf/nginx" "$into/conf/nginx"
	find "$into/conf/nginx" -name '*.conf' -exec sed -i \
		-e "/listen \[::\]:/d" -e "s|listen 80\b|listen 127.0.0.1:$port|" \
		-e "s|server_name status.example.org;|server_name 127.0.0.1 localhost;|" \
		-e "s|/run/daymark/daymark.sock|$service/run/daymark.sock|" \
		-e "s|/var/lib/daymark/pages|$service/pages|" \
		-e "s|/var/log/nginx/|$into/log/nginx-|" \
		-e "s|include snippets/|include $into/conf/nginx/snippets/|" {} +
}

# service_run_nginx DIR NGINX SITE: writes a main configuration around the site, and starts nginx.
service_run_nginx() {
	local dir=$1 nginx=$2 site=$3 user=''
	[ "$(id -u)" -ne 0 ] || user='user root;'
	mkdir -p "$dir/run/nginx" "$dir/log"
	cat >"$dir/conf/nginx.conf" <<END
$user
worker_processes 2;
pid $dir/run/nginx.pid;
error_log $dir/log/nginx-error.log;
events { worker_connections 1024; }
http {
	access_log $dir/log/nginx-access.log;
	client_body_temp_path $dir/run/nginx/body;
	proxy_temp_path $dir/run/nginx/proxy;
	fastcgi_temp_path $dir/run/nginx/fastcgi;
	uwsgi_temp_path $dir/run/nginx/uwsgi;
	scgi_temp_path $dir/run/nginx/scgi;
	server_tokens off;
	include $site;
}
END
	setsid "$nginx" -p "$dir/run/nginx" -c "$dir/conf/nginx.conf" \
		-e "$dir/log/nginx-error.log" </dev/null
}

service_start_nginx() {
	local dir=$1 nginx=$2 port=$3
	service_copy_nginx "$dir" "$dir" "$port" &&
		{ ! service_has_checker "${programs:-}" || service_add_site "$dir"; } &&
		service_run_nginx "$dir" "$nginx" "$dir/conf/nginx/daymark.conf" &&
		wait_until 20 curl -fsS "http://127.0.0.1:$port/healthz"
}

# example_account DIR PROGRAMS NAME: creates the account with monitors if it is new; prints its id.
example_account() {
	local ctl=("$2/daymarkctl") conf=(--config "$1/conf/daymark.conf" --json) name=$3 id since
	id=$("${ctl[@]}" account list "${conf[@]}" | jq -r --arg name "$name" \
		'.[] | select(.name == $name) | .id') || return 1
	if [ -z "$id" ]; then
		since=(--since "$(date -u -d '-90 days' +%FT%TZ)")
		id=$("${ctl[@]}" account add "$name" "${conf[@]}" | jq -r .id) || return 1
		"${ctl[@]}" monitor add "$name website" https://www.example.org/ --account "$id" "${since[@]}" "${conf[@]}" >&2
		"${ctl[@]}" monitor add "$name API" https://api.example.org/health --account "$id" "${since[@]}" "${conf[@]}" >&2
		"${ctl[@]}" monitor add "$name mail" https://mail.example.org/ --account "$id" "${since[@]}" "${conf[@]}" >&2
		example_incidents "$1" "$id" "${ctl[@]}" || return 1
	fi
	printf '%s\n' "$id"
}

# example_incident MONITOR STARTED ENDED CAUSE TITLE [COMMENT [ACKNOWLEDGED]]: prints a row of example_lines;
# the times are seconds.
example_incident() {
	local IFS='|'
	printf '%s\n' "$*"
}

# example_outage MONITOR DAYS-AGO HH:MM MINUTES CAUSE TITLE [COMMENT]: an incident that has ended.
example_outage() {
	local monitor=$1 started
	started=$((example_now - example_now % 86400 - $2 * 86400 + 10#${3%:*} * 3600 + 10#${3#*:} * 60))
	example_incident "$monitor" "$started" "$((started + $4 * 60))" "${@:5}"
}

# Prints lines for `incident import`: ninety realistic days, most of them without an incident. Titles are public,
# causes are not.
example_lines() {
	local example_now
	printf -v example_now '%(%s)T' -1
	example_rows "$@" | jq -Rc 'def time: if . and . != "" then tonumber | todate else . end;
		split("|") as [$monitor, $started, $ended, $cause, $title, $comment, $acknowledged] |
		{monitor_id: $monitor, started_at: ($started | time), ended_at: ($ended | time),
		 acknowledged_at: ($acknowledged | time), cause: $cause, title: $title, comment: $comment}'
}

example_rows() {
	local website=$1 api=$2 mail=$3
	example_outage "$website" 74 03:12 26 'HTTP 502 from web-2' 'Some pages do not load'
	example_outage "$website" 41 01:20 815 'no route to 192.0.2.1' 'The website cannot be reached' \
		'A router of our provider failed. We now have a second way out.'
	example_outage "$website" 6 14:05 38 'p95 4.8 s on web-1 and web-2' 'Pages load slowly'
	example_outage "$api" 58 16:40 52 'HTTP 500 on /v2/orders' 'Some requests fail'
	example_outage "$api" 23 09:30 195 'migration 118 locks table orders' 'Writes are refused' \
		'An update of the database took longer than planned. Nothing was lost.'
	example_outage "$api" 1 11:05 64 'timeout at lb-1' 'Requests time out' \
		'A load balancer ran out of connections. It has more of them now, and an alarm.'
	example_outage "$mail" 33 07:15 130 'queue of mx-2 is 8,000 long' 'Messages wait in the queue'
	example_incident "$mail" $((example_now - 42 * 60)) '' 'queue of mx-1 is 12,000 long' \
		'Mail is delivered late' 'One of two mail servers is down. Messages wait, and none is lost.' \
		$((example_now - 35 * 60))
}

# example_incidents DIR ACCOUNT CTL...: imports incidents that have ended, and an open one.
example_incidents() {
	local lines=$1/run/example-$2.jsonl account=$2 ids
	shift 2
	mapfile -t ids < <("$@" monitor list --account "$account" "${conf[@]}" | jq -r '.[].id')
	example_lines "${ids[@]}" >"$lines" &&
		"$@" incident import "$lines" --account "$account" "${conf[@]}" >&2 || return 1
	rm -f "$lines"
}

# example_key DIR PROGRAMS ACCOUNT NAME-IN-JSON: prints the key of the last run, or a new key.
example_key() {
	local dir=$1 programs=$2 account=$3 name=$4 key
	key=$(jq -r ".$name // empty" "$dir/quickstart.json" 2>/dev/null)
	if [ -z "$key" ]; then
		key=$("$programs/daymarkctl" key create --account "$account" --label quickstart \
			--config "$dir/conf/daymark.conf" --json | jq -r .key) || return 1
	fi
	printf '%s\n' "$key"
}

# first_page BASE KEY [PARAMETER]: prints the first page of the account's list, or nothing.
first_page() {
	curl -fsSG -H "Authorization: Bearer $2" -d sort=asc --data-urlencode "${3:-search=}" "$1/api/v1/status-pages" |
		jq -c '.data[0] // empty'
}

example_page() {
	local base=$1 key=$2 slug=$3 name=$4 account_monitors=$5 monitor fields=()
	for monitor in $account_monitors; do
		fields+=(--data-urlencode "monitor_ids[]=$monitor")
	done
	curl -fsS -H "Authorization: Bearer $key" "$base/api/v1/status-pages" \
		--data-urlencode "name=$name" --data-urlencode "slug=$slug" "${fields[@]}"
}

# example_checks DIR PROGRAMS ACCOUNT BASE: has the website and the API of the example checked, at this run's port,
# and adds a job that sends heartbeats.
example_checks() {
	local ctl=("$2/daymarkctl") conf=(--config "$1/conf/daymark.conf" --json) account=$3 base=$4 ids often
	often=(--interval 5s --timeout 3s)
	mapfile -t ids < <("${ctl[@]}" monitor list --account "$account" "${conf[@]}" | jq -r \
		'("Demo website", "Demo API", "Demo backup") as $name | [.[] | select(.name == $name).id][0] // ""')
	[ -z "${ids[0]}" ] ||
		"${ctl[@]}" monitor set "${ids[0]}" --type http --url "$base/demo-site" "${often[@]}" "${conf[@]}" >&2 || return 1
	[ -z "${ids[1]}" ] ||
		"${ctl[@]}" monitor set "${ids[1]}" --type tcp --url "${base#*://}" "${often[@]}" "${conf[@]}" >&2 || return 1
	[ -n "${ids[2]}" ] ||
		curl -fsS -H "Authorization: Bearer $example_api_key" "$base/api/v1/monitors" -d name="Demo backup" \
			-d type=heartbeat -d period=86400 -d grace=3600 -d known_since="$(date -u -d '-90 days' +%FT%TZ)" >&2
}

# The first heartbeat of each run; prints the address.
example_heartbeat() {
	local base=$1 url
	url=$(curl -fsSG -H "Authorization: Bearer $example_api_key" "$base/api/v1/monitors" --data-urlencode 'search=Demo backup' |
		jq -r '.data[0].heartbeat_url // empty')
	[ -z "$url" ] || { curl -fsS "$url" >&2 && printf '%s\n' "$url"; }
}

service_example_data() {
	local dir=$1 programs=$2 port=$3 base account other monitors
	base=http://127.0.0.1:$port
	account=$(example_account "$dir" "$programs" Demo) || return 1
	other=$(example_account "$dir" "$programs" Other) || return 1
	example_account_id=$account
	example_api_key=$(example_key "$dir" "$programs" "$account" api_key) || return 1
	example_other_key=$(example_key "$dir" "$programs" "$other" other_api_key) || return 1
	if service_has_checker "$programs"; then
		example_checks "$dir" "$programs" "$account" "$base" && example_heartbeat "$base" || return 1
	fi
	monitors=$("$programs/daymarkctl" monitor list --account "$account" --json \
		--config "$dir/conf/daymark.conf" | jq -r '.[].id')
	[ -n "$(first_page "$base" "$example_api_key")" ] ||
		example_page "$base" "$example_api_key" demo "Demo status" "$monitors" || return 1
	[ -n "$(first_page "$base" "$example_api_key" 'search=To try on')" ] ||
		example_page "$base" "$example_api_key" "try-$(date +%s)" "To try on" "" || return 1
	monitors=$("$programs/daymarkctl" monitor list --account "$other" --json \
		--config "$dir/conf/daymark.conf" | jq -r '.[].id')
	[ -n "$(first_page "$base" "$example_other_key")" ] ||
		example_page "$base" "$example_other_key" other "Other status" "$monitors"
}

# The accounts and keys of a template: service_example_data has made them in it.
service_template_data() {
	local values
	values=$(jq -r '"\(.account) \(.api_key) \(.other_api_key)"' "$1/quickstart.json") &&
		read -r example_account_id example_api_key example_other_key <<<"$values"
}

service_write_json() {
	local dir=$1 port=$2
	(umask 077 && jq -n --arg base_url "http://127.0.0.1:$port" --arg api_key "$example_api_key" \
		--argjson account "$example_account_id" --arg other "$example_other_key" \
		--arg mysql "$dir/run/mysql.sock" --arg fastcgi "$dir/run/daymark.sock" \
		--arg pages "$dir/pages" --arg conf "$dir/conf/daymark.conf" \
		--argjson daymark "$(cat "$dir/run/daymark.pid")" \
		--argjson nginx "$(cat "$dir/run/nginx.pid")" \
		--argjson mysqld "$(cat "$dir/run/mysql.pid")" \
		'{base_url: $base_url, api_key: $api_key, account: $account, other_api_key: $other,
		  mysql_socket: $mysql, fastcgi_socket: $fastcgi, pages_dir: $pages, config: $conf,
		  pids: {daymark: $daymark, nginx: $nginx, mysql: $mysqld}}' >"$dir/quickstart.json.new") &&
		mv "$dir/quickstart.json.new" "$dir/quickstart.json"
}

# Adds the user of the example, who owns its account; prints a link that opens the console signed in.
example_console() {
	local ctl=("$2/daymarkctl") conf=(--config "$1/conf/daymark.conf")
	"${ctl[@]}" user reset demo --sign-in "${conf[@]}" 2>/dev/null ||
		"${ctl[@]}" user add demo --role owner --account "$example_account_id" --sign-in "${conf[@]}" 2>/dev/null
}

service_show() {
	local dir=$1 programs=$2 base=http://127.0.0.1:$3 key=$example_api_key bearer page scrap
	bearer="-H 'Authorization: Bearer $key'"
	page=$(first_page "$base" "$key" | jq -r .url)
	scrap=$(first_page "$base" "$key" 'search=To try on' | jq .id)
	cat <<END

Daymark runs at $base
Example page: $page
Console, signed in (the link works once): $(example_console "$dir" "$programs")
API key: $key

Try, in another terminal:

  export URL=$base KEY=$key
  export DAYMARK_CONF=$dir/conf/daymark.conf PATH=$programs:\$PATH

  curl -H 'Accept: application/json' $bearer '$base/api/v1/status-pages'

  curl -X POST $bearer -d 'name=My page' -d "slug=my-page-\$RANDOM" '$base/api/v1/status-pages'

  curl -X POST $bearer -F _method=PUT -F 'name=Renamed' -F logo=@$top/docs/logo.png '$base/api/v1/status-pages/$scrap'

  curl $bearer '$base/api/v1/status-pages?search=renamed&sort_by=name&sort=asc'

  curl -X DELETE $bearer '$base/api/v1/status-pages/$scrap'

  curl $bearer '$base/api/v1/incidents?status=open'

  curl -X POST $bearer -d monitor=3 -d state=down -d 'cause=Timeout' '$base/hooks/generic'

  curl '$base/api/v1/openapi.json'

END
	[ ! -e "$1/run/daymark-check.pid" ] || cat <<END
Daymark checks the demo website and the demo API every 5 seconds. Break the website, look at the page, and mend it:

  touch $dir/broken
  rm $dir/broken

The demo backup reports itself, once a day:

  curl '$(example_heartbeat "$base" 2>/dev/null)'

END
	[ ! -e "$1/run/mail.pid" ] || cat <<END
Mail for subscribers of the page stays on this machine. Subscribe to the example page, and read the newest message:

  cat "$dir/mail/\$(ls -t $dir/mail | head -n 1)"

END
	cat <<END
Settings: $dir/conf/daymark.conf   Log: $dir/log/daymark.log
END
}
