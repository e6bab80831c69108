# The time zone and the language of a page: its fields, its days, and its words.
load lib

list=/api/v1/status-pages

@test "a page is in UTC and English unless it says otherwise" {
	new_page
	api GET "$list/$page"
	want 200 '.data.time_zone == "UTC"' '.data.language == "en"'
	api PUT "$list/$page" -d time_zone=Asia/Kathmandu -d language=de
	want 200 '.data.time_zone == "Asia/Kathmandu"' '.data.language == "de"'
	api PUT "$list/$page" -d name=Renamed
	want 200 '.data.time_zone == "Asia/Kathmandu"' '.data.language == "de"'
	api GET "$list?search=Renamed"
	want 200 '.data[0].time_zone == "Asia/Kathmandu"' '.data[0].language == "de"'
}

@test "a zone that is in no database is 422, and so is a path" {
	new_page -F time_zone=Europe/Berlin
	for zone in Europe/Atlantis europe/berlin Europe ../zoneinfo/UTC /usr/share/zoneinfo/UTC posix/UTC right/UTC \
		posixrules localtime Factory tzdata.zi zone.tab CET-1CEST,M3.5.0,M10.5.0/3 UTC/ 'Europe/Berlin%00' \
		"$(printf 'A%.0s' {1..5000})"; do
		api PUT "$list/$page" --data-raw "time_zone=$zone"
		want_fault time_zone
	done
	for empty in time_zone= time_zone=+; do
		api PUT "$list/$page" -d time_zone=Europe/Berlin -d language=de
		api PUT "$list/$page" -d "$empty" -d language=
		want 200 '.data.time_zone == "UTC"' '.data.language == "en"'
	done
	api PUT "$list/$page" -d time_zone=Europe/Berlin
	api PUT "$list/$page" -H 'Content-Type: application/json' -d '{"time_zone": null, "language": 7}'
	want 422 '.errors | keys == ["language"]'
	for language in DE de-DE pt pt-br xx english; do
		api PUT "$list/$page" -d "language=$language"
		want_fault language
	done
	api POST "$list" -d name=x -d "slug=$(new_slug)" -d time_zone=x -d language=x
	want 422 '.errors | keys == ["language", "time_zone"]'
	api GET "$list/$page"
	want 200 '.data.time_zone == "Europe/Berlin"' '.data.language == "en"'
}

# known_page [CURL ARGUMENT]...: a page at $here with one monitor whose record begins with 2025.
known_page() {
	monitor=$("$ctl" monitor add "Known $(new_slug)" https://example.org/ --account "$account" --since 2025-01-01T00:00:00Z --json | jq .id)
	new_page -F "monitor_ids[]=$monitor" "$@"
	here=/s/$slug
}

# outage FROM TO: as it was imported.
outage() {
	printf 'monitor_id,cause,started_at,ended_at\n%s,x,%s,%s\n' "$monitor" "$1" "$2" | import_lines
}

# then_at TIME: publishes the page as of that time, into a folder of the test, and sets $then to its
# HTML. (The service's publisher has another folder.)
then_at() {
	needs faketime
	local conf_then=$BATS_TEST_TMPDIR/conf
	sed "s|^dir = .*/pages$|dir = $BATS_TEST_TMPDIR/pages|" "$conf" >"$conf_then"
	chmod 0600 "$conf_then"
	env TZ=UTC faketime -f "@${1//[TZ]/ }" "$ctl" publish --page "$slug" --config "$conf_then" >/dev/null
	then=$BATS_TEST_TMPDIR/pages/public/s/$slug/index.html
	[ -s "$then" ]
}

# says_then TEXT: that HTML, without its tags, has the text.
says_then() {
	sed 's/<[^>]*>//g' "$then" | grep -qF "$1" || { echo "not on the page: $1"; sed 's/<[^>]*>/ /g' "$then"; false; }
}

# says TEXT...: the response has each text, with or without its tags.
says() {
	local text plain
	plain=$(sed 's/<[^>]*>//g' "$answer")
	for text; do
		grep -qF -- "$text" "$answer" || grep -qF -- "$text" <<<"$plain" || { echo "not there: $text"; show; }
	done
}

@test "a day of the page begins at midnight in its zone, on days of 23 and 25 hours, too" {
	while read -r zone before after earlier later; do
		known_page -F "time_zone=$zone"
		then_at "$before"
		says_then "${earlier//_/ }: no incidents"
		then_at "$after"
		says_then "${later//_/ }: no incidents"
	done <<-'END'
	UTC 2025-11-20T23:59:50Z 2025-11-21T00:00:00Z 7_to_20_Nov_2025 8_to_21_Nov_2025
	Asia/Kathmandu 2025-11-20T18:14:50Z 2025-11-20T18:15:00Z 7_to_20_Nov_2025 8_to_21_Nov_2025
	America/New_York 2025-11-03T04:59:50Z 2025-11-03T05:00:00Z 20_Oct_to_2_Nov_2025 21_Oct_to_3_Nov_2025
	America/New_York 2025-03-10T03:59:50Z 2025-03-10T04:00:00Z 24_Feb_to_9_Mar_2025 25_Feb_to_10_Mar_2025
	Asia/Beirut 2025-03-29T21:59:50Z 2025-03-29T22:00:00Z 16_to_29_Mar_2025 17_to_30_Mar_2025
	END
}

@test "an outage is on the days of the zone that it touches" {
	for zone in Asia/Kathmandu UTC America/New_York; do
		known_page -F "time_zone=$zone"
		outage 2025-11-18T18:00:00Z 2025-11-18T18:30:00Z
		then_at 2025-11-20T12:00:00Z
		case $zone in
		Asia/Kathmandu)
			says_then '18 Nov 2025'
			says_then '19 Nov 2025'
			says_then '23:45 to 19 Nov 2025, 00:15 +0545'
			grep -c '15 min' "$then" | grep -qx '[1-9][0-9]*'
			;;
		UTC) says_then '18:00 to 18:30 UTC' ;;
		America/New_York) says_then '13:00 to 13:30 EST' ;;
		esac
		[ "$zone" = Asia/Kathmandu ] || says_then '19 to 20 Nov 2025: no incidents'
	done
}

