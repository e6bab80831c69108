#!/usr/bin/env bash
# The screens of the console, beside lists of the API. Sourced.

# An account of 1,000 monitors and 10,000 incidents, of which 7 are open, and an owner who is signed in.
seed_console() {
	local label=$1 link page url
	url=$(base_of "$label")
	accounts "$label" 1901 1901
	monitors "$label" 1901 19010000 1000
	incidents "$label" 10000 1901 '19010000 + seq % 1000' "UTC_TIMESTAMP() - INTERVAL 300 DAY + INTERVAL seq * 40 MINUTE" 5
	sql "$label" "UPDATE incidents SET ended_at = NULL WHERE account_id = 1901 ORDER BY id DESC LIMIT 7"
	pages "$label" 19010 1 1901 console 1000 '19010000 + place' NULL
	count_incidents "$label" 1901 1901
	link=$(ctl "$label" user add bench --role owner --account 1901 --sign-in 2>/dev/null)
	page=$(curl -fsS -c "$work/$label/cookies" "$link")
	curl -fsS -o /dev/null -b "$work/$label/cookies" -c "$work/$label/cookies" "$link" \
		-d "csrf=$(grep -o 'name="csrf" value="[^"]*' <<<"$page" | tail -n 1 | cut -d '"' -f 4)"
	curl -fsS -o /dev/null -w '%{http_code}\n' -b "$work/$label/cookies" "$url/console/" | grep -q 200
}

# measure_screen SUBJECT: LABEL:PATH, ten times on one connection; a path of the API with its key.
measure_screen() {
	local label=${1%%:*} path=${1#*:} who=(-b "$work/${1%%:*}/cookies") urls=()
	[[ $path != /api/* ]] || who=(-H "Authorization: Bearer $(key_of 1901)")
	for _ in {1..10}; do urls+=(-o /dev/null "$(base_of "$label")$path"); done
	curl -fsS -g -w '%{time_total}\n' "${who[@]}" "${urls[@]}" | median | awk '{ printf "ms %.2f\n", 1000 * $1 }'
}

row_console() {
	local label path subjects=() incident paths=(/console/ /console/incidents /console/incidents/new /console/monitors
		'/console/monitors?search=99' /console/monitors/19010000 /console/pages/19010/systems /console/pages/19010/design /console/audit /console/health)
	with_seed console
	incident=$(sql "${labels[0]}" 'SELECT MAX(id) FROM incidents WHERE account_id = 1901')
	paths+=("/console/incidents/$incident")
	for label in "${labels[@]}"; do
		for path in /api/v1/monitors "${paths[@]}"; do subjects+=("$label:$path"); done
	done
	in_rounds "$rounds" measure_screen "${subjects[@]}"
	for label in "${labels[@]}"; do
		for path in "${paths[@]}"; do
			row "$path, 1,000 systems" "$label" " ms" "$(figure_of "$label:$path" ms)" \
				"a list of monitors" "$(figure_of "$label:/api/v1/monitors" ms)" '<=20'
		done
	done
}
