#!/usr/bin/env bash
# The servers beside which rows are measured: nginx's own files, a bare C program, plain PHP, Node.
# Sourced. They use tables of their own, in the database server of the last build.

declare -A reference_port
declare -A why_missing

# start_file_reference: nginx with files of its own.
start_file_reference() {
	local name
	[ -z "${reference_port[file]:-}" ] || return 0
	mkdir -p "$work/ref/run" "$work/ref/files" "$work/ref/log"
	for name in file c php node; do
		reference_port[$name]=$(free_port "$((first_port + 20))")
	done
	start_reference_nginx || fail "nginx does not start; see $work/ref/log"
}

# start_references: starts all installed references behind one nginx. Their tables must exist.
are_references_started=''
start_references() {
	[ -z "$are_references_started" ] || return 0
	are_references_started=yes
	start_file_reference
	start_reference_c || fail "the C reference does not start; see $work/ref/log"
	start_reference_php || say "PHP is left out: ${why_missing[php]}"
	start_reference_node || say "Node is left out: ${why_missing[node]}"
}

stop_references() {
	local name
	for name in nginx php node c; do
		stop_process "$work/ref/run/$name.pid" "$work" TERM
	done
}

reference_url() { printf 'http://127.0.0.1:%s' "${reference_port[$1]}"; }
reference_mysql() { printf '%s/%s/run/mysql.sock' "$work" "${labels[-1]}"; }

start_reference_c() {
	local flags
	read -ra flags <<<"$(pkg-config --cflags --libs libmariadb libsodium)"
	cc -std=gnu17 -O2 -o "$work/ref/reference" "$bench"/reference/{server,api}.c "${flags[@]}" -pthread || return 1
	setsid "$work/ref/reference" "$work/ref/run/c.sock" "$(reference_mysql)" 2 >"$work/ref/log/c" 2>&1 </dev/null &
	echo $! >"$work/ref/run/c.pid"
	wait_until 10 test -S "$work/ref/run/c.sock"
}

start_reference_php() {
	local fpm modules=/usr/lib/php/20220829 mysqlnd mysqli opcache
	why_missing[php]="not installed"
	fpm=$(find_program php8.2-fpm /usr/sbin/php-fpm8.2) && [ -x "$fpm" ] &&
		mysqlnd=$(find_program php8.2-mysql $modules/mysqlnd.so) && mysqli=$(find_program php8.2-mysql $modules/mysqli.so) &&
		opcache=$(find_program php8.2-opcache $modules/opcache.so) || return 1
	cat >"$work/ref/php.conf" <<-END
	[global]
	error_log = $work/ref/log/php
	daemonize = no
	[www]
	listen = $work/ref/run/php.sock
	$([ "$(id -u)" -ne 0 ] || printf 'user = root\ngroup = root')
	pm = static
	pm.max_children = 16
	END
	why_missing[php]="does not start"
	setsid "$fpm" -n -R -F -y "$work/ref/php.conf" -d extension="$mysqlnd" -d extension="$mysqli" -d zend_extension="$opcache" \
		-d opcache.validate_timestamps=0 -d mysqli.allow_persistent=1 >"$work/ref/log/php-fpm" 2>&1 </dev/null &
	echo $! >"$work/ref/run/php.pid"
	wait_until 10 test -S "$work/ref/run/php.sock" || return 1
	why_missing[php]=''
}

fetch_bench_tools() {
	rm -rf "$top/.tools/bench"
	mkdir -p "$top/.tools/bench"
	cp "$bench/reference/package.json" "$top/.tools/bench/" &&
		(cd "$top/.tools/bench" && npm install --ignore-scripts --no-package-lock --no-audit --no-fund) &&
		cp "$bench/reference/package.json" "$top/.tools/bench/fetched.json"
}

start_reference_node() {
	why_missing[node]="not installed"
	command -v node >/dev/null || return 1
	cmp -s "$bench/reference/package.json" "$top/.tools/bench/fetched.json" ||
		{ [ -z "${DAYMARK_NO_DOWNLOAD:-}" ] && command -v npm >/dev/null &&
			step "Fetching the npm packages of the Node reference into .tools/bench" fetch_bench_tools; } || return 1
	why_missing[node]="does not start"
	setsid node "$bench/reference/list.cjs" "$top/.tools/bench" "$work/ref/run/node.sock" "$(reference_mysql)" \
		>"$work/ref/log/node" 2>&1 </dev/null &
	echo $! >"$work/ref/run/node.pid"
	wait_until 10 test -S "$work/ref/run/node.sock" || return 1
	why_missing[node]=''
}

# The lines that Daymark's own configuration passes to the program.
fastcgi_lines() {
	cat <<-'END'
	fastcgi_param REQUEST_METHOD $request_method;
	fastcgi_param REQUEST_URI $request_uri;
	fastcgi_param QUERY_STRING $query_string;
	fastcgi_param CONTENT_TYPE $content_type;
	fastcgi_param CONTENT_LENGTH $content_length;
	fastcgi_param SERVER_PROTOCOL $server_protocol;
	END
}

