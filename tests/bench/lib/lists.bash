#!/usr/bin/env bash
# Rows of reading requests. Sourced.

# key_paths FROM-ACCOUNT TO-ACCOUNT PATH...: a line for wrk for each account and path.
key_paths() {
	local account path
	for account in $(seq "$1" "$2"); do
		for path in "${@:3}"; do echo "$(key_of "$account") $path"; done
	done
}

url_of() {
	if [ -n "${programs[$1]:-}" ]; then base_of "$1"; else reference_url "$1"; fi
}

# The response of a subject, with the same host in all of them.
body_of() {
	local url
	url=$(url_of "$1")
	curl -fsS -H "Authorization: Bearer $(key_of 1001)" "$url$2" | sed "s|$url|URL|g"
}

# same_bodies PATH REFERENCE...: names the references whose response differs.
same_bodies() {
	local path=$1 name want
	shift
	want=$(body_of "${labels[-1]}" "$path")
	for name; do
		[ "$(body_of "$name" "$path")" = "$want" ] || say "$name responds with other bytes to $path"
	done
}

# The requests are in $work/requests.
measure_reading() {
	local key path
	read -r key path <"$work/requests"
	curl -fsS -H "Authorization: Bearer $key" "$(url_of "$1")$path" | jq -e '.status == 200 and .data != []' >/dev/null || {
		say "$1 does not respond to $path"
		return 1
	}
	with_cpu "$1" wrk_rate 16 "$seconds" "$(url_of "$1")" -- "$work/requests"
}

present_references() {
	local name
	for name in c php node; do
		[ -n "${why_missing[$name]:-}" ] || echo "$name"
	done
}

# missing_reference WHAT LABEL NAME GOAL
missing_reference() {
	printf '%-47s %-9s %11s  %-25s %6s  %-9s\n' "$1" "$2" - "$3 ${why_missing[${3,,}]}" - "$4"
}

row_incidents() {
	local label present
	with_seed lists && with_seed writes && with_seed reference
	start_references
	mapfile -t present < <(present_references)
	key_paths 1001 1100 /api/v1/incidents?page={1,2,3,4,5} >"$work/requests"
	same_bodies '/api/v1/incidents?page=2' "${present[@]}"
	in_rounds "$rounds" measure_reading "${labels[@]}" "${present[@]}"
	for label in "${labels[@]}"; do
		local what="list of 10 of 2,000 incidents"
		row "$what" "$label" /s "$(figure_of "$label" rate)" "C" "$(figure_of c rate)" '>=0.9x'
		if [ -n "${why_missing[php]:-}" ]; then missing_reference "$what" "$label" PHP '>=3x'; else
			row "$what" "$label" /s "$(figure_of "$label" rate)" "PHP" "$(figure_of php rate)" '>=3x'
		fi
		if [ -n "${why_missing[node]:-}" ]; then missing_reference "$what" "$label" Node '>=2x'; else
			row "$what" "$label" /s "$(figure_of "$label" rate)" "Node" "$(figure_of node rate)" '>=2x'
		fi
		cpu_rows "$label" C c
		row "  statements" "$label" "" "$(statements_of "$label" 'route=/api/v1/incidents status=200')" "C" 2 ""
	done
}

# measure_kind SUBJECT: LABEL:KIND, a list of the incidents of one kind.
measure_kind() {
	cp "$work/${1#*:}" "$work/requests"
	measure_reading "${1%:*}"
}

# Compared with a list of as many detected incidents, by the same program.
row_reports() {
	local label subjects=()
	with_seed lists && with_seed reports
	key_paths 1001 1100 /api/v1/incidents?page={1,2,3,4,5} >"$work/detected"
	key_paths 1701 1750 /api/v1/incidents?page={1,2,3,4,5} >"$work/reported"
	for label in "${labels[@]}"; do subjects+=("$label:detected" "$label:reported"); done
	in_rounds "$rounds" measure_kind "${subjects[@]}"
	for label in "${labels[@]}"; do
		row "list of 10 of 2,000 reported incidents" "$label" /s "$(figure_of "$label:reported" rate)" \
			"detected incidents" "$(figure_of "$label:detected" rate)" '>=0.9x'
		cpu_rows "$label:reported" "detected incidents" "$label:detected"
		row "  statements" "$label" "" "$(statements_of "$label" 'route=/api/v1/incidents status=200')" "detected incidents" 2 ""
	done
}

