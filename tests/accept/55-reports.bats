# Reports of months: the files of a page, the API and daymarkctl.
load lib

# Sets $month and $ago to the month in which the record below begins, and its first day.
first_month() {
	ago=$(date -u -d "$(date -u +%Y-%m-15) -5 months" +%Y-%m-01)
	month=${ago%-01}
}

# A page of a system that was down for an hour in that month, in the group Web.
reported_page() {
	first_month
	add_monitor "Reported $(new_slug)" https://example.org/ --since "${ago}T00:00:00Z" --group Web
	new_page -F "monitor_ids[]=$monitor" "$@"
	api POST /api/v1/incidents --data-urlencode 'title==1+1, broken' -d "monitor_ids[]=$monitor" -d impact=major_outage \
		-d phase=resolved -d body=Done -d "started_at=${ago}T10:00:00Z" -d "ended_at=${ago}T11:00:00Z"
	want 201
	incident=$(jq .data.id "$answer")
}

# bats test_tags=server
@test "a page has a report of each month of its record, as HTML and as CSV" {
	reported_page
	anyone GET "/s/$slug/report-$month.html"
	[ "$status" = 200 ]
	grep -q '=1+1, broken' "$answer"
	grep -q '<td data-label="Downtime">1 h</td>' "$answer"
	[ "$(grep -c '100.00' "$answer")" = 0 ]
	grep -q "href=\"report-$month.csv\"" "$answer"
	anyone GET "/s/$slug/report-$month.csv"
	# No empty rows, however often the file was written.
	[ "$(grep -cv , "$answer")" = 0 ]
	[ "$status" = 200 ]
	[ "$(header Content-Type)" = 'text/csv; charset=utf-8' ]
	grep -q "^incident,\"'=1+1, broken\",,${ago}T10:00:00Z,${ago}T11:00:00Z,3600," "$answer"
	grep -q '^system,.*,Web,.*,3600,0,1,0,0,0,,,' "$answer"
	anyone GET "/s/$slug/$month.html"
	grep -q "href=\"report-$month.html\"" "$answer"
	anyone GET "/s/$slug/report-$(date -u +%Y-%m).html"
	[ "$status" = 200 ]
	grep -q 'The month goes on.' "$answer"
	for none in "$(date -u -d "$(date -u +%Y-%m-15) +1 month" +%Y-%m)" "$(date -u -d "$ago -1 day" +%Y-%m)"; do
		anyone GET "/s/$slug/report-$none.html"
		[ "$status" = 404 ]
	done
}

@test "a correction of a past incident corrects the report, and other changes leave its file" {
	reported_page
	file=$dir/pages/public/s/$slug/report-$month.html
	before=$(stat -c %i "$file")
	api PUT "/api/v1/incidents/$incident" -d comment=More
	want 200
	[ "$(stat -c %i "$file")" = "$before" ]
	api PUT "/api/v1/incidents/$incident" -d exclude_from_uptime=1
	want 200
	anyone GET "/s/$slug/report-$month.html"
	grep -q '100.00' "$answer"
	grep -q 'Not counted as downtime' "$answer"
	api DELETE "/api/v1/incidents/$incident"
	want 200
	anyone GET "/s/$slug/report-$month.html"
	grep -q 'No incidents.' "$answer"
}

@test "the API gives the report, by a constant number of statements" {
	reported_page
	api GET "/api/v1/status-pages/$page/reports/$month"
	want 200 ".data.month == \"$month\" and .data.is_complete and .data.systems[0].down_s == 3600
		and .data.groups[0].name == \"Web\" and .data.incidents[0].id == $incident
		and .data.systems[0].uptime < 100"
	few=$(queries)
	for _ in 1 2 3; do
		api POST /api/v1/incidents -d title=More -d impact=partial_outage -d "monitor_ids[]=$monitor" -d phase=resolved -d body=Done \
			-d "started_at=${ago}T12:00:00Z" -d "ended_at=${ago}T12:01:00Z"
		want 201
	done
	api GET "/api/v1/status-pages/$page/reports/$month"
	want 200 '.data.incidents | length == 4'
	[ "$(queries)" = "$few" ]
	[ "$few" -le 20 ]
	api GET "/api/v1/status-pages/$page/reports/$month.csv"
	[ "$status" = 200 ]
	[ "$(header Content-Type)" = 'text/csv; charset=utf-8' ]
	anyone GET "/s/$slug/report-$month.csv"
	for wrong in 2100-01 0001-01 9999-12 2026-13 2026-1 x .csv; do
		api GET "/api/v1/status-pages/$page/reports/$wrong"
		want 404
	done
	other GET "/api/v1/status-pages/$page/reports/$month"
	want 404
}

@test "a page without show_reports has none, and a private page keeps its reports" {
	reported_page -F show_reports=0
	anyone GET "/s/$slug/report-$month.html"
	[ "$status" = 404 ]
	anyone GET "/s/$slug/$month.html"
	[ "$(grep -c report- "$answer")" = 0 ]
	api GET "/api/v1/status-pages/$page/reports/$month"
	want 200
	api PUT "/api/v1/status-pages/$page" -d show_reports=1
	anyone GET "/s/$slug/report-$month.html"
	[ "$status" = 200 ]
	api PUT "/api/v1/status-pages/$page" -d privacy=1
	for file in "report-$month.html" "report-$month.csv"; do
		anyone GET "/s/$slug/$file"
		[ "$status" = 404 ]
		api GET "/s/$slug/$file"
		[ "$status" = 200 ]
		[ "$(header Cache-Control)" = 'private, no-store' ]
	done
}

@test "daymarkctl page report prints the report" {
	reported_page
	run "$ctl" page report "$slug" "$month"
	[ "$status" = 0 ]
	[[ $output == *'DOWN S'* && $output == *3600* && $output == *99.8*' %'* ]]
	run "$ctl" page report "$slug" "$month" --csv
	[[ $output == type,name,group,* ]]
	run "$ctl" page report "$slug" "$month" --json
	[ "$(jq .is_complete <<<"$output")" = true ]
	run "$ctl" page report "$slug" 1999-01
	[ "$status" = 3 ]
}