start_reference_nginx() {
	local run=$work/ref/run user=''
	[ "$(id -u)" -ne 0 ] || user='user root;'
	cat >"$work/ref/nginx.conf" <<-END
	$user
	worker_processes 2;
	pid $run/nginx.pid;
	error_log $work/ref/log/nginx;
	events { worker_connections 1024; }
	http {
		access_log $work/ref/log/access;
		client_body_temp_path $run/body; proxy_temp_path $run/proxy; fastcgi_temp_path $run/fastcgi;
		uwsgi_temp_path $run/uwsgi; scgi_temp_path $run/scgi;
		upstream c { server unix:$run/c.sock; keepalive 16; }
		upstream node { server unix:$run/node.sock; keepalive 16; }
		server {
			listen 127.0.0.1:${reference_port[file]};
			root $work/ref/files;
			types { text/html html; image/svg+xml svg; application/atom+xml atom; application/json json; }
			location /packed/ { alias $work/ref/files/; gzip_static on; }
		}
		server {
			listen 127.0.0.1:${reference_port[c]};
			location / { fastcgi_pass c; fastcgi_keep_conn on; $(fastcgi_lines) }
		}
		server {
			listen 127.0.0.1:${reference_port[php]};
			location / { fastcgi_pass unix:$run/php.sock; $(fastcgi_lines)
				fastcgi_param MYSQL_SOCKET $(reference_mysql);
				fastcgi_param SCRIPT_FILENAME $bench/reference/list.php; }
		}
		server {
			listen 127.0.0.1:${reference_port[node]};
			location / { proxy_pass http://node; proxy_http_version 1.1;
				proxy_set_header Connection ""; proxy_set_header Host \$http_host; }
		}
	}
	END
	setsid "$(find_nginx)" -p "$run" -c "$work/ref/nginx.conf" -e "$work/ref/log/nginx" </dev/null &&
		wait_until 10 curl -sS -o /dev/null "$(reference_url file)/"
}

# seed_reference: the tables of the references, of the accounts of the lists; in the last build's
# database server.
seed_reference() {
	local label=$1
	[ "$label" = "${labels[-1]}" ] || return 0
	sql "$label" "CREATE DATABASE reference CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci;
		CREATE TABLE reference.accounts (id BIGINT PRIMARY KEY, key_hash BINARY(32) NOT NULL UNIQUE, incidents BIGINT NOT NULL, pages BIGINT NOT NULL);
		CREATE TABLE reference.monitors (id BIGINT PRIMARY KEY, name VARCHAR(255) NOT NULL, url VARCHAR(2048) NOT NULL, page_id BIGINT);
		CREATE TABLE reference.incidents (id BIGINT AUTO_INCREMENT PRIMARY KEY, account_id BIGINT NOT NULL, monitor_id BIGINT NOT NULL,
			cause VARCHAR(1000) NOT NULL, comment TEXT, started_at DATETIME NOT NULL, acknowledged_at DATETIME, ended_at DATETIME,
			ends_at DATETIME NOT NULL, created_at DATETIME NOT NULL, updated_at DATETIME NOT NULL, title VARCHAR(255), phase TINYINT NOT NULL,
			impact TINYINT NOT NULL, next_update_at DATETIME, exclude_from_uptime TINYINT NOT NULL, postmortem TEXT, KEY (account_id, ends_at, id));
		CREATE TABLE reference.updates (id BIGINT AUTO_INCREMENT PRIMARY KEY, incident_id BIGINT NOT NULL, phase TINYINT NOT NULL, body TEXT NOT NULL,
			at DATETIME NOT NULL, KEY (incident_id, at));
		CREATE TABLE reference.pages (id BIGINT PRIMARY KEY, account_id BIGINT NOT NULL, name VARCHAR(255) NOT NULL, slug VARCHAR(64) NOT NULL,
			created_at DATETIME NOT NULL, updated_at DATETIME NOT NULL, KEY (account_id, id));
		CREATE TABLE reference.page_monitors (page_id BIGINT NOT NULL, position INT NOT NULL, monitor_id BIGINT NOT NULL, PRIMARY KEY (page_id, position));
		CREATE TABLE reference.events (id BIGINT AUTO_INCREMENT PRIMARY KEY, account_id BIGINT NOT NULL, incident_id BIGINT NOT NULL, at DATETIME NOT NULL,
			KEY (account_id, at), KEY (incident_id));
		INSERT INTO reference.monitors SELECT id, name, url, (SELECT MIN(s.status_page_id) FROM status_page_monitors s WHERE s.monitor_id = m.id) FROM monitors m;
		INSERT INTO reference.incidents SELECT id, account_id, monitor_id, cause, comment, started_at, acknowledged_at, ended_at,
			COALESCE(ended_at, '9999-12-31'), created_at, updated_at, title, phase, impact, next_update_at, exclude_from_uptime, postmortem FROM incidents WHERE account_id BETWEEN 1001 AND 1201;
		INSERT INTO reference.pages SELECT p.id, p.account_id, p.name, p.slug,
			p.created_at, p.updated_at FROM status_pages p WHERE p.account_id BETWEEN 1001 AND 1201;
		INSERT INTO reference.page_monitors SELECT s.status_page_id, s.position, s.monitor_id FROM status_page_monitors s
			JOIN reference.pages p ON p.id = s.status_page_id;
		INSERT INTO reference.accounts SELECT k.account_id, k.key_hash, (SELECT COUNT(*) FROM reference.incidents i WHERE i.account_id = k.account_id),
			(SELECT COUNT(*) FROM reference.pages p WHERE p.account_id = k.account_id) FROM api_keys k WHERE k.account_id BETWEEN 1001 AND 1201"
	sql "$label" 'ANALYZE TABLE reference.accounts, reference.monitors, reference.incidents, reference.pages' >/dev/null
}