@test "a day is down from half of its own length" {
	# Twelve hours and ten minutes of 26 October 2025, which had 25 hours in Berlin.
	for zone in UTC Europe/Berlin; do
		known_page -F "time_zone=$zone"
		outage 2025-10-26T01:00:00Z 2025-10-26T13:10:00Z
		then_at 2025-10-27T12:00:00Z
		says_then '12 h 10 min'
		look=$([ "$zone" = UTC ] && echo d || echo s)
		grep -q "<path class=\"$look\" d=" "$then"
	done
}

# days_lead_somewhere: every link of that HTML to a day leads to a file, and to a place in it.
days_lead_somewhere() {
	local link file
	grep -oE 'href="[^"]*#day-[^"]*"' "$then" | cut -d'"' -f2 | sort -u >"$BATS_TEST_TMPDIR/links"
	while read -r link; do
		file=${link%%#*}
		[ -f "${then%/*}/${file:-index.html}" ] || { echo "no file: $link"; false; }
		[ "$(grep -o "id=\"${link#*#}\"" "${then%/*}/${file:-index.html}" | wc -l)" = 1 ] ||
			{ echo "not one place: $link"; false; }
	done <"$BATS_TEST_TMPDIR/links"
	[ -s "$BATS_TEST_TMPDIR/links" ]
}

@test "a day of the bars leads to where the history has its incident" {
	for zone in UTC Europe/Berlin America/New_York Pacific/Kiritimati; do
		known_page -F "time_zone=$zone"
		{
			echo 'monitor_id,cause,started_at,ended_at'
			for times in 2025-05-01T00:00:00Z,2025-09-05T00:00:00Z 2025-09-30T12:00:00Z,2025-10-03T12:00:00Z \
				2025-10-24T12:00:00Z,2025-10-27T12:00:00Z 2025-10-31T23:30:00Z,2025-11-01T00:30:00Z \
				2025-11-03T23:30:00Z,2025-11-08T00:30:00Z 2025-11-11T10:00:00Z,2025-11-11T10:05:00Z; do
				echo "$monitor,x,$times"
			done
		} | import_lines
		# A report that shows what monitoring found on other days inside itself.
		api POST /api/v1/incidents -d 'title=Report' -d "monitor_ids[]=$monitor" -d impact=degraded_performance \
			-d body=x -d started_at=2025-10-10T10:00:00Z -d ended_at=2025-10-16T10:00:00Z
		[ "$status" = 201 ] || show
		outage 2025-10-14T11:00:00Z 2025-10-18T12:00:00Z
		then_at 2025-11-20T12:00:00Z
		days_lead_somewhere
		grep -q '="2025-08.html#day-2025-08-23"' "$then" || [ "$zone" != UTC ]
		grep -q '="2025-10.html#day-2025-11-01"' "$then" || [ "$zone" != Europe/Berlin ]
	done
}

@test "a day of the bars leads to the month that leaves its incident out" {
	known_page -F time_zone=Europe/Berlin
	{
		echo 'monitor_id,cause,started_at,ended_at'
		echo "$monitor,First,2025-09-30T22:30:00Z,2025-10-02T12:00:00Z"
		for at in 2025-10-{20..22}T{10..15}:{00..59}:00; do
			echo "$monitor,x,${at}Z,${at%00}30Z"
		done
	} | import_lines
	then_at 2025-11-20T12:00:00Z
	days_lead_somewhere
	grep -q '="2025-09.html#day-2025-10-01"' "$then"
	grep -q 'h3 id="day-2025-10-02"' "${then%/*}/2025-10.html"
	outage 2025-10-02T22:30:00Z 2025-10-03T12:00:00Z
	then_at 2025-11-20T12:00:00Z
	days_lead_somewhere
	grep -q '="2025-10.html#day-2025-10-03"' "$then"
}

@test "a day of the bars leads to its maintenance, also while it goes on" {
	for zone in UTC America/New_York; do
		known_page -F "time_zone=$zone"
		api POST /api/v1/maintenances -d title=Works -d "monitor_ids[]=$monitor" \
			-d starts_at="$(date -u +%FT%TZ -d '2 days ago')" -d ends_at="$(date -u +%FT%TZ -d '+1 day')"
		[ "$status" = 201 ] || show
		then=$pages/public/s/$slug/index.html
		days_lead_somewhere
	done
}

@test "a page is due when its own day ends" {
	for zone in UTC Asia/Kathmandu America/New_York Pacific/Kiritimati; do
		new_page -F "time_zone=$zone"
		due=$(sql "SELECT UNIX_TIMESTAMP(CONVERT_TZ(next_change_at, '+00:00', @@session.time_zone)) FROM page_revisions WHERE page_id = $page")
		midnight=$(TZ=$zone date -d 'tomorrow 00:00' +%s)
		# (A day of 25 hours is written once more.)
		[ "${due%.*}" = "$midnight" ] || [ $((midnight - $(date +%s))) -gt 86400 ] ||
			{ echo "$zone: $due, not $midnight"; false; }
	done
}

@test "another zone and another language are in all files at once, the months' too" {
	known_page -F time_zone=UTC
	outage 2025-10-20T10:00:00Z 2025-10-20T11:00:00Z
	see 2025-10.html
	says '20 Oct 2025' '10:00 to 11:00 UTC'
	refute grep -q 'midnight UTC' "$answer"
	api PUT "/api/v1/status-pages/$page" -d time_zone=Europe/Berlin
	want 200
	see 2025-10.html
	says '12:00 to 13:00 CEST' 'midnight UTC'
	# The same offset and abbreviation, but another zone: nothing else says the difference in summer.
	api PUT "/api/v1/status-pages/$page" -d language=de
	see 2025-10.html
	says '12:00 bis 13:00 MESZ' 'Oktober 2025' '<html lang="de"'
	see feed.atom
	says 'xml:lang="de"' 'war ausgefallen'
	see summary.json
	jq -e '.page.time_zone == "Europe/Berlin" and .components[0].status == "operational"
		and .components[0].start_date == "2025-01-01"' "$answer"
}

@test "a page speaks its language" {
	while IFS='|' read -r language well down status; do
		page_with_monitor -F "language=$language"
		api POST /hooks/generic -d "monitor=$monitor" -d state=up
		see ''
		says "<html lang=\"$language\" dir=\"ltr\"" "$well"
		api POST /hooks/generic -d "monitor=$monitor" -d state=down -d 'title=<b>'
		see ''
		says "$down" "$status"
		refute grep -qE 'All systems|Down<|Operational|Incidents<|no downtime' "$answer"
		see badge.svg
		says "$down"
		see summary.json
		jq -e '.components[0].status == "major_outage" and .status.indicator == "critical"' "$answer"
	done <<-'END'
	de|Alle Systeme betriebsbereit|ist ausgefallen|Aktuelle Störungen
	fr|Tous les systèmes sont opérationnels|est en panne|Incidents en cours
	es|Todos los sistemas operativos|está fuera de servicio|Incidentes abiertos
	it|Tutti i sistemi sono operativi|è fuori servizio|Incidenti in corso
	nl|Alle systemen zijn operationeel|is uitgevallen|Actuele incidenten
	pt-BR|Todos os sistemas estão operacionais|está fora do ar|Incidentes em andamento
	pl|Wszystkie systemy działają|Awaria: |Trwające incydenty
	ja|すべてのシステムが正常に稼働しています|が停止しています|発生中のインシデント
	END
}

@test "the password form and a missing file are in the page's language, a hidden page is not told" {
	new_page -F language=de -F privacy=2 -F password=offen
	here=/s/$slug
	see ''
	says '<html lang="de"' 'Diese Seite ist mit einem Passwort geschützt' 'Seite anzeigen'
	anyone POST "$here/" -d password=falsch
	[ "$status" = 403 ]
	says 'Das Passwort ist falsch.'
	anyone GET "$here/nothing.json"
	[ "$status" = 404 ]
	says 'Diese Seite gibt es nicht'
	# The page asks first.
	anyone GET "$here/nothing.html"
	[ "$status" = 303 ]
	new_page -F language=fr
	anyone GET "/s/$slug/2001-01.json"
	[ "$status" = 404 ]
	says 'Cette page n’existe pas'
	new_page -F language=de -F privacy=1
	anyone GET "/s/$slug/"
	[ "$status" = 404 ]
	cp "$answer" "$BATS_TEST_TMPDIR/hidden"
	anyone GET "/s/$slug-none/"
	[ "$status" = 404 ]
	cmp "$answer" "$BATS_TEST_TMPDIR/hidden"
	api GET "/s/$slug/nothing.html"
	says 'Diese Seite gibt es nicht'
}
