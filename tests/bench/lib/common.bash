#!/usr/bin/env bash
# The common functions of all rows of tests/bench/run: services, measuring in rounds, the table. Sourced.
# Needs $top and tools/lib/common.sh.

# A build is known by its label. $work/LABEL is the folder of its service.
labels=()
declare -A programs tree
declare -A is_seeded is_failed

# add_build FOLDER: the folder of a build; its own source tree starts it, with the web server's
# configuration that belongs to it.
add_build() {
	local folder label source
	folder=$(cd "$1" 2>/dev/null && pwd) && [ -x "$folder/daymark" ] || fail "$1 is not the folder of a build"
	source=$(cd "$(sed -n 's/^abs_top_srcdir = //p' "$folder/Makefile")" && pwd) || fail "$1 has no source tree"
	label=$(basename "$source")
	[ -z "${programs[$label]:-}" ] || label=$label-${#labels[@]}
	labels+=("$label")
	programs[$label]=$folder
	tree[$label]=$source
}

start_service() {
	local label=$1
	DAYMARK_NO_CHECKER=yes DAYMARK_BUILD=${programs[$label]} "${tree[$label]}/tools/quickstart" --background --no-build --dir "$work/$label" \
		--extra "${tree[$label]}/tests/lib/unlimited.conf" --port "$(free_port "$first_port")" >"$work/$label.log" 2>&1 || {
		cat "$work/$label.log" >&2
		fail "the service of $label does not start"
	}
	# The tables of all rows fit into memory, as on a database server of their size.
	sql "$label" 'SET GLOBAL innodb_buffer_pool_size = 1 << 30; SET GLOBAL innodb_log_file_size = 512 << 20'
}

stop_everything() {
	local label
	stop_references
	for label in "${labels[@]}"; do
		[ ! -d "$work/$label" ] || "${tree[$label]}/tools/quickstart" --stop --dir "$work/$label" 2>/dev/null
	done
	[ -n "${KEEP:-}" ] || rm -rf "$work"
}

base_of() { jq -r .base_url "$work/$1/quickstart.json"; }
log_of() { printf '%s\n' "$work/$1/log/daymark.log"; }

sql() {
	mariadb --no-defaults -uroot -S "$work/$1/run/mysql.sock" -N -B daymark -e "$2"
}

ctl() {
	local label=$1
	shift
	"${programs[$label]}/daymarkctl" "$@" --config "$work/$label/conf/daymark.conf"
}

# api LABEL KEY METHOD PATH [OPTION]...: prints the body; fails unless the status is 200 or 201.
api() {
	local url
	url=$(base_of "$1")$4
	curl -fsS -H "Authorization: Bearer $2" -X "$3" "$url" "${@:5}"
}

# with_seed NAME: calls seed_NAME LABEL for each build, once.
with_seed() {
	local label
	for label in "${labels[@]}"; do
		[ -z "${is_seeded[$1-$label]:-}" ] || continue
		is_seeded[$1-$label]=yes
		step "Data for $label: $1" "seed_$1" "$label" || fail "cannot make the data: $1"
	done
}

median() {
	sort -g | awk '{ v[NR] = $1 } END { if (NR) print v[int((NR + 1) / 2)] }'
}

# figures_file SUBJECT NAME: the file with a line for each measurement; a subject may have slashes.
figures_file() { printf '%s/figures/%s.%s' "$work" "${1//\//_}" "$2"; }

# in_rounds COUNT FUNCTION SUBJECT...: calls FUNCTION SUBJECT for each subject in turn, COUNT times.
# Each line of its output is "NAME FIGURE"; figure_of gives the median.
in_rounds() {
	local count=$1 function=$2 subject name figure
	shift 2
	rm -f "$work/figures"/*
	is_failed=()
	while [ "$((count--))" -gt 0 ]; do
		for subject; do
			"$function" "$subject" >"$work/measured" || is_failed[$subject]=yes
			while read -r name figure; do
				echo "$figure" >>"$(figures_file "$subject" "$name")"
			done <"$work/measured"
		done
	done
}

# figure_of SUBJECT NAME: the median, or nothing.
figure_of() {
	local file
	file=$(figures_file "$1" "$2")
	[ -z "${is_failed[$1]:-}" ] && [ -s "$file" ] && median <"$file"
}

# wrk_rate CONNECTIONS SECONDS WRK-ARGUMENT...: prints "rate N" and "ms N"; fails if a request fails.
wrk_rate() {
	local connections=$1 seconds=$2 threads=2 rate p50 failed
	shift 2
	[ "$connections" -ge 2 ] || threads=1
	read -r rate p50 failed < <(wrk --timeout 10s -t"$threads" -c"$connections" -d"${seconds}s" -s "$bench/requests.lua" "$@" | tail -n 1)
	if [ "${failed:-1}" -gt 0 ] || [ "${rate:-0}" -eq 0 ]; then
		say "wrk $*: ${failed:-all} requests failed"
		return 1
	fi
	printf 'rate %s\nms %s\n' "$rate" "$(awk -v us="$p50" 'BEGIN { printf "%.2f", us / 1000 }')"
}

processes_of() {
	local pid
	if [ -n "${programs[$1]:-}" ]; then
		pid=$(cat "$work/$1/run/daymark.pid")
	else
		pid=$(cat "$work/ref/run/$1.pid")
	fi
	echo "$pid"
	pgrep -P "$pid"
}

# cpu_us PID...: the processor time that the processes have used.
cpu_us() {
	local pid sum=0 stat
	for pid; do
		read -r stat <"/proc/$pid/stat" || continue
		read -ra stat <<<"${stat##*) }"
		sum=$((sum + stat[11] + stat[12]))
	done
	echo $((sum * 1000000 / $(getconf CLK_TCK)))
}

# profiled SUBJECT PID... -- COMMAND...: runs it, and adds a profile by functions to $profile.
profiled() {
	local subject=$1 pids='' recorder status
	shift
	while [ "$1" != -- ]; do
		pids+=,$1
		shift
	done
	shift
	perf record -q -F 997 -p "${pids#,}" -o "$work/perf" >/dev/null 2>&1 &
	recorder=$!
	sleep 0.5
	"$@"
	status=$?
	kill -s INT "$recorder" && wait "$recorder"
	perf report -i "$work/perf" --stdio --no-children --percent-limit 0.3 --sort comm,dso,symbol >"$profile/$row-$subject" 2>/dev/null
	return $status
}

# with_cpu SUBJECT COMMAND...: runs a measurement by wrk of $seconds, and adds "program N" and
# "database N": microseconds of processor time for each request.
with_cpu() {
	local subject=$1 database=$1 program mysqld before_program before_database
	shift
	[ -n "${programs[$subject]:-}" ] || database=${labels[-1]}
	mapfile -t program < <(processes_of "$subject")
	mysqld=$(cat "$work/$database/run/mysql.pid")
	before_program=$(cpu_us "${program[@]}") before_database=$(cpu_us "$mysqld")
	if [ -n "$profile" ]; then
		profiled "$subject" "$mysqld" "${program[@]}" -- "$@" >"$work/with-cpu" || return 1
	else
		"$@" >"$work/with-cpu" || return 1
	fi
	awk -v program=$(($(cpu_us "${program[@]}") - before_program)) -v database=$(($(cpu_us "$mysqld") - before_database)) -v seconds="$seconds" '
		{ print } $1 == "rate" { n = $2 * seconds }
		END { printf "program %.0f\ndatabase %.0f\n", program / n, database / n }' "$work/with-cpu"
}

# cpu_rows SUBJECT NAME REFERENCE: adds the processor time of the row above; SUBJECT begins with the label.
cpu_rows() {
	local of
	for of in program database; do
		row "  processor time of the $of" "${1%:*}" " us" "$(figure_of "$1" $of)" "$2" "$(figure_of "$3" $of)" ""
	done
}

# statements_of LABEL PATTERN: the statements of the newest request whose log line has the pattern.
statements_of() {
	sleep 0.3
	grep -a -- "$2" "$(log_of "$1")" | tail -n 1 | sed -n 's/.* queries=\([0-9]*\) .*/\1/p'
}

head_line() {
	printf '%-47s %-9s %11s  %-25s %6s  %-9s %s\n' "" build measured reference ratio goal ""
}

# row WHAT LABEL UNIT MEASURED REFERENCE-NAME REFERENCE GOAL
# GOAL: "" (none), ">=N" or "<=N" for the figure, or ">=Nx" or "<=Nx" for the ratio.
row() {
	local what=$1 label=$2 unit=$3 measured=$4 name=$5 reference=$6 goal=$7 ratio='' verdict=''
	if [ -z "$measured" ]; then
		printf '%-47s %-9s %11s  %-25s %6s  %-9s %s\n' "$what" "$label" - "$name" - "${goal:--}" "FAILED"
		# shellcheck disable=SC2034 # run reads it.
		has_failed=yes
		return
	fi
	[ -z "$reference" ] || ratio=$(awk -v a="$measured" -v b="$reference" 'BEGIN { if (b > 0) printf a / b < 10 ? "%.2f" : "%.1f", a / b }')
	if [ -n "$goal" ]; then
		verdict=$(awk -v measured="$measured" -v ratio="$ratio" -v goal="$goal" 'BEGIN {
			value = goal ~ /x$/ ? ratio : measured
			number = goal
			gsub(/[<>=x]/, "", number)
			if (value == "") print "no reference"
			else print (goal ~ /^>/ ? value + 0 >= number + 0 : value + 0 <= number + 0) ? "met" : "not met"
		}')
	fi
	printf '%-47s %-9s %11s  %-25s %6s  %-9s %s\n' "$what" "$label" "$measured$unit" \
		"$name${reference:+ $reference$unit}" "${ratio:--}" "${goal:--}" "$verdict"
}
