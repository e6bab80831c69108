# What becomes of requests while the database is read-only, locked, killed, or too small, and
# whether another host of the list is found. Real servers: two with the service's data, and a
# Galera cluster that loses its other half.
load lib

list=/api/v1/status-pages

# start_server NAME PORT [OPTION]...: a MariaDB on the data in $own/NAME.
start_server() {
	local name=$1 port=$2 as=()
	shift 2
	[ "$(id -u)" -ne 0 ] || as=(--user=root)
	setsid mariadbd --no-defaults "${as[@]}" --datadir="$own/$name" --socket="$own/run/$name.sock" \
		--pid-file="$own/run/$name.pid" --bind-address=127.0.0.1 --port="$port" --tmpdir="$own/run" \
		--innodb-buffer-pool-size=32M "$@" >>"$own/log/$name.log" 2>&1 </dev/null 3>&- &
	for i in $(seq 300); do
		on "$name" 'SELECT 1' >/dev/null 2>&1 && return
		sleep 0.1
	done
	tail "$own/log/$name.log"
	return 1
}

# on NAME SQL...: as the administrator of that server.
on() {
	local name=$1
	shift
	mariadb --no-defaults -uroot -S "$own/run/$name.sock" -N -B -e "$*" daymark
}

stop_server() {
	local pid i
	pid=$(cat "$own/run/$1.pid")
	kill "$pid"
	for i in $(seq 300); do is_running "$pid" || return 0; sleep 0.1; done
	return 1
}

# One process of four threads, and two servers with the same data: ids never meet.
setup_file() {
	own_unlimited_service_start <<-'END'
		[server]
		processes = 1
		threads = 4
	END
	password=$(sed -n 's/^password = //p' "$own/conf/daymark.conf")
	mariadb --no-defaults -uroot -S "$own/run/mysql.sock" -e "
		CREATE USER daymark@'127.0.0.1' IDENTIFIED BY '$password';
		GRANT SELECT, INSERT, UPDATE, DELETE ON daymark.* TO daymark@'127.0.0.1';
		CREATE USER steps@'127.0.0.1', steps@localhost;
		CREATE TABLE daymark.steps (a INT PRIMARY KEY, b INT);
		GRANT SELECT, INSERT ON daymark.steps TO steps@'127.0.0.1', steps@localhost"
	stop_server mysql
	cp -r "$own/mysql" "$own/second"
	cp -r "$own/mysql" "$own/galera1"
	cp -r "$own/mysql" "$own/galera2"
	port=$(own_port)
	start_server mysql "$port" --auto-increment-increment=2 --auto-increment-offset=1
	second_port=$(own_port)
	start_server second "$second_port" --auto-increment-increment=2 --auto-increment-offset=2
	echo "port=$port second_port=$second_port" >"$BATS_FILE_TMPDIR/ports"
	sed -i "s/^socket = .*/hosts = 127.0.0.1:$port, 127.0.0.1:$second_port/" "$own/conf/daymark.conf"
	kill -HUP "$(cat "$own/run/daymark.pid")"
}

teardown_file() {
	local name
	# A node without its cluster may wait for it for ever.
	for name in second galera1 galera2; do
		[ ! -e "$BATS_FILE_TMPDIR/own/run/$name.pid" ] || kill -9 "$(cat "$BATS_FILE_TMPDIR/own/run/$name.pid")" || true
	done
	own_service_stop
}

setup() {
	own_service
	. "$BATS_FILE_TMPDIR/ports"
}

# Whatever a test has left must not reach the next.
teardown() {
	release
	on mysql 'SET GLOBAL read_only = 0, max_allowed_packet = 16777216'
	on second 'SET GLOBAL read_only = 0'
	usual_timeout
}

# patient_timeout: statements of the service wait for locks as long as a busy machine may need.
patient_timeout() {
	printf '[database]\ntimeout_s = 60\n' >>"$conf"
	reload
}

usual_timeout() {
	[ "$(tail -n 1 "$conf")" = 'timeout_s = 60' ] || return 0
	sed -i '$d' "$conf"
	sed -i '$d' "$conf"
	reload
}

reload() {
	local worker
	worker=$(pgrep -P "$parent" -x daymark)
	kill -HUP "$parent"
	soon has_ended "$worker"
}

waiters() {
	on mysql "SELECT COUNT(*) FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT'"
}

waits_so_far() {
	on mysql "SELECT VARIABLE_VALUE FROM information_schema.global_status WHERE VARIABLE_NAME = 'Innodb_row_lock_waits'"
}

