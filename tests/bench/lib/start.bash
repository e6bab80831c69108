#!/usr/bin/env bash
# Rows of plain CGI: the start of the program, beside a program that only says hello. Sourced.

# measure_start SUBJECT: LABEL:URI, or hello: the median of 40 starts.
measure_start() {
	local program=$work/hello label=${1%%:*} uri=/
	if [ "$1" != hello ]; then
		program=${programs[$label]}/daymark uri=${1#*:}
	fi
	python3 - "$program" "$work/$label/conf/daymark.conf" "$uri" "$(key_of 1201)" <<-'END2'
	import statistics, subprocess, sys, time

	program, conf, uri, key = sys.argv[1:]
	env = {"GATEWAY_INTERFACE": "CGI/1.1", "REQUEST_METHOD": "GET", "SERVER_PROTOCOL": "HTTP/1.1", "DAYMARK_CONF": conf,
	       "HTTP_HOST": "localhost", "REQUEST_URI": uri, "HTTP_AUTHORIZATION": "Bearer " + key}
	times = []
	for turn in range(44):
	    began = time.perf_counter()
	    done = subprocess.run([program], env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
	    times.append(1000 * (time.perf_counter() - began))
	    assert done.stdout.startswith(b"Status: 200 "), done.stdout[:200]
	print(f"ms {statistics.median(times[4:]):.2f}")
	END2
}

row_cgi() {
	local label uri subjects=()
	local -A what=([/healthz]='CGI, without the database' [/s/view-public/]='CGI, a page' [/api/v1/incidents?page=2]='CGI, a list of incidents')
	with_seed writes && with_seed views
	printf '#include <stdio.h>\nint main(void) { puts("Status: 200 OK\\r\\nContent-Type: text/plain\\r\\n\\r\\nhello"); return 0; }\n' >"$work/hello.c"
	cc -O2 -o "$work/hello" "$work/hello.c" || return
	for label in "${labels[@]}"; do
		for uri in "${!what[@]}"; do subjects+=("$label:$uri"); done
	done
	in_rounds "$rounds" measure_start hello "${subjects[@]}"
	for label in "${labels[@]}"; do
		for uri in /healthz /s/view-public/ '/api/v1/incidents?page=2'; do
			row "${what[$uri]}" "$label" " ms" "$(figure_of "$label:$uri" ms)" "hello" "$(figure_of hello ms)" ""
		done
	done
}
