# Shared by the acceptance tests: services, requests, and checks of their responses. Functions that many tests
# call start no process where bash itself can do it: a fork takes 5 ms of processor time, a program 10 to 40.
# shellcheck shell=bash

# gojq starts in 2 ms, jq in 20. gojq sorts all objects, and knows neither the order of their members nor the option
# for sorting.
if command -v gojq >/dev/null; then
	jq() {
		case "$*" in
		-S* | -cS* | *keys_unsorted*) command jq "$@" ;;
		*) gojq "$@" ;;
		esac
	}
fi

# Sets the paths, address and keys of the service. A file with its own setup() calls it there.
setup_of_lib() {
	dir=$DAYMARK_ACCEPT_DIR
	conf=${DAYMARK_ACCEPT_CONF:-$dir/conf/daymark.conf}
	read_quickstart
	base=${DAYMARK_ACCEPT_BASE:-$base}
	pages=$dir/pages
	log=$dir/log/daymark.log
	# A setup_file() that makes requests has no folder of a test.
	answer=${BATS_TEST_TMPDIR:-$BATS_FILE_TMPDIR}/answer
	ctl=${DAYMARK_ACCEPT_CTL:-${DAYMARK_BUILD:-$TOP/build}/daymarkctl}
	export DAYMARK_CONF=$conf
}

