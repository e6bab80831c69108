# /metrics: what it counts, beside the log; who may read it; that promtool and a parser of OpenMetrics accept it.
load lib

METRICS_KEY=this-is-the-key-of-a-prometheus-of-tests

setup_file() {
	own_unlimited_service_start <<-END
		[server]
		processes = 2
		threads = 3
		metrics_allow = 127.0.0.1
		metrics_key = $METRICS_KEY
		metrics_monitors = yes
	END
}

teardown_file() {
	own_service_stop
}

setup() {
	own_service
}

# scrape [CURL ARGUMENT]...: leaves the metrics in $answer.
scrape() {
	anyone GET /metrics "$@"
	[ "$status" = 200 ] || show
}

# value SERIES: the value of a series of the last scrape, such as 'daymark_x_total{a="b"}'; 0 without the series.
value() {
	local line found=0
	while IFS= read -r line; do
		[[ $line != "$1 "* ]] || found=${line#"$1 "}
	done <"$answer"
	printf '%s\n' "$found"
}

# The requests but those for /metrics, as "METHOD ROUTE STATUS COUNT": of the last scrape, and of the log.
counted() {
	sed -n 's/^daymark_http_requests_total{route="\([^"]*\)",method="\([^"]*\)",status="\([^"]*\)"} /\2 \1 \3 /p' "$answer" |
		grep -v ' /metrics ' | sort
}

logged() {
	sed -n 's/.* event=request .* method=\([^ ]*\) route="\{0,1\}\([^ "]*\)"\{0,1\} status=\([0-9]*\) .*/\1 \2 \3/p' "$log" |
		sed 's/^BREW /other /' | grep -v ' /metrics ' | sort | uniq -c | sed 's/^ *\([0-9]*\) \(.*\)/\2 \1/' | sort
}

counts_equal_the_log() {
	scrape
	diff <(logged) <(counted)
}

# counts_sum, log_sum: all requests but those for /metrics.
counts_sum() {
	scrape
	counted | awk '{ sum += $4 } END { print sum + 0 }'
}

workers() {
	pgrep -P "$parent" -x daymark
}

# nginx sends a GET again that met a connection of a worker that was killed, but no POST.
forget_its_connections() {
	local i
	for i in 1 2 3 4 5 6 7 8 9 10 11 12; do anyone GET /healthz; done
}

some_of_everything() {
	new_page
	api GET /api/v1/status-pages
	api GET "/api/v1/status-pages/$page"
	api HEAD "/api/v1/status-pages/$page"
	api POST /api/v1/status-pages -d name=
	api GET /api/v1/status-pages/999999999
	api PUT /api/v1/keys -d a=b
	anyone GET /api/v1/incidents
	anyone GET /readyz
	anyone GET /nothing-is-here
	anyone GET "/s/$slug/nothing-is-here.json"
	anyone OPTIONS /healthz
	anyone BREW /healthz
}

@test "the counts are those of the log, also after a worker was killed" {
	local worker i
	for i in 1 2 3; do some_of_everything; done
	soon counts_equal_the_log
	counted | grep -qx 'HEAD /api/v1/status-pages/{id} 200 3'
	counted | grep -qx 'other /healthz 405 3'
	counted | grep -q '^GET - 404 '
	refute grep -q "$slug\|999999999" "$answer"
	# A worker without a request loses nothing.
	worker=$(workers | head -n 1)
	kill -KILL "$worker"
	soon has_ended "$worker"
	forget_its_connections
	some_of_everything
	soon counts_equal_the_log
	# The three threads of a worker that works lose at most a request each: logged, and not yet counted.
	for i in 1 2 3 4 5 6; do
		while curl -s -o /dev/null "$base/api/v1/openapi.json" "$base/healthz"; do :; done 3>&- &
		jobs+=($!)
	done
	sleep 0.2
	kill -KILL $(workers | head -n 1)
	sleep 0.2
	kill "${jobs[@]}"
	wait "${jobs[@]}" || true
	forget_its_connections
	all_but_some_are_counted() {
		local sum=$(counts_sum) lines=$(logged | awk '{ sum += $4 } END { print sum }')
		[ "$lines" -ge "$sum" ] || return 1
		[ $((lines - sum)) -le 3 ]
	}
	soon all_but_some_are_counted
	# A lost count stays away: the rest is as exact as before.
	local before=$(($(logged | awk '{ sum += $4 } END { print sum }') - $(counts_sum)))
	some_of_everything
	as_before() {
		[ $(($(logged | awk '{ sum += $4 } END { print sum }') - $(counts_sum))) = "$before" ]
	}
	soon as_before
}

@test "each request is in the histogram of its route" {
	local requests
	some_of_everything
	scrape
	requests=$(counted | awk '$2 == "/healthz" { sum += $4 } END { print sum }')
	[ "$(value 'daymark_http_request_duration_seconds_count{route="/healthz"}')" = "$requests" ]
	[ "$(value 'daymark_http_request_duration_seconds_bucket{route="/healthz",le="+Inf"}')" = "$requests" ]
}

@test "statements, pages, jobs and processes are counted" {
	local statements pages_ok
	publisher_rests
	scrape
	statements=$(value daymark_db_statements_total) pages_ok=$(value 'daymark_publish_pages_total{result="ok"}')
	new_page
	local queries=$(queries)
	anyone GET /healthz
	publisher_goes_on
	scrape
	[ "$(value daymark_db_statements_total)" -ge $((statements + queries)) ]
	[ "$(value 'daymark_publish_pages_total{result="ok"}')" -gt "$pages_ok" ]
	[ "$(value daymark_publish_duration_seconds_count)" -gt "$pages_ok" ]
	[ "$(value 'daymark_processes{role="worker"}')" = 2 ]
	[ "$(value 'daymark_processes{role="publisher"}')" = 1 ]
	[ "$(value 'daymark_processes{role="pusher"}')" = 0 ]
	[ "$(value 'daymark_worker_job_runs_total{job="pages",result="ok"}')" -gt 0 ]
	[ "$(value 'daymark_job_duration_seconds_count{job="sweep"}')" -gt 0 ]
	[ "$(value 'daymark_oldest_unpublished_change_seconds')" -lt 60 ]
	[ "$(value daymark_metrics_dropped_total)" = 0 ]
	grep -qx "daymark_build_info{version=\"$("$ctl" --version | sed 's/.* //')\"} 1" "$answer"
}

@test "daymarkctl and plain CGI count in the same file" {
	local count
	new_page
	scrape
	count=$(value 'daymark_publish_pages_total{result="ok"}')
	"$ctl" publish --all
	scrape
	[ "$(value 'daymark_publish_pages_total{result="ok"}')" -gt "$count" ]
	count=$(value 'daymark_http_requests_total{route="/healthz",method="GET",status="200"}')
	env -i DAYMARK_CONF="$conf" GATEWAY_INTERFACE=CGI/1.1 REQUEST_METHOD=GET REQUEST_URI=/healthz HTTP_HOST=localhost \
		REMOTE_ADDR=127.0.0.1 "${DAYMARK_BUILD:-$TOP/build}/daymark" </dev/null | grep -q '"ok"'
	scrape
	[ "$(value 'daymark_http_requests_total{route="/healthz",method="GET",status="200"}')" = $((count + 1)) ]
}

@test "no statement is needed for what is not of a monitor, and one for all monitors" {
	scrape
	want_queries 1
	sed -i 's/^metrics_monitors = yes/metrics_monitors = no/' "$conf"
	kill -HUP "$parent"
	monitors_are_gone() { scrape && refute grep -q daymark_monitor_up "$answer"; }
	soon monitors_are_gone
	want_queries 0
	sed -i 's/^metrics_monitors = no/metrics_monitors = yes/' "$conf"
	kill -HUP "$parent"
	monitors_are_back() { scrape && grep -q daymark_monitor_up "$answer"; }
	soon monitors_are_back
}

# The monitors of the next tests: up with a hostile name, down, confirming, never checked, paused, retired.
checked_monitors() {
	hostile=$'a"} 1\ndaymark_x{b="\\ \xc3\xa9'
	sql "DELETE FROM monitor_states"
	local i
	ids=()
	for i in 0 1 2 3 4 5; do
		new_monitor
		ids+=("$monitor")
	done
	api PUT "/api/v1/monitors/${ids[0]}" --data-urlencode "name=${hostile//$'\n'/ }"
	want 200
	# The API takes no control characters; a database may have them nevertheless.
	sql "UPDATE monitors SET name = REPLACE(name, ' 1', ' 1\\n') WHERE id = ${ids[0]};
		UPDATE monitors SET is_paused = 1 WHERE id = ${ids[4]};
		UPDATE monitors SET retired_at = NOW() WHERE id = ${ids[5]};
		INSERT INTO monitor_states (monitor_id, phase, failures, successes, is_slow, changes, is_flapping, response_ms,
		tls_expires_at) VALUES (${ids[0]}, 1, 0, 1, 0, 0, 0, 1234, NOW() + INTERVAL 10 DAY),
		(${ids[1]}, 3, 1, 0, 0, 0, 0, 0, NULL), (${ids[2]}, 2, 1, 0, 0, 0, 0, 5, NULL), (${ids[3]}, 0, 0, 0, 0, 0, 0, 0, NULL),
		(${ids[4]}, 1, 0, 0, 0, 0, 0, 9, NULL), (${ids[5]}, 1, 0, 0, 0, 0, 0, 9, NULL)"
}

@test "monitors have series, if that is set, and names stay inside their labels" {
	checked_monitors
	scrape
	local up
	up=$(sed -n 's/^daymark_monitor_up{monitor_id="\([0-9]*\)".*} \(.*\)/\1 \2/p' "$answer")
	[ "$up" = "${ids[0]} 1"$'\n'"${ids[1]} 0"$'\n'"${ids[2]} 1" ]
	grep -q "^daymark_monitor_response_seconds{monitor_id=\"${ids[0]}\",.*} 1.234000$" "$answer"
	grep -q "^daymark_monitor_tls_expiry_seconds{monitor_id=\"${ids[0]}\",.*} 86[34]" "$answer"
	[ "$(grep -c '^daymark_monitor_tls_expiry_seconds{' "$answer")" = 1 ]
	refute grep -q '^daymark_x' "$answer"
}

@test "messages have ages, if they are sent" {
	scrape
	refute grep -q '^daymark_deliveries_queued' "$answer"
	cp "$conf" "$BATS_TEST_TMPDIR/before"
	printf '[notify]\nenabled = yes\n' >>"$conf"
	sql "INSERT INTO alert_channels (account_id, name, type, address, sealed_value, is_enabled, takes_all_monitors, delay, reminder,
			suspended_at, created_at, updated_at) SELECT MIN(id), 'Pager', 0, 'a', '', 1, 0, 0, 0, NOW(), NOW(), NOW() FROM accounts"
	kill -HUP "$parent"
	is_there() { scrape && grep -qx 'daymark_alert_channels_suspended 1' "$answer"; }
	soon is_there
	grep -qx 'daymark_deliveries_queued 0' "$answer"
	grep -qx 'daymark_oldest_delivery_seconds 0' "$answer"
	grep -qx 'daymark_oldest_unsent_event_seconds 0' "$answer"
	has_sender() { pgrep -P "$parent" -x daymark-sender >/dev/null; }
	soon has_sender
	sql 'DELETE FROM alert_channels'
	cp "$BATS_TEST_TMPDIR/before" "$conf"
	kill -HUP "$parent"
	is_gone() { scrape && refute grep -q daymark_deliveries_queued "$answer" && refute has_sender; }
	soon is_gone
}