waiting() {
	[ "$(waiters)" = "$1" ]
}

# have_waited COUNT: so many wait for as long as makes a write a stuck one.
have_waited() {
	[ "$(on mysql "SELECT COUNT(*) FROM information_schema.innodb_trx JOIN information_schema.processlist p
		ON p.id = trx_mysql_thread_id WHERE trx_state = 'LOCK WAIT' AND p.time_ms > 500")" = "$1" ]
}

# Whether a connection waits for a lock that is not $waiter: it is that now.
other_waits() {
	local id
	id=$(on mysql "SELECT trx_mysql_thread_id FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT'")
	[ "${id:-$waiter}" != "$waiter" ] || return 1
	waiter=$id
}

# later NAME METHOD PATH [CURL ARGUMENT]...: in the background, its status in later.NAME.
later() {
	local name=$1 method=$2 path=$3
	shift 3
	curl -sS --max-time 60 -X "$method" -H "Authorization: Bearer $key" -D "$BATS_TEST_TMPDIR/headers.$name" \
		-o "$BATS_TEST_TMPDIR/answer.$name" -w '%{http_code}' "$@" "$base$path" >"$BATS_TEST_TMPDIR/later.$name" 3>&- 8>&- &
	laters+=($!)
}

# made_on SERVER: a page that is made now is there.
made_on() {
	new_page
	[ "$(on "$1" "SELECT COUNT(*) FROM status_pages WHERE slug = '$slug'")" = 1 ]
}

@test "a host that takes no changes is left for one that does, and taken again" {
	made_on mysql
	on mysql 'SET GLOBAL read_only = 1'
	# More than there are threads: each has a connection of its own.
	for i in $(seq 12); do made_on second; done
	api DELETE "$list/$page"
	want 200
	on mysql 'SET GLOBAL read_only = 0'
	soon made_on mysql
}

@test "while no host takes changes, what is there can be read, and a write is 503" {
	new_page
	on mysql 'SET GLOBAL read_only = 1'
	on second 'SET GLOBAL read_only = 1'
	for i in $(seq 12); do
		api PUT "$list/$page" -d name=Lost
		want 503 '.message | contains("takes no changes")' '.request_id | length == 16'
		[ "$(header Retry-After)" = 5 ]
		refute grep -Eqi '1290|read-only' "$answer"
		api GET "$list"
		want 200
	done
	api PUT "$list/$page" -d name=Lost
	log_line | grep -q 1290
	on mysql 'SET GLOBAL read_only = 0'
	on second 'SET GLOBAL read_only = 0'
	renamed() { api PUT "$list/$page" -d name=Found; [ "$status" = 200 ]; }
	soon renamed
	[ "$(on mysql "SELECT name FROM status_pages WHERE id = $page")" = Found ]
}

@test "a command that meets a read-only database alone says so, and that it may be tried again" {
	sed "s/^hosts = .*/hosts = 127.0.0.1:$port/" "$conf" >"$BATS_TEST_TMPDIR/one.conf"
	on mysql 'SET GLOBAL read_only = 1'
	run "$ctl" account add 'Never there' --config "$BATS_TEST_TMPDIR/one.conf"
	[ "$status" = 69 ] || { echo "$status $output"; false; }
	grep -q 'takes no changes' <<<"$output"
	[ "$(on mysql "SELECT COUNT(*) FROM accounts WHERE name = 'Never there'")" = 0 ]
}

# cluster_is SIZE STATUS: as the first node sees it.
cluster_is() {
	[ "$(on galera1 "SHOW STATUS WHERE Variable_name IN ('wsrep_cluster_size', 'wsrep_cluster_status')" |
		cut -f 2 | paste -sd ' ')" = "$*" ]
}

# start_node NAME PORT ADDRESS OPTION...
start_node() {
	local name=$1 port=$2 address=$3
	shift 3
	start_server "$name" "$port" --binlog-format=ROW --innodb-autoinc-lock-mode=2 --wsrep-on=ON \
		--wsrep-provider="$provider" --wsrep-sst-method=skip --wsrep-node-address=127.0.0.1 \
		--wsrep-cluster-address="$address" --wsrep-provider-options="gmcast.listen_addr=tcp://127.0.0.1:$((port + 1));\
ist.recv_addr=127.0.0.1:$((port + 2));base_host=127.0.0.1;evs.keepalive_period=PT0.3S;evs.suspect_timeout=PT1S;\
evs.inactive_check_period=PT0.3S;evs.inactive_timeout=PT2S" "$@"
}