# Sets $base, $key, $other_key and $account from quickstart.json.
read_quickstart() {
	local json
	read -r -d '' json <"$dir/quickstart.json" || true
	[[ $json =~ \"base_url\":\ *\"([^\"]*) ]] && base=${BASH_REMATCH[1]}
	[[ $json =~ \"api_key\":\ *\"([^\"]*) ]] && key=${BASH_REMATCH[1]}
	[[ $json =~ \"other_api_key\":\ *\"([^\"]*) ]] && other_key=${BASH_REMATCH[1]}
	[[ $json =~ \"account\":\ *([0-9]+) ]] && account=${BASH_REMATCH[1]}
}

setup() {
	setup_of_lib
}

# service_in DIR [OPTION]...: starts a service with its own MariaDB in DIR; the options are quickstart's.
service_in() {
	"$TOP/tools/quickstart" --background --no-build --port "$(own_port)" --dir "$@" 3>&- >&2
}

own_port() {
	bash -c '. "$0" && free_port 18800' "$TOP/tools/lib/common.sh"
}

# own_service_start: call it in setup_file(). Starts a service for this file's tests only, which may
# kill its processes. Standard input: settings to append to the example's.
own_service_start() {
	cat "${1:-/dev/null}" - >"$BATS_FILE_TMPDIR/extra.conf"
	own=$BATS_FILE_TMPDIR/own
	service_in "$own" --extra "$BATS_FILE_TMPDIR/extra.conf"
}

# Starts the same service without the limits on requests, which a test would otherwise reach.
own_unlimited_service_start() {
	own_service_start "$TOP/tests/lib/unlimited.conf"
}

own_service_stop() {
	"$TOP/tools/quickstart" --stop --dir "$BATS_FILE_TMPDIR/own" >&2
}

# own_service: call it in setup(), so that the tests ask the file's own service.
own_service() {
	unset DAYMARK_ACCEPT_BASE DAYMARK_ACCEPT_CONF DAYMARK_ACCEPT_CTL
	own=$BATS_FILE_TMPDIR/own
	DAYMARK_ACCEPT_DIR=$own
	setup_of_lib
	parent=$(cat "$dir/run/daymark.pid")
}

# mirror_host_start DIR PORT BASE_URL: starts a mirror host with the key $MIRROR_KEY behind nginx, for
# the installation at BASE_URL.
mirror_host_start() {
	local dir=$1 port=$2
	mkdir -p "$dir/conf" "$dir/run" "$dir/log"
	# nginx may run as another user.
	chmod 0755 "$BATS_FILE_TMPDIR" "$dir" "$dir/run"
	(umask 077 && cat >"$dir/conf/daymark.conf" <<END)
[site]
base_url = $3
hosts = mirror.example.net
[pages]
dir = $dir/pages
[server]
listen = unix:$dir/run/daymark.sock
[limits]
wrong_keys_per_minute = 3
[mirror_host]
key = $MIRROR_KEY
END
	with_service service_start_daymark "$dir" "${DAYMARK_BUILD:-$TOP/build}" >&2
	with_service service_copy_nginx "$dir" "$dir" "$port"
	sed -i 's/server_name 127.0.0.1 /&mirror.example.net /' "$dir/conf/nginx/daymark.conf"
	with_service eval "service_run_nginx '$dir' \"\$(find_nginx)\" '$dir/conf/nginx/daymark.conf'" >&2
	with_service wait_until 20 curl -fsS "http://127.0.0.1:$port/healthz" >&2
}

# with_service FUNCTION [ARGUMENT]...: calls a function of tools/lib/service.sh.
with_service() (
	top=$TOP
	. "$TOP/tools/lib/common.sh"
	. "$TOP/tools/lib/service.sh"
	"$@" 3>&-
)

# needs PROGRAM...: skips the test if one of them is not installed.
needs() {
	local program
	for program; do
		PATH=$PATH:/usr/sbin command -v "$program" >/dev/null || skip "$program is not installed"
		[ "$program" != strace ] || [ "$(id -u)" = 0 ] || trace_as_root
	done
}

# A program that holds secrets lets only root read its memory, such as the paths that it opens: strace runs as
# root of a user namespace.
trace_as_root() {
	local bin=$BATS_TEST_TMPDIR/trace-as-root
	[ ! -e "$bin/strace" ] || return 0
	unshare -r true 2>/dev/null || skip "only root may trace a program that holds secrets"
	mkdir -p "$bin"
	printf '#!/bin/sh\nexec unshare -r %s "$@"\n' "$(command -v strace)" >"$bin/strace"
	chmod +x "$bin/strace"
	PATH=$bin:$PATH
}

# Programs that hold secrets let only root attach to them and read their files in /proc.
as_root() {
	if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi
}

needs_root() {
	as_root true 2>/dev/null || skip "only root may look into a program that holds secrets"
}

# api METHOD PATH [CURL ARGUMENT]...: sends a request with the account's key; sets $status, and writes
# the response to the files $answer and $headers.
api() {
	call "$key" "$@"
}

# Does the same with the key of the other account.
other() {
	call "$other_key" "$@"
}

call() {
	local as=$1 method=$2 path=$3
	shift 3
	anyone "$method" "$path" -H "Authorization: Bearer $as" "$@"
}

anyone() {
	local method=$1 path=$2
	shift 2
	headers=${answer%/*}/headers
	# curl does not touch the file if the response has no body.
	: >"$answer"
	if [ "${tap_shell:-}" = "$BASHPID" ]; then
		ask_curl_server "$@"
	else
		start_curl "$@"
	fi
}

# Sends anyone()'s request by starting curl.
start_curl() {
	local how=(-X "$method")
	[ "$method" != HEAD ] || how=(--head)
	# -g: curl must not expand {} and [] in the URL.
	status=$(curl -sS -g --max-time 60 "${how[@]}" -o "$answer" -D "$headers" -w '%{http_code}' \
		"$@" "$base$path")
	# --head writes the headers to the file of the body, too.
	[ "$method" != HEAD ] || : >"$answer"
}

# Sends anyone()'s request by tests/lib/curl-server.c, which run-files has started: curl takes 30 ms to start.
ask_curl_server() {
	local words=("$EPOCHREALTIME" "$PWD" "$answer" "$headers" "$method" "$base$path" "$@") id='' code message
	printf '%s\0' "${#words[@]}" "${words[@]}" >&"$tap_ask"
	# The first reply may be to a request of a test that was killed.
	until [ "$id" = "${words[0]}" ]; do
		read -r -d '' -u "$tap_told" id && read -r -d '' -u "$tap_told" code &&
			read -r -d '' -u "$tap_told" status && read -r -d '' -u "$tap_told" message
	done
	case $code in
	0) ;;
	255) start_curl "$@" ;;
	*)
		echo "curl: ($code) $message" >&2
		return "$code"
		;;
	esac
}

show() {
	echo "status $status"
	cat "$headers" "$answer"
	return 1
}

# want STATUS [JQ FILTER]...: the response has the status, and each filter is true of its JSON.
want() {
	local wanted=$1 filter all=''
	shift
	[ "$status" = "$wanted" ] || show
	[ $# -gt 0 ] || return 0
	# Run jq once for all filters, since it starts slowly; only after a failure once for each, to name the false ones.
	printf -v all ' and (%s)' "$@"
	jq -e "${all# and }" "$answer" >/dev/null 2>&1 && return
	for filter in "$@"; do
		jq -e "$filter" "$answer" >/dev/null || { echo "not true: $filter"; show; }
	done
}

# want_fault FIELD [TEXT]: the response is a 422 with a violation of the field that contains the text. Each
# violation has a word for programs, which says more than "invalid".
want_fault() {
	want 422 ".errors[\"$1\"] | length > 0" ".errors[\"$1\"][0] | contains(\"${2:-}\")" \
		".message | length > 0" '.status == 422' '[.errors[] | length] == [.codes[] | length]' \
		'(.errors | keys) == (.codes | keys)' '[.codes[][]] | index("invalid") == null'
}

# header NAME: prints the values of the header, one per line.
header() {
	local line
	while IFS= read -r line; do
		line=${line%$'\r'}
		[[ ${line,,} != "${1,,}: "* ]] || printf '%s\n' "${line#*: }"
	done <"$headers"
}

# The log line of the last request. The service may write it shortly after the response.
log_line() {
	local id i
	id=$(header X-Request-Id)
	for ((i = 0; i < 500; i++)); do
		grep -a "id=$id " "$log" && return
		sleep 0.02
	done
	return 1
}

queries() {
	local line
	line=$(log_line)
	[[ $line =~ .*\ queries=([0-9]+) ]] && printf '%s\n' "${BASH_REMATCH[1]}"
}

want_queries() {
	[ "$(queries)" = "$1" ] || { log_line; return 1; }
}

want_queries_at_most() {
	local count
	count=$(queries)
	[ "$count" -le "$1" ] || { log_line; return 1; }
}

# refute COMMAND...: the command must fail. (In bats a line that begins with `!` cannot fail a test.)
refute() {
	if "$@"; then
		echo "should have failed: $*"
		return 1
	fi
}

# soon COMMAND...: repeats the command until it succeeds, for up to two minutes: machines can be busy.
soon() {
	local began=$SECONDS pause=0.05
	while [ $((SECONDS - began)) -lt 120 ]; do
		"$@" 2>/dev/null && return
		sleep "$pause"
		# Wait longer between later tries: a try takes up to 50 ms of processor time.
		case $pause in 0.05) pause=0.1 ;; 0.1) pause=0.2 ;; *) pause=0.3 ;; esac
	done
	echo "not soon: $*"
	tail -n 20 "$log" "$BATS_TEST_TMPDIR/err" 2>/dev/null
	return 1
}

gone() {
	[ ! -e "$1" ]
}

# is_running PID: a zombie does not count: some machines take seconds to collect it.
is_running() {
	[ -n "$1" ] && [ -e "/proc/$1" ] && ! grep -q '^State:.Z' "/proc/$1/status" 2>/dev/null
}

has_ended() {
	! is_running "$1"
}

# says QUERY VALUE: the query gives the value.
says() {
	[ "$(sql "$1")" = "$2" ]
}

# path_of URL: prints the path behind the host.
path_of() {
	local rest=${1#*://}
	printf '/%s\n' "${rest#*/}"
}

sql() {
	mariadb --no-defaults -uroot -S "$dir/run/mysql.sock" -N -B daymark -e "$1"
}

new_slug() {
	printf 't%s%s' "${EPOCHREALTIME/[^0-9]/}" "$RANDOM"
}

# new_page [CURL ARGUMENT]...: creates a page; sets $page and $slug.
new_page() {
	slug=$(new_slug)
	api POST /api/v1/status-pages -F name=Test -F "slug=$slug" "$@"
	[ "$status" = 201 ] || show
	# Without jq, which starts slowly.
	local made
	read -r -d '' made <"$answer" || true
	[[ $made =~ ^\{\"data\":\{\"id\":([0-9]+), ]] || show
	page=${BASH_REMATCH[1]}
}

# new_monitor [NAME]: creates a monitor whose record begins now; sets $monitor.
new_monitor() {
	add_monitor "${1:-Page $(new_slug)}" https://example.org/ --since now
}

# add_monitor NAME URL [OPTION]...: does the same with options of `daymarkctl monitor add`.
add_monitor() {
	local added
	added=$("$ctl" monitor add "$@" --account "$account" --json)
	[[ $added =~ ^\{[[:space:]]*\"id\":\ ([0-9]+), ]] || { echo "$added"; return 1; }
	monitor=${BASH_REMATCH[1]}
}

# page_with_monitor [CURL ARGUMENT]...: creates a public page, at $here, that shows one new monitor
# and the causes of its incidents.
page_with_monitor() {
	new_monitor
	new_page -F "monitor_ids[]=$monitor" -F show_causes=1 "$@"
	here=/s/$slug
}

# import_lines: imports the CSV lines on standard input, from a file that any user may read: $ctl may
# run as another user.
import_lines() {
	local file
	file=$(mktemp /tmp/daymark-import-XXXXXX)
	cat >"$file"
	chmod 0644 "$file"
	"$ctl" incident import "$file" --account "$account"
	local outcome=$?
	rm -f "$file"
	return $outcome
}

# see FILE [CURL ARGUMENT]...: gets a file of the page as a visitor, into $answer.
see() {
	anyone GET "$here/$1" "${@:2}"
	[ "$status" = 200 ] || show
}

shows() {
	grep -qF -- "$1" "$answer" || { echo "not shown: $1"; cat "$answer"; return 1; }
}

# Prints the ids of the account's monitors in order.
monitors() {
	"$ctl" monitor list --account "${1:-$account}" --json | jq -r '.[].id'
}

# png WIDTH HEIGHT: prints a real PNG of one colour.
png() {
	local file=$BATS_RUN_TMPDIR/png-$1-$2
	[ -s "$file" ] || make_png "$1" "$2" >"$file"
	cat "$file"
}

make_png() {
	python3 - "$1" "$2" <<'END'
import struct, sys, zlib
width, height = int(sys.argv[1]), int(sys.argv[2])
def chunk(kind, data):
    return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))
pack = zlib.compressobj(9)
rows = b''.join(pack.compress(b'\0' * (3 * width + 1)) for _ in range(height)) + pack.flush()
sys.stdout.buffer.write(b'\x89PNG\r\n\x1a\n'
    + chunk(b'IHDR', struct.pack('>IIBBBBB', width, height, 8, 2, 0, 0, 0))
    + chunk(b'IDAT', rows) + chunk(b'IEND', b''))
END
}

# hold SQL: runs the statements in a transaction that ends only by release().
hold() {
	mkfifo "$BATS_TEST_TMPDIR/hold"
	mariadb --no-defaults -uroot -S "$dir/run/mysql.sock" -N -B --unbuffered daymark \
		<"$BATS_TEST_TMPDIR/hold" >"$BATS_TEST_TMPDIR/held" 2>&1 3>&- &
	holder=$!
	exec 8>"$BATS_TEST_TMPDIR/hold"
	echo "BEGIN; $1; SELECT 'held';" >&8
	soon grep -q held "$BATS_TEST_TMPDIR/held"
}

# May be called without a hold(), by teardown().
release() {
	[ -n "${holder:-}" ] || return 0
	exec 8>&-
	wait "$holder" || true
	holder=''
	rm "$BATS_TEST_TMPDIR/hold"
}

# Stop the service's publisher, and let it continue.
publisher_rests() {
	local resting
	[ -e "$dir/run/daymark.pid" ] || return 0
	resting=$(pgrep -P "$(cat "$dir/run/daymark.pid")" -x daymark-publish) || return 0
	stop_publisher "$resting"
}

# stop_publisher PID: stops it while it holds no lock, for which requests would wait.
stop_publisher() {
	(flock 7 && kill -s STOP "$1") 7>>"$pages/lock/all"
}

publisher_goes_on() {
	[ ! -e "$dir/run/daymark.pid" ] || pkill -CONT -P "$(cat "$dir/run/daymark.pid")" -x daymark-publish || true
}