@test "promtool and a parser of OpenMetrics accept the output" {
	local promtool python
	checked_monitors
	some_of_everything
	scrape
	[ "$(header Content-Type)" = 'text/plain; version=0.0.4; charset=utf-8' ]
	promtool=$(with_service find_test_program prometheus 2>/dev/null) || skip "prometheus is not installed"
	"$promtool" check metrics <"$answer" >"$BATS_TEST_TMPDIR/lint" 2>&1 || { cat "$BATS_TEST_TMPDIR/lint"; return 1; }
	[ ! -s "$BATS_TEST_TMPDIR/lint" ] || { cat "$BATS_TEST_TMPDIR/lint"; return 1; }
	# What promtool refuses shows that it reads all.
	refute "$promtool" check metrics < <(sed '$s/.*/daymark_x{a="b} 1/' "$answer")
	scrape -H 'Accept: application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3,*/*;q=0.1'
	[ "$(header Content-Type)" = 'application/openmetrics-text; version=1.0.0; charset=utf-8' ]
	for python in /usr/bin/python3 python3 ''; do
		"$python" -c 'import prometheus_client' 2>/dev/null && break
	done
	[ -n "$python" ] || skip "python3-prometheus-client is not installed"
	"$python" - "$answer" >"$BATS_TEST_TMPDIR/parsed" <<-'END'
		import sys
		from prometheus_client.openmetrics.parser import text_string_to_metric_families
		for family in text_string_to_metric_families(open(sys.argv[1], newline='\n').read()):
		    print(family.type, family.name, len(family.samples))
		    for sample in family.samples:
		        if sample.name == 'daymark_monitor_up' and '\n' in sample.labels['name']:
		            print('name', repr(sample.labels['name']))
	END
	grep -qx 'counter daymark_http_requests [0-9]*' "$BATS_TEST_TMPDIR/parsed"
	grep -qx 'histogram daymark_http_request_duration_seconds [0-9]*' "$BATS_TEST_TMPDIR/parsed"
	grep -qxF "name 'a\"} 1\\n daymark_x{b=\"\\\\ é'" "$BATS_TEST_TMPDIR/parsed"
	anyone HEAD /metrics
	[ "$status" = 200 ]
	[ "$(header Content-Length)" -gt 1000 ]
}

