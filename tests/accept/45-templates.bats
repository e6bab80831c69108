# Incident templates, and reports that use them.
load lib

list=/api/v1/incident-templates

# template NAME [CURL ARGUMENT]...: creates a template with a name of its own; sets $template and $name.
template() {
	name="$1 $(new_slug)"
	api POST "$list" --data-urlencode "name=$name" "${@:2}"
	[ "$status" = 201 ] || show
	template=$(jq .data.id "$answer")
}

@test "a template is created, shown, listed, changed in each way and deleted" {
	new_monitor "Web $(new_slug)"
	first=$monitor
	new_monitor "Mail $(new_slug)"
	template Outage -d 'title= {system} fails ' -d 'body=Since {since}.' -d phase=identified -d impact=major_outage \
		-d "monitor_ids[]=$monitor" -d "monitor_ids[]=$first"
	want 201 '.data | keys == ["body", "created_at", "id", "impact", "monitor_ids", "name", "phase", "title", "updated_at"]' \
		".data.name == \"$name\"" '.data.title == "{system} fails"' '.data.body == "Since {since}."' '.data.phase == "identified"' \
		'.data.impact == "major_outage"' ".data.monitor_ids == [$first, $monitor]"
	[ "$(header Location)" = "$base$list/$template" ]
	shown=$(jq -c .data "$answer")
	api GET "$list/$template"
	want 200 ".data == $shown"
	[ -n "$(header ETag)" ]
	api GET "$list?per_page=10&search=${name#* }&search_by=name&sort_by=name&sort=asc"
	want 200 ".data == [$shown]" '.meta.total == 1'
	api GET "$list?page=9000"
	want 200 '.data == []' '.meta.total > 0'
	api PUT "$list/$template" -d phase=resolved -d body=
	want 200 '.data.phase == "resolved"' '.data.body == null' '.data.title == "{system} fails"' '.data.monitor_ids | length == 2'
	api PATCH "$list/$template" -H 'Content-Type: application/json' -d '{"monitor_ids": [], "impact": "none", "phase": null}'
	want 200 '.data.monitor_ids == []' '.data.impact == "none"' '.data.phase == "resolved"'
	api POST "$list/$template" -d _method=PUT -d title=T
	want 200 '.data.title == "T"'
	api POST "$list/$template" -d title=U
	want 405
	api DELETE "$list/$template"
	want 200 ". == {id: $template, object: \"incident_template\", deleted: true, status: 200}"
	api GET "$list/$template"
	want 404
	api GET "/api/v1/events?object=incident_template&object_id=$template&kind=incident_template.deleted"
	want 200 '.meta.total == 1' ".data[0].detail == \"$name\""
	api GET "/api/v1/events?object_id=$template&object=incident_template"
	want 200 '[.data[].kind | ltrimstr("incident_template.")] == ["deleted", "updated", "updated", "updated", "created"]'
}

@test "a template without what an incident needs is refused, by the field" {
	api POST "$list" -d body=x
	want_fault name 'is required'
	want_fault title 'is required'
	template Taken -d title=t
	api POST "$list" --data-urlencode "name=${name^^}" -d title=t
	want_fault name 'already been taken'
	api PUT "$list/$template" -d title= -d phase=x -d impact=y
	want_fault title
	want_fault phase
	want_fault impact
	other POST /api/v1/monitors -d name=Foreign
	api PUT "$list/$template" -d "monitor_ids[]=$(jq .data.id "$answer")"
	want_fault monitor_ids.0 invalid
	api POST "$list" -d name=x --data-urlencode "title=$(printf '%0256d' 0)" --data-urlencode "body=$(printf '%010001d' 0)"
	want_fault title 255
	want_fault body 10000
	api POST "$list" -d name=x -d title=t -d id=7
	want_fault id
}

@test "another account sees, changes and uses no template" {
	template Mine -d title=t
	for method in GET PUT PATCH DELETE; do
		other "$method" "$list/$template"
		want 404
	done
	other GET "$list?search=${name#* }"
	want 200 '.data == []'
	other POST "$list" --data-urlencode "name=$name" -d title=t
	want 201
	other POST /api/v1/monitors -d name=m
	other POST /api/v1/incidents -d "template_id=$template" -d "monitor_ids[]=$(jq .data.id "$answer")"
	want_fault template_id invalid
	anyone GET "$list/$template"
	want 401
}

@test "a read-only key reads templates, and changes none" {
	template Roles -d title=t
	reader=$("$ctl" key create --account "$account" --read-only --json | jq -r .key)
	call "$reader" GET "$list/$template"
	want 200
	for method in PUT DELETE; do
		call "$reader" "$method" "$list/$template"
		want 403
	done
	call "$reader" POST "$list" -d name=x -d title=t
	want 403
}