row_pages() {
	local label
	with_seed lists && with_seed writes && with_seed reference
	start_references
	key_paths 1001 1100 /api/v1/status-pages?page={1,2} >"$work/requests"
	same_bodies '/api/v1/status-pages?page=2' c
	in_rounds "$rounds" measure_reading "${labels[@]}" c
	for label in "${labels[@]}"; do
		row "list of 10 of 20 status pages" "$label" /s "$(figure_of "$label" rate)" "C" "$(figure_of c rate)" '>=6000'
		cpu_rows "$label" C c
		row "  statements" "$label" "" "$(statements_of "$label" 'method=GET route=/api/v1/status-pages status=200')" "C" 2 ""
	done
}

row_show() {
	local label
	with_seed lists && with_seed writes && with_seed reference
	start_references
	sql "${labels[-1]}" "SELECT CONCAT($(key_sql account_id), ' /api/v1/incidents/', id) FROM incidents
		WHERE account_id BETWEEN 1001 AND 1100 AND id % 97 = 0" >"$work/requests"
	same_bodies "$(sed -n "s/^$(key_of 1001) //p" "$work/requests" | head -n 1)" c
	in_rounds "$rounds" measure_reading "${labels[@]}" c
	for label in "${labels[@]}"; do
		row "an incident" "$label" /s "$(figure_of "$label" rate)" "C" "$(figure_of c rate)" '>=0.7x'
		cpu_rows "$label" C c
		row "  statements" "$label" "" "$(statements_of "$label" 'method=GET route=/api/v1/incidents/{id} status=200')" "C" 2 ""
	done
}

# list_ms LABEL QUERY [OPTION]...: "ms N" of a list of the large account, checked.
list_ms() {
	local url
	url=$(base_of "$1")"/api/v1/incidents?$2"
	curl -fsS -g -o "$work/body" -w '%{time_total}\n' -H "Authorization: Bearer $(key_of 1203)" "$url" | awk '{ printf "%.2f", 1000 * $1 }'
	jq -e '.data | length == 10' "$work/body" >/dev/null
}

# measure_lists SUBJECT: LABEL:ACCOUNT; each of $queries.
measure_lists() {
	local url account=${1#*:} i
	url=$(base_of "${1%:*}")/api/v1/incidents
	for i in "${!queries[@]}"; do
		curl -fsS -g -o "$work/body" -w "q$i %{time_total}\n" -H "Authorization: Bearer $(key_of "$account")" \
			"$url?${queries[i]//MONITOR/$((account * 10000 - 11810000))}" | awk '{ printf "%s %.2f\n", $1, 1000 * $2 }' || return 1
	done
}

row_lists() {
	local label i subjects=() queries=('page=1' 'sort_by=started_at&sort=asc' 'monitor_id=MONITOR' 'status=resolved&sort_by=started_at'
		'monitor_id=MONITOR&status=resolved' 'page=5' 'search=timeout' 'search=nobody&search_by=cause' 'search=system&search_by=monitor'
		'search=check+7&search_by=cause')
	with_seed growth
	for label in "${labels[@]}"; do subjects+=("$label:1202" "$label:1203"); done
	in_rounds "$rounds" measure_lists "${subjects[@]}"
	for label in "${labels[@]}"; do
		for i in "${!queries[@]}"; do
			row "of $million: ${queries[i]}" "$label" " ms" "$(figure_of "$label:1203" "q$i")" \
				"1,000 incidents" "$(figure_of "$label:1202" "q$i")" ""
		done
	done
}

measure_deep() {
	local last=$((million / 10)) first search deep
	first=$(list_ms "$1" page=1) && deep=$(list_ms "$1" "page=$last") &&
		search=$(list_ms "$1" 'search=timeout&search_by=cause') &&
		printf 'first %s\ndeep %s\nsearch %s\n' "$first" "$deep" "$search"
}

row_deep() {
	local label
	with_seed growth
	in_rounds "$((rounds * 2 + 1))" measure_deep "${labels[@]}"
	for label in "${labels[@]}"; do
		row "search in causes, $million incidents" "$label" " ms" "$(figure_of "$label" search)" "page 1" "$(figure_of "$label" first)" '<=150'
		row "page $((million / 10)) of a list" "$label" " ms" "$(figure_of "$label" deep)" "page 1" "$(figure_of "$label" first)" '<=50'
	done
}
