# Pages for the tests in a browser, and for looking at. Sourced by bash; needs common.sh.
# shellcheck shell=bash

page_ctl() {
	"${DAYMARK_BUILD:-$top/build}/daymarkctl" "$@" --config "$dir/conf/daymark.conf"
}

# page_conf: the settings with which pages have the form for subscribers; the mail server is away.
page_conf() {
	cat "$top/tests/lib/unlimited.conf" && printf '%s\n' '[notify]' 'enabled = yes' '[mail]' 'server = smtp://127.0.0.1:9' \
		'needs_tls = no' 'from = status@example.org'
}

# post_page SLUG [CURL ARGUMENT]...: makes it, prints its id.
post_page() {
	local slug=$1
	shift
	curl -fsS -H "Authorization: Bearer $key" "$base/api/v1/status-pages" -F "slug=$slug" "$@" |
		jq .data.id
}

# monitors_of COUNT NAME: prints the ids of as many new monitors. The fifth has a record of 20
# days, the others of two years.
monitors_of() {
	local i days
	for i in $(seq "$1"); do
		[ "$i" = 5 ] && days=20 || days=700
		page_ctl monitor add "$2 $i" "https://example.org/$i" --account "$account" \
			--since "$(date -u +%FT%TZ -d "-$days days")" --json | jq .id
	done
}

fields_of() {
	printf -- '-F monitor_ids[]=%s ' "$@"
}

# past MONITOR: some weeks with good and bad days.
past() {
	local monitor=$1 day
	for day in 2 9 9 17 30 31 64; do
		printf '%s,%s,%s,%s\n' "$monitor" "Timeouts at the edge" \
			"$(date -u +%FT%TZ -d "-$day days -$((day * 7)) minutes")" \
			"$(date -u +%FT%TZ -d "-$day days +$((day * 9)) minutes")"
	done
	# Late in an evening of UTC: the next day in Asia, the same one in America.
	printf '%s,%s,%sT22:10:00Z,%sT22:40:00Z\n' "$monitor" "Late at night" \
		"$(date -u +%F -d '-4 days')" "$(date -u +%F -d '-4 days')"
}

# page_data: makes all of it and prints its addresses as JSON.
page_data() {
	local dir=$DAYMARK_ACCEPT_DIR base key account tag ids many
	base=$(jq -r .base_url "$dir/quickstart.json") key=$(jq -r .api_key "$dir/quickstart.json")
	account=$(jq -r .account "$dir/quickstart.json") tag=b$(date +%s)$RANDOM
	mapfile -t ids < <(monitors_of 20 Service)
	{
		echo monitor_id,cause,started_at,ended_at
		past "${ids[1]}"
		past "${ids[6]}"
	} >"$scratch/past.csv"
	page_ctl incident import "$scratch/past.csv" --account "$account" >&2 || return 1
	printf '%s\n' monitor_id,title,cause,started_at,acknowledged_at \
		"${ids[2]},Deliveries are late,connect 10.1.2.3:25 refused,$(date -u +%FT%TZ -d '-50 minutes'),$(date -u +%FT%TZ -d '-20 minutes')" \
		>"$scratch/open.csv"
	page_ctl incident import "$scratch/open.csv" --account "$account" >&2 || return 1
	# shellcheck disable=SC2046
	post_page "$tag-twenty" -F name='Example Cloud' $(fields_of "${ids[@]}") -F show_causes=1 \
		-F website_url=https://example.org/ -F contact_url=mailto:help@example.org \
		-F "logo=@$top/docs/logo.png" >&2 || return 1
	post_page "$tag-one" -F name='One Thing status' -F "monitor_ids[]=${ids[0]}" >&2 || return 1
	mapfile -t many < <(monitors_of 3 'x')
	page_ctl monitor rename "${many[0]}" "$(printf 'Averyveryverylongnamewithoutanyblank%.0s' 1 2 3 4 5 6)" >&2
	page_ctl monitor rename "${many[1]}" 'מערכת הודעות 🚀 (שירות ראשי)' >&2
	page_ctl monitor rename "${many[2]}" '日本語のとても長い監視対象の名前 👩‍🚀 <b>&amp;"' >&2
	page_ctl incident open --monitor "${many[1]}" --title 'השירות אינו זמין' --cause x >&2
	# shellcheck disable=SC2046
	post_page "$tag-names" --form-string 'name=حالة الخدمات 🌍 and a rather long name besides, for a company' \
		$(fields_of "${many[@]}") >&2 || return 1
	# A tenant whose script tries what it can; a neighbour with a password; a domain of its own.
	post_page "$tag-gated" -F name=Neighbour -F privacy=2 -F password=opensesame -F "monitor_ids[]=${ids[1]}" \
		-F "logo=@$top/docs/logo.png" --form-string 'custom_css=body { outline: 7px solid rgb(1, 2, 3) }' \
		--form-string 'custom_js=document.documentElement.dataset.mine = "yes";' >&2 || return 1
	post_page "$tag-tenant" -F name=Tenant -F "monitor_ids[]=${ids[0]}" -F "custom_js=<$top/tests/page/tenant.js" \
		--form-string "custom_css=body { outline: 7px solid rgb(1, 2, 3) }" >&2 || return 1
	post_page "$tag-domain" -F name=Owner -F "domain=$tag.example.com" -F "monitor_ids[]=${ids[2]}" \
		-F "custom_js=<$top/tests/page/tenant.js" >&2 || return 1
	post_page "$tag-private" -F name=Hidden -F privacy=1 >&2 || return 1
	jq -n --arg base "$base" --arg tag "$tag" --arg month "$(date -u +%Y-%m)" \
		'{base: $base, month: $month, host: "\($tag).example.com"}
		 + (["twenty", "one", "names", "gated", "tenant", "domain", "private"] | map({(.): "\($base)/s/\($tag)-\(.)/"}) | add)'
}
