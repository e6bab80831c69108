#!/usr/bin/env bash
# Rows of writing requests. Sourced.

# comment_paths LABEL ACCOUNT FROM COUNT [MOST]: lines for wrk, of the newest incidents of monitors.
comment_paths() {
	sql "$1" "SELECT CONCAT($(key_sql account_id), ' /api/v1/incidents/', id) FROM incidents WHERE account_id = $2
		AND monitor_id >= $3 AND monitor_id < $3 + $4 ORDER BY started_at DESC LIMIT ${5:-1}"
}

# measure_updates SUBJECT: $connections on the incidents in $work/requests-LABEL.
measure_updates() {
	local of=$1
	[ -n "${programs[$1]:-}" ] || of=${labels[-1]}
	with_cpu "$1" wrk_rate "$connections" "$seconds" "$(url_of "$1")" -- "$work/requests-$of" PUT
}

update_statements() {
	row "  statements" "$1" "" "$(statements_of "$1" 'method=PUT route=/api/v1/incidents/{id} status=200')" C 6 ""
}

# system_calls LABEL: how many calls of each kind an update takes, on one line; needs strace.
system_calls() {
	local label=$1 pids pid tracer n=20 key path args=()
	read -r key path <"$work/requests-$label"
	pid=$(cat "$work/$label/run/daymark.pid")
	for pids in "$pid" $(pgrep -P "$pid"); do args+=(-p "$pids"); done
	strace -f -c -o "$work/strace" -e trace=io_submit,fsync,fdatasync,syncfs,openat,access,faccessat,faccessat2,utimensat,rename,renameat,renameat2 \
		"${args[@]}" >/dev/null 2>&1 &
	tracer=$!
	sleep 1
	for pid in $(seq "$n"); do
		api "$label" "$key" PUT "$path" -d "title=Traced $pid" >/dev/null
	done
	sleep 0.3
	kill -s INT "$tracer" && wait "$tracer"
	awk -v n="$n" '$NF != "total" && $4 ~ /^[0-9]+$/ { printf "%s%s %.1f", many++ ? ", " : "", $NF, $4 / n } END { if (!many) printf "none" }' "$work/strace"
}

# inodes LABEL: the published files with their inodes; a file that is written anew has another.
inodes() { find "$work/$1/pages/public" -type f -printf '%i %p\n' | sort; }

# files_alone LABEL: how many milliseconds only the files of an update take.
files_alone() {
	local label=$1 key path files
	read -r key path <"$work/requests-$label"
	[ -x "$work/files-alone" ] || cc -std=gnu17 -D_GNU_SOURCE -O2 -o "$work/files-alone" "$bench/reference/files.c" || return 1
	inodes "$label" >"$work/inodes"
	api "$label" "$key" PUT "$path" -d "title=Files $RANDOM" >/dev/null || return 1
	mapfile -t files < <(inodes "$label" | comm -13 "$work/inodes" - | cut -d ' ' -f 2-)
	[ "${#files[@]}" -gt 0 ] || return 0
	mkdir -p "$work/alone"
	"$work/files-alone" 200 "$work/alone" "${files[@]}"
}

# updates WHAT MONITORS-FROM COUNT GOAL
updates() {
	local what=$1 from=$2 count=$3 goal=$4 label alone connections=1
	for label in "${labels[@]}"; do
		comment_paths "$label" 1201 "$from" "$count" >"$work/requests-$label"
	done
	in_rounds "$rounds" measure_updates "${labels[@]}" c
	for label in "${labels[@]}"; do
		row "update of an incident, $what" "$label" " ms" "$(figure_of "$label" ms)" "C, no publishing" "$(figure_of c ms)" "$goal"
		cpu_rows "$label" C c
	done
	for label in "${labels[@]}"; do
		alone=$(files_alone "$label") || return
		[ -z "$alone" ] || row "  its files alone, written and synced" "$label" " ms" "$alone" "" "" ""
	done
	command -v strace >/dev/null || return 0
	for label in "${labels[@]}"; do
		printf '%-47s %-9s %s\n' "  system calls" "$label" "$(system_calls "$label")"
		update_statements "$label"
	done
}

row_update() {
	with_seed lists && with_seed writes && with_seed reference
	start_references
	updates "no page" 200030 1 '<=1'
	updates "page of 5" 200020 1 '<=4'
	updates "page of 20" 200000 1 '<=5'
}

row_update16() {
	local label connections=16
	with_seed lists && with_seed writes && with_seed reference
	start_references
	for label in "${labels[@]}"; do
		comment_paths "$label" 1201 200000 20 200 >"$work/requests-$label"
	done
	in_rounds "$rounds" measure_updates "${labels[@]}" c
	for label in "${labels[@]}"; do
		row "updates, 16 connections, one page of 20" "$label" /s "$(figure_of "$label" rate)" "C, no publishing" "$(figure_of c rate)" '>=1000'
		cpu_rows "$label" C c
	done
}

# SUBJECT is LABEL:ACCOUNT.
measure_growth() {
	local label=${1%:*} connections=1
	comment_paths "$label" "${1#*:}" 0 1000000 1 >"$work/requests-$label"
	measure_updates "$label"
}

row_growth() {
	local label subjects=()
	with_seed growth
	for label in "${labels[@]}"; do subjects+=("$label:1202" "$label:1203"); done
	in_rounds "$rounds" measure_growth "${subjects[@]}"
	for label in "${labels[@]}"; do
		row "update, account of $million incidents, page of 5" "$label" " ms" "$(figure_of "$label:1203" ms)" \
			"1,000 incidents" "$(figure_of "$label:1202" ms)" '<=1.2x'
	done
}

# The pages that the rows of a run have created: each has another slug.
created=0

# measure_create SUBJECT: beside the C program's one transaction.
measure_create() {
	local label=$1 n=$((++created)) connections=1
	if [ "$label" = c ]; then
		measure_updates c
		return
	fi
	create_page "$label" 1201 "created-$n" 200040 5 | jq -e '.data.monitor_ids | length == 5' >/dev/null || return 1
	sleep 0.2
	grep -a 'method=POST route=/api/v1/status-pages ' "$(log_of "$label")" | tail -n 1 |
		sed -n 's/.* us=\([0-9]*\) queries=\([0-9]*\) .*/\1 \2/p' | awk '{ printf "ms %.2f\nqueries %d\n", $1 / 1000, $2 }'
}

row_create() {
	local label
	with_seed lists && with_seed writes && with_seed reference
	start_references
	comment_paths "${labels[-1]}" 1201 200030 1 >"$work/requests-${labels[-1]}"
	in_rounds "$((rounds * 3))" measure_create "${labels[@]}" c
	for label in "${labels[@]}"; do
		row "create a page of 5 monitors" "$label" " ms" "$(figure_of "$label" ms)" "C, an update" "$(figure_of c ms)" '<=10'
		row "  statements" "$label" "" "$(figure_of "$label" queries)" C 6 ""
	done
}