# take COMMAND...: one step of db-steps, its answer in $stepped.
take() {
	echo "$*" >&6
	read -r -t 30 stepped <&7
	[ "${stepped%% *}" = "$wanted" ] || { echo "$*: $stepped"; return 1; }
}

@test "a Galera node that has lost its cluster is left; a commit that it refuses is uncertain" {
	top=$TOP
	. "$TOP/tools/lib/common.sh"
	provider=$(find_program galera-4 /usr/lib/galera/libgalera_smm.so 2>/dev/null) || skip "galera-4 is not installed"
	node=$(free_port 18940)
	start_node galera1 "$node" gcomm:// --wsrep-new-cluster
	start_node galera2 "$(free_port "$((node + 10))")" "gcomm://127.0.0.1:$((node + 1))"
	soon cluster_is 2 Primary
	steps="${DAYMARK_BUILD:-$TOP/build}/tests/lib/db-steps"
	mkfifo "$BATS_TEST_TMPDIR/to" "$BATS_TEST_TMPDIR/from"
	"$steps" "127.0.0.1:$node,127.0.0.1:$second_port" steps daymark \
		<"$BATS_TEST_TMPDIR/to" >"$BATS_TEST_TMPDIR/from" 3>&- &
	exec 6>"$BATS_TEST_TMPDIR/to" 7<"$BATS_TEST_TMPDIR/from"
	wanted=ok take port
	[ "${stepped#ok }" = "$node" ]
	# What another node has committed is seen.
	wanted=ok take sync
	[ "${stepped#ok }" = 1 ]
	wanted=ok take begin
	wanted=ok take insert 1
	kill -9 "$(cat "$own/run/galera2.pid")"
	rm "$own/run/galera2.pid"
	soon cluster_is 1 non-Primary
	wanted=uncertain take commit
	grep -q 1047 <<<"$stepped"
	wanted=ok take transact 2
	wanted=ok take port
	[ "${stepped#ok }" = "$second_port" ]
	[ "$(on second 'SELECT a FROM steps ORDER BY a')" = 2 ]
	# Outside of a transaction, too, and by a connection that begins there.
	exec 6>&- 7<&-
	printf 'insert 3\nport\n' | "$steps" "127.0.0.1:$node,127.0.0.1:$second_port" steps daymark \
		>"$BATS_TEST_TMPDIR/out"
	[ "$(cat "$BATS_TEST_TMPDIR/out")" = "$(printf 'ok 0 \nok %s ' "$second_port")" ] || { cat "$BATS_TEST_TMPDIR/out"; false; }
}

@test "a column under another name than the field's ends the program, which says both" {
	steps="${DAYMARK_BUILD:-$TOP/build}/tests/lib/db-steps"
	on mysql 'REPLACE INTO steps VALUES (1, 2)'
	[ "$(echo union | "$steps" "127.0.0.1:$port" steps daymark)" = 'ok 5 ' ]
	run bash -c "echo swapped | '$steps' 127.0.0.1:$port steps daymark"
	[ "$status" = 70 ] || { echo "$status $output"; false; }
	grep -q 'the column b where a is read' <<<"$output"
}

@test "a lock that does not come is waited for once, then 503" {
	new_page
	before=$(waits_so_far)
	hold "SELECT id FROM status_pages WHERE id = $page FOR UPDATE"
	api PUT "$list/$page" -d name=Waited
	want 503 '.message | contains("busy")'
	[ "$(header Retry-After)" = 5 ]
	log_line | grep -q 1205
	[ "$(($(waits_so_far) - before))" = 1 ]
	release
	api PUT "$list/$page" -d name=Free
	want 200 '.data.name == "Free"'
}

@test "writes that wait for a row leave threads to all others, and to other rows" {
	patient_timeout
	new_page
	free=$page
	new_page
	laters=()
	before=$(waits_so_far)
	hold "SELECT id FROM status_pages WHERE id = $page FOR UPDATE"
	later one PUT "$list/$page" -d name=One
	later two PUT "$list/$page" -d name=Two
	soon have_waited 2
	# Two of four threads are stuck: a third write is refused before it asks for the row.
	for i in 1 2 3; do
		api PUT "$list/$page" -d name=Three
		want 503 '.message | contains("this object")'
		[ "$(header Retry-After)" = 1 ]
		# The key, START TRANSACTION and ROLLBACK.
		want_queries_at_most 3
		api PUT "$list/$free" -d "name=Free $i"
		want 200
	done
	other POST "$list" -d name=Other -d "slug=$(new_slug)"
	want 201
	api GET "$list/$page"
	want 200
	anyone GET /healthz
	want 200
	soon waiting 2
	release
	wait "${laters[@]}"
	[ "$(cat "$BATS_TEST_TMPDIR"/later.*)" = 200200 ] || { cat "$BATS_TEST_TMPDIR"/{later,answer}.*; tail -n 20 "$log"; false; }
	api PUT "$list/$page" -d name=Three
	want 200
}

