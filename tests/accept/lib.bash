# What the acceptance tests share: requests, and questions about their answers.
# shellcheck shell=bash

# Where things are. Files with a setup() of their own call it there.
setup_of_lib() {
	dir=$DAYMARK_ACCEPT_DIR
	conf=${DAYMARK_ACCEPT_CONF:-$dir/conf/daymark.conf}
	read -r base key other_key account < <(
		jq -r '[.base_url, .api_key, .other_api_key, .account] | join(" ")' "$dir/quickstart.json")
	base=${DAYMARK_ACCEPT_BASE:-$base}
	pages=$dir/pages
	log=$dir/log/daymark.log
	answer=$BATS_TEST_TMPDIR/answer
	ctl=${DAYMARK_ACCEPT_CTL:-${DAYMARK_BUILD:-$TOP/build}/daymarkctl}
	export DAYMARK_CONF=$conf
}

setup() {
	setup_of_lib
}

# service_in DIR [OPTION]...: starts a service of its own there; the options are quickstart's.
service_in() {
	"$TOP/tools/quickstart" --background --no-build --port "$(own_port)" --dir "$@" 3>&- >&2
}

own_port() {
	bash -c '. "$0" && free_port 18800' "$TOP/tools/lib/common.sh"
}

# own_service_start: in setup_file(), a service for the tests of the file alone, whose
# processes they may kill. Standard input has the settings that go behind the example's.
own_service_start() {
	cat "${1:-/dev/null}" - >"$BATS_FILE_TMPDIR/extra.conf"
	own=$BATS_FILE_TMPDIR/own
	service_in "$own" --extra "$BATS_FILE_TMPDIR/extra.conf"
}

# The same with the limits off that every test of many requests would meet.
own_unlimited_service_start() {
	own_service_start "$TOP/tests/lib/unlimited.conf"
}

own_service_stop() {
	"$TOP/tools/quickstart" --stop --dir "$BATS_FILE_TMPDIR/own" >&2
}

# own_service: in setup(), the tests ask the file's own service.
own_service() {
	unset DAYMARK_ACCEPT_BASE DAYMARK_ACCEPT_CONF DAYMARK_ACCEPT_CTL
	own=$BATS_FILE_TMPDIR/own
	DAYMARK_ACCEPT_DIR=$own
	setup_of_lib
	parent=$(cat "$dir/run/daymark.pid")
}

# with_service FUNCTION [ARGUMENT]...: a function of tools/lib/service.sh.
with_service() (
	top=$TOP
	. "$TOP/tools/lib/common.sh"
	. "$TOP/tools/lib/service.sh"
	"$@" 3>&-
)

# needs PROGRAM...: skips the test where one of them is missing.
needs() {
	local program
	for program; do
		PATH=$PATH:/usr/sbin command -v "$program" >/dev/null || skip "$program is not installed"
	done
}

# api METHOD PATH [CURL ARGUMENT]...: with the account's key; sets $status, $answer, $headers.
api() {
	call "$key" "$@"
}

# As the other account.
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
	local how=(-X "$method")
	[ "$method" != HEAD ] || how=(--head)
	headers=$BATS_TEST_TMPDIR/headers
	# curl leaves the file as it is where there is no body.
	: >"$answer"
	# curl reads {} and [] in a URL as patterns of its own.
	status=$(curl -sS -g --max-time 60 "${how[@]}" -o "$answer" -D "$headers" -w '%{http_code}' \
		"$@" "$base$path")
	# --head writes the headers to the body's file, too.
	[ "$method" != HEAD ] || : >"$answer"
}

show() {
	echo "status $status"
	cat "$headers" "$answer"
	return 1
}

# want STATUS [JQ FILTER]...: each filter must be true of the answer.
want() {
	local wanted=$1 filter
	shift
	[ "$status" = "$wanted" ] || show
	for filter in "$@"; do
		jq -e "$filter" "$answer" >/dev/null || { echo "not true: $filter"; show; }
	done
}

