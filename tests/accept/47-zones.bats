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
	for empty in time_zone= time_zone=+ language=; do
		api PUT "$list/$page" -d "$empty"
		want_fault "${empty%%=*}"
	done
	api PUT "$list/$page" -H 'Content-Type: application/json' -d '{"time_zone": null, "language": 7}'
	want 422 '.errors | keys == ["language", "time_zone"]'
	for language in DE de-DE xx english; do
		api PUT "$list/$page" -d "language=$language"
		want_fault language
	done
	api POST "$list" -d name=x -d "slug=$(new_slug)" -d time_zone=x -d language=x
	want 422 '.errors | keys == ["language", "time_zone"]'
	api GET "$list/$page"
	want 200 '.data.time_zone == "Europe/Berlin"' '.data.language == "en"'
}