@test "of two changes of the same version only the first is made" {
	template Version -d title=t
	api GET "$list/$template"
	etag=$(header ETag)
	api PUT "$list/$template" -H "If-Match: $etag" -d title=first
	want 200
	api PUT "$list/$template" -H "If-Match: $etag" -d title=second
	want 412
	api DELETE "$list/$template" -H "If-Match: $etag"
	want 412
	api GET "$list/$template"
	want 200 '.data.title == "first"'
}

@test "a report takes what it does not send from the template, and its placeholders are replaced" {
	new_monitor "Web*1 $(new_slug)"
	first=$monitor
	one=$("$ctl" monitor list --account "$account" --json | jq -r ".[] | select(.id == $first).name")
	new_monitor "Mail $(new_slug)"
	two=$("$ctl" monitor list --account "$account" --json | jq -r ".[] | select(.id == $monitor).name")
	template Outage --data-urlencode 'title={system} fails' -d phase=identified -d impact=partial_outage \
		--data-urlencode 'body=**{system}** since {since}: {cause} {braces}' -d "monitor_ids[]=$first" -d "monitor_ids[]=$monitor"
	api POST /api/v1/incidents -d "template_id=$template" -d started_at=2026-01-02T03:04:05Z
	want 201 ".data.title == \"$one, $two fails\"" '.data.phase == "identified"' '.data.impact == "partial_outage"' \
		".data.monitor_ids == [$first, $monitor]" ".data.comment == \"**${one/\*/\\\\*}, $two** since 2026-01-02T03:04:05Z: {braces}\"" \
		'.data.updates[0].body == .data.comment' '.data | has("template_id") | not'
	"$ctl" incident open --monitor "$monitor" --cause 'Disk <full>'
	api POST /api/v1/incidents -d "template_id=$template" -d 'title={system}' -d "monitor_ids[]=$monitor" \
		-d started_at=2026-01-02T03:04:05Z -H "Idempotency-Key: by-template-$template"
	want 201 '.data.title == "{system}"' ".data.monitor_ids == [$monitor]" \
		".data.comment == \"**$two** since 2026-01-02T03:04:05Z: Disk \\\\<full\\\\> {braces}\""
	incident=$(jq .data.id "$answer")
	api POST /api/v1/incidents -d "template_id=$template" -d ended_at=2026-01-02T04:04:05Z -d started_at=2026-01-02T03:04:05Z \
		-d impact=none -d body=
	want 201 '.data.status == "resolved"' '.data.impact == "none"' '.data.updates == []'
	# The incident does not depend on the template, and neither does the response to a request that is repeated.
	api DELETE "$list/$template"
	want 200
	api POST /api/v1/incidents -d "template_id=$template" -d 'title={system}' -d "monitor_ids[]=$monitor" \
		-d started_at=2026-01-02T03:04:05Z -H "Idempotency-Key: by-template-$template"
	want 201 ".data.id == $incident"
	api POST /api/v1/incidents -d "template_id=$template"
	want_fault template_id invalid
	api POST /api/v1/incidents -d "monitor_ids[]=$monitor"
	want_fault title 'is required'
}

@test "a deleted monitor leaves the template, and a title that becomes too long is refused" {
	new_monitor "Web $(new_slug)"
	template Long --data-urlencode "title={system}$(printf '%0240d' 0)" -d "monitor_ids[]=$monitor"
	api POST /api/v1/incidents -d "template_id=$template"
	want_fault title 255
	api DELETE "/api/v1/monitors/$monitor"
	want 200
	api GET "$list/$template"
	want 200 '.data.monitor_ids == []'
	api POST /api/v1/incidents -d "template_id=$template"
	want_fault monitor_ids
}

@test "daymarkctl reports by a template" {
	new_monitor "Web $(new_slug)"
	template Ctl --data-urlencode 'title={system} is down' -d "monitor_ids[]=$monitor"
	"$ctl" incident report --account "$account" --template "$template" --json >"$BATS_TEST_TMPDIR/incident"
	jq -e "(.title | endswith(\" is down\")) and .monitor_ids == [$monitor]" "$BATS_TEST_TMPDIR/incident"
	"$ctl" incident report Own --account "$account" --template "$template" --json | jq -e '.title == "Own"'
	run "$ctl" incident report --account "$account"
	[ "$status" != 0 ]
	[[ $output = *'TITLE is required'* ]]
}
