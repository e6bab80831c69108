# Pages for the tests in a browser, and for looking at. Sourced by bash; needs common.sh.
# shellcheck shell=bash

page_ctl() {
	"${DAYMARK_BUILD:-$top/build}/daymarkctl" "$@" --config "$dir/conf/daymark.conf"
}

page_sql() {
	mariadb --no-defaults -uroot -S "$dir/run/mysql.sock" -N -B daymark -e "$1"
}

# post_page SLUG [CURL ARGUMENT]...: makes it, prints its id.
post_page() {
	local slug=$1
	shift
	curl -fsS -H "Authorization: Bearer $key" "$base/api/v1/status-pages" -F "slug=$slug" "$@" |
		jq .data.id
}

# monitors_of COUNT NAME: prints the ids of as many new monitors, two years old.
monitors_of() {
	local i
	for i in $(seq "$1"); do
		page_ctl monitor add "$2 $i" "https://example.org/$i" --account "$account" --json | jq .id
	done
}

# made_before DAYS MONITOR...: they exist since then.
made_before() {
	local days=$1
	shift
	page_sql "UPDATE monitors SET created_at = UTC_TIMESTAMP() - INTERVAL $days DAY WHERE id IN ($(tr ' ' , <<<"$*"))"
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
}

# page_data: makes all of it and prints its addresses as JSON.
page_data() {
	local dir=$DAYMARK_ACCEPT_DIR base key account tag ids many
	base=$(jq -r .base_url "$dir/quickstart.json") key=$(jq -r .api_key "$dir/quickstart.json")
	account=$(jq -r .account "$dir/quickstart.json") tag=b$(date +%s)$RANDOM
	mapfile -t ids < <(monitors_of 20 Service)
	made_before 700 "${ids[@]}"
	made_before 20 "${ids[4]}"
	{
		echo monitor_id,cause,started_at,ended_at
		past "${ids[1]}"
		past "${ids[6]}"
	} >"$scratch/past.csv"
	page_ctl incident import "$scratch/past.csv" --account "$account" >&2 || return 1
	page_ctl incident open --monitor "${ids[2]}" --cause 'Deliveries are late' \
		--started-at "$(date -u +%FT%TZ -d '-50 minutes')" >&2 || return 1
	# shellcheck disable=SC2046
	post_page "$tag-twenty" -F name='Example Cloud' $(fields_of "${ids[@]}") \
		-F website_url=https://example.org/ -F contact_url=mailto:help@example.org \
		-F "logo=@$top/docs/logo.png" >&2 || return 1
	post_page "$tag-one" -F name='One Thing status' -F "monitor_ids[]=${ids[0]}" >&2 || return 1
	mapfile -t many < <(monitors_of 3 'x')
	page_ctl monitor rename "${many[0]}" "$(printf 'Averyveryverylongnamewithoutanyblank%.0s' 1 2 3 4 5 6)" >&2
	page_ctl monitor rename "${many[1]}" 'מערכת הודעות 🚀 (שירות ראשי)' >&2
	page_ctl monitor rename "${many[2]}" '日本語のとても長い監視対象の名前 👩‍🚀 <b>&amp;"' >&2
	page_ctl incident open --monitor "${many[1]}" --cause 'השירות אינו זמין' >&2
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