# want_fault FIELD [TEXT]: 422, the field among its errors.
want_fault() {
	want 422 ".errors[\"$1\"] | length > 0" ".errors[\"$1\"][0] | contains(\"${2:-}\")" \
		".message | length > 0" '.status == 422'
}

header() {
	tr -d '\r' <"$headers" | sed -n "s/^$1: //Ip"
}

# The log line of the last answer's request; it may be a moment behind the answer.
log_line() {
	local id i
	id=$(header X-Request-Id)
	for i in $(seq 100); do
		grep -a "id=$id " "$log" && return
		sleep 0.02
	done
	return 1
}

queries() {
	log_line | sed 's/.* queries=\([0-9]*\).*/\1/'
}

want_queries_at_most() {
	local count
	count=$(queries)
	[ "$count" -le "$1" ] || { log_line; return 1; }
}

# refute COMMAND...: it must fail. (A line that begins with `!` fails no test.)
refute() {
	if "$@"; then
		echo "should have failed: $*"
		return 1
	fi
}

# soon COMMAND...: within a minute, which only a busy machine needs.
soon() {
	local i
	for i in $(seq 600); do
		"$@" 2>/dev/null && return
		sleep 0.1
	done
	echo "not soon: $*"
	tail -n 20 "$log" "$BATS_TEST_TMPDIR/err" 2>/dev/null
	return 1
}

gone() {
	[ ! -e "$1" ]
}

# is_running PID: a zombie is not; some machines take seconds to collect one.
is_running() {
	[ -n "$1" ] && [ -e "/proc/$1" ] && ! grep -q '^State:.Z' "/proc/$1/status" 2>/dev/null
}

has_ended() {
	! is_running "$1"
}

# says QUERY VALUE: the database says so.
says() {
	[ "$(sql "$1")" = "$2" ]
}

# path_of URL: what follows its host.
path_of() {
	local rest=${1#*://}
	printf '/%s\n' "${rest#*/}"
}

sql() {
	mariadb --no-defaults -uroot -S "$dir/run/mysql.sock" -N -B daymark -e "$1"
}

new_slug() {
	printf 't%s%s' "$(date +%s%N)" "$RANDOM"
}

# new_page [CURL ARGUMENT]...: sets $page and $slug.
new_page() {
	slug=$(new_slug)
	api POST /api/v1/status-pages -F name=Test -F "slug=$slug" "$@"
	[ "$status" = 201 ] || show
	page=$(jq .data.id "$answer")
}

new_monitor() {
	monitor=$("$ctl" monitor add "${1:-Page $(new_slug)}" https://example.org/ --account "$account" --since now --json | jq .id)
}

# page_with_monitor [CURL ARGUMENT]...: a public page, below $here, that shows one new monitor,
# and the causes of its incidents.
page_with_monitor() {
	new_monitor
	new_page -F "monitor_ids[]=$monitor" -F show_causes=1 "$@"
	here=/s/$slug
}

# import_lines: CSV lines from standard input, by a file that whoever runs the command may read.
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

# see FILE [CURL ARGUMENT]...: what a visitor gets, in $answer.
see() {
	anyone GET "$here/$1" "${@:2}"
	[ "$status" = 200 ] || show
}

shows() {
	grep -qF -- "$1" "$answer" || { echo "not shown: $1"; cat "$answer"; return 1; }
}

# The ids of the account's monitors, in order.
monitors() {
	"$ctl" monitor list --account "${1:-$account}" --json | jq -r '.[].id'
}

# png WIDTH HEIGHT: a real picture of one colour.
png() {
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

# Around what the service's publisher must not do meanwhile.
publisher_rests() {
	[ -e "$dir/run/daymark.pid" ] || return 0
	resting=$(pgrep -P "$(cat "$dir/run/daymark.pid")" -x daymark-publish) || return 0
	kill -s STOP "$resting"
}
publisher_goes_on() {
	[ -z "${resting:-}" ] || kill -s CONT "$resting"
	resting=''
}