@test "a transaction whose connection is killed again and again is 503 with Retry-After" {
	new_page
	laters=()
	hold "SELECT id FROM status_pages WHERE id = $page FOR UPDATE"
	later one PUT "$list/$page" -d name=Killed
	waiter=0
	for i in 1 2 3 4 5; do
		soon other_waits
		on mysql "KILL $waiter"
	done
	wait "${laters[@]}"
	[ "$(cat "$BATS_TEST_TMPDIR/later.one")" = 503 ]
	grep -qi '^Retry-After: 5' "$BATS_TEST_TMPDIR/headers.one"
	jq -e '.message | contains("Nothing was changed")' "$BATS_TEST_TMPDIR/answer.one"
	release
	[ "$(on mysql "SELECT name FROM status_pages WHERE id = $page")" = Test ]
}

@test "a statement that is interrupted is 503, and not repeated" {
	new_page
	laters=()
	hold "SELECT id FROM status_pages WHERE id = $page FOR UPDATE"
	later one PUT "$list/$page" -d name=Stopped
	soon waiting 1
	waiter=0
	other_waits
	on mysql "KILL QUERY $waiter"
	wait "${laters[@]}"
	[ "$(cat "$BATS_TEST_TMPDIR/later.one")" = 503 ]
	grep -qi '^Retry-After: 5' "$BATS_TEST_TMPDIR/headers.one"
	release
}

@test "a commit that waits for a backup is 503 and has changed nothing" {
	new_page
	hold 'COMMIT; BACKUP STAGE START; BACKUP STAGE FLUSH; BACKUP STAGE BLOCK_DDL; BACKUP STAGE BLOCK_COMMIT'
	api PUT "$list/$page" -d name=Waited
	want 503 '.message | contains("Nothing was changed")'
	release
	[ "$(on mysql "SELECT name FROM status_pages WHERE id = $page")" = Test ]
}

@test "a key whose row is locked is used all the same, and nobody waits to note it" {
	hash=$(printf %s "$key" | sha256sum | cut -d ' ' -f 1)
	before=$(waits_so_far)
	on mysql 'UPDATE api_keys SET last_used_at = NULL'
	hold 'SELECT id FROM api_keys FOR UPDATE'
	for i in $(seq 8); do
		api GET "$list"
		want 200
	done
	[ "$(waits_so_far)" = "$before" ]
	waiting 0
	refute grep -a 'was not noted' "$log"
	[ "$(on mysql 'SELECT COUNT(last_used_at) FROM api_keys')" = 0 ]
	release
	noted() { api GET "$list"; [ "$(on mysql 'SELECT COUNT(last_used_at) FROM api_keys')" = 1 ]; }
	soon noted
}

# A real picture of N bytes and more: noise does not compress.
noisy_png() {
	python3 - "$1" <<'END'
import os, struct, sys, zlib
side = int((int(sys.argv[1]) / 3) ** 0.5) + 1
def chunk(kind, data):
    return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))
rows = b''.join(b'\0' + os.urandom(3 * side) for _ in range(side))
sys.stdout.buffer.write(b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', side, side, 8, 2, 0, 0, 0))
    + chunk(b'IDAT', zlib.compress(rows, 0)) + chunk(b'IEND', b''))
END
}

@test "a max_allowed_packet that is too small is named, to the client and by check-config" {
	new_page
	noisy_png 1300000 >"$BATS_TEST_TMPDIR/logo"
	"$ctl" check-config
	on mysql 'SET GLOBAL max_allowed_packet = 1048576'
	# It holds for connections that are made from now on.
	for id in $(on mysql "SELECT id FROM information_schema.processlist WHERE user = 'daymark'"); do
		on mysql "KILL $id"
	done
	api PUT "$list/$page" -F "logo=@$BATS_TEST_TMPDIR/logo" -F name=Large
	want 503 '.message | contains("max_allowed_packet")'
	[ -n "$(header Retry-After)" ]
	log_line | grep -q 'max_allowed_packet is 1048576'
	api PUT "$list/$page" -d name=Small
	want 200 '.data.logo_url == null'
	run "$ctl" check-config
	[ "$status" -ne 0 ]
	grep -q 'NOT OK *packet size.*1048576' <<<"$output"
}
