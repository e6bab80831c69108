load console

# An account of its own: 1,000 monitors, all on one page, and 10,000 incidents, 9 of them open.
setup_file() {
	load console
	setup
	digits="(SELECT 0 i UNION SELECT 1 UNION SELECT 2 UNION SELECT 3 UNION SELECT 4 UNION SELECT 5 UNION SELECT 6 UNION SELECT 7 UNION SELECT 8 UNION SELECT 9)"
	account=$("$ctl" account add "Large $$" --json | jq -r .id)
	key=$("$ctl" key create --account "$account" --json | jq -r .key)
	sql "INSERT INTO monitors (account_id, name, url, created_at, updated_at)
		SELECT $account, CONCAT('Service of customers ', a.i, b.i, c.i), CONCAT('https://', a.i, b.i, c.i, '.example/health'),
		UTC_TIMESTAMP(), UTC_TIMESTAMP() FROM $digits a, $digits b, $digits c"
	api POST /api/v1/status-pages -d name=Large -d "slug=large-$$"
	page=$(jq .data.id "$answer")
	sql "INSERT INTO status_page_monitors (status_page_id, monitor_id, position)
		SELECT $page, id, 1 FROM monitors WHERE account_id = $account"
	sql "INSERT INTO incidents (account_id, monitor_id, cause, started_at, ended_at, created_at, updated_at)
		SELECT $account, m.id, 'Connection refused', t.at, IF(d.i = 0 AND m.name LIKE '%00_', NULL, t.at + INTERVAL 1 HOUR), t.at, t.at
		FROM monitors m, $digits d, (SELECT UTC_TIMESTAMP() - INTERVAL 2 HOUR AS at) t WHERE m.account_id = $account"
	for object in 'incident-templates -d name=Outage -d title=Outage' \
		'alert-channels -d name=Chat -d type=webhook -d value[url]=https://hooks.example.org/' \
		'maintenances -d title=Upgrade -d starts_at=2030-01-01T00:00:00Z -d ends_at=2030-01-01T01:00:00Z'; do
		# shellcheck disable=SC2086
		api POST /api/v1/$object -d "monitor_ids[]=$(sql "SELECT MIN(id) FROM monitors WHERE account_id = $account")"
	done
	printf 'account=%s page=%s\n' "$account" "$page" >"$BATS_FILE_TMPDIR/ids"
}

teardown_file() {
	load console
	setup
	# shellcheck source=/dev/null
	. "$BATS_FILE_TMPDIR/ids"
	"$ctl" account remove "$account" --yes
}

# newest TABLE: an object of the account.
newest() {
	sql "SELECT MAX(id) FROM $1 WHERE account_id = $account"
}

# A window and the changes are each read in a transaction, whose begin and end count. A report is made of the whole page.
@test "with 1,000 monitors and 10,000 incidents each screen is small, and takes few statements" {
	# shellcheck source=/dev/null
	. "$BATS_FILE_TMPDIR/ids"
	join_as "lia-$$" owner
	visit GET /console/
	style=$(grep -o 'href="/console/[^"]*\.css[^"]*"' "$answer" | cut -d'"' -f2)
	visit GET "$style"
	style_bytes=$(wc -c <"$answer")
	incident=$(newest incidents)
	while read -r path most; do
		visit GET "/console/$path"
		[ "$status" = 200 ] || show
		bytes=$(($(wc -c <"$answer") + style_bytes))
		[ "$bytes" -lt 30000 ] && [ "$(queries)" -le "$most" ] || {
			echo "# $path: $bytes bytes, $(queries) statements"
			false
		}
	done <<-END
		?page=1 4
		incidents 4
		incidents?status=open 4
		incidents?page=500 4
		incidents/new 4
		incidents/$incident 6
		maintenances 4
		maintenances/new 4
		maintenances/$(newest maintenances) 8
		monitors 4
		monitors?search=customers 4
		monitors?page=50 4
		monitors/new 4
		monitors/$(newest monitors) 4
		pages 4
		pages/new 4
		pages/$page 4
		pages/$page/design 4
		pages/$page/systems 4
		pages/$page/access 4
		pages/$page/subscribers 4
		pages/$page/share 4
		pages/$page/reports 14
		monitors/$(newest monitors)/response-times 4
		pages/$page/links 4
		channels 4
		channels/new 4
		channels/$(newest alert_channels) 4
		deliveries 4
		templates 4
		templates/new 4
		templates/$(newest incident_templates) 4
		keys 4
		keys/new 4
		keys/$(newest api_keys) 4
		people 4
		audit 5
		health 4
		more 4
		me 4
	END
}