@test "the alert rules and the scrape configuration of the manual pass promtool" {
	local promtool
	promtool=$(with_service find_test_program prometheus 2>/dev/null) || skip "prometheus is not installed"
	cp "$TOP"/conf/prometheus/* "$BATS_TEST_TMPDIR"
	(cd "$BATS_TEST_TMPDIR" && "$promtool" check rules daymark-rules.yml && "$promtool" check config --syntax-only prometheus.yml)
	# Each metric of a rule is one that the service has, or has once something went wrong.
	scrape
	local name
	for name in $(grep -o 'daymark_[a-z_]*' "$BATS_TEST_TMPDIR/daymark-rules.yml" | sort -u); do
		grep -q "\"$name\"\|\"${name%_total}\"\|\"${name%_bucket}\"" "$TOP/src/base/metrics_print.c" || { echo "$name"; return 1; }
	done
}

@test "only listed addresses and the key are admitted, and others see no difference to an unknown path" {
	anyone GET /nothing-is-here
	cp "$answer" "$BATS_TEST_TMPDIR/unknown"
	local refused
	for refused in 'X-Forwarded-For: 192.0.2.1' 'X-Forwarded-For: 192.0.2.1, 127.0.0.1' 'Forwarded: for=192.0.2.1' \
		'X-Forwarded-For: nonsense'; do
		anyone GET /metrics -H "$refused"
		[ "$status" = 404 ] || show
		cmp "$answer" "$BATS_TEST_TMPDIR/unknown"
		anyone GET /metrics -H "$refused" -H "Authorization: Bearer $METRICS_KEY"
		[ "$status" = 200 ] || show
		local wrong
		for wrong in "$METRICS_KEY-" "${METRICS_KEY%?}" "$key" ''; do
			anyone GET /metrics -H "$refused" -H "Authorization: Bearer $wrong"
			[ "$status" = 404 ] || show
		done
		anyone GET /metrics -H "$refused" -H "Authorization: Basic $METRICS_KEY"
		[ "$status" = 404 ] || show
	done
	anyone GET /metrics -H 'X-Forwarded-For: 127.0.0.1'
	[ "$status" = 200 ] || show
	anyone POST /metrics
	[ "$status" = 405 ] || show
	refute grep -q "$METRICS_KEY" "$log"
}

@test "a page's domain and other names have no metrics" {
	local domain host
	domain=$(new_slug).example.com
	new_page -F "domain=$domain"
	for host in "$domain" unknown.example.com; do
		anyone GET /metrics -H "Host: $host" -H "Authorization: Bearer $METRICS_KEY"
		[ "$status" = 404 ] || show
		refute grep -q daymark_ "$answer"
	done
	# Also if the web server passes everything on.
	env -i DAYMARK_CONF="$conf" GATEWAY_INTERFACE=CGI/1.1 REQUEST_METHOD=GET REQUEST_URI=/metrics HTTP_HOST=unknown.example.com \
		REMOTE_ADDR=127.0.0.1 "${DAYMARK_BUILD:-$TOP/build}/daymark" </dev/null | grep -q '^Status: 404'
}

@test "a file that is truncated, removed or nonsense ends no process" {
	local before harm
	before=$(workers | sort)
	for harm in ': >' 'truncate -s 5000' 'rm' 'head -c 131088 /dev/urandom >'; do
		eval "$harm '$pages/metrics'"
		some_of_everything
		scrape
		is_whole() { [ "$(stat -c %s "$pages/metrics")" = 131088 ]; }
		soon is_whole
	done
	[ "$(workers | sort)" = "$before" ]
	rm "$pages/metrics"
	# Both workers and the publisher count in the new file: its values only grow.
	local i last=0 sum
	soon is_whole
	sleep 2
	for i in 1 2 3 4 5 6 7 8; do
		anyone GET /healthz
		sum=$(counts_sum)
		[ "$sum" -ge "$last" ]
		last=$sum
	done
}

@test "metrics are served while the database is away, and count its failures" {
	local pid
	checked_monitors
	scrape
	grep -q '^daymark_monitor_up{' "$answer"
	pid=$(cat "$dir/run/mysql.pid")
	kill -KILL "$pid"
	soon has_ended "$pid"
	local i
	for i in 1 2 3; do
		api GET /api/v1/status-pages
		[ "$status" = 503 ]
	done
	scrape
	counted | grep -q '^GET /api/v1/status-pages 503 [3-9]'
	[ "$(value 'daymark_db_errors_total{class="no_connection"}')" -gt 0 ]
	refute grep -q '^daymark_monitor_up{' "$answer"
	publisher_fails() { scrape && grep -q '^daymark_worker_job_runs_total{job="pages",result="failed"}' "$answer"; }
	soon publisher_fails
	grep -q '^daymark_oldest_unpublished_change_seconds ' "$answer"
}
