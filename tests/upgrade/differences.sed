# What the new version is meant to give in other words than the recorded version: each rule changes the recorded text, and
# says why. A response begins with a line such as `main GET /api/v1/events?per_page=100`, a file of a page with
# `file public/s/example/index.html`; JSON has one value in a line; the text ends with an empty line:
#
#     # Booleans have a verb.
#     /^main GET \/api\/v1\/status-pages/,/^$/ s/^( *)"noindex":/\1"is_noindex":/
#
# tests/upgrade/record makes the data set of the release from which an upgrade is tested: then this list is empty again.

# What was used today is counted by the clock of the database, which is not set in a test.
/"per": "account_day"/,/"used"/ s/"used": [0-9]+/"used": 0/

# A page's access record no longer tells when links without an id end: there are none.
/^file private\/[a-z]+\/gate$/,/^$/ s/^([0-9]+ [0-9]+ [12] [^ ]+ [^ ]+) 0 /\1 /

# Names of counts end in _count.
/^[a-z_]+ GET \/api\/v1\/monitors/,/^$/ {
	s/^( *)"incidents": ([0-9])/\1"incident_count": \2/
	s/^( *)"status_pages": ([0-9])/\1"status_page_count": \2/
}

# What makes and removes an object is called the same for all kinds of objects.
s/"(account|monitor)\.added"/"\1.created"/
s/"(account|monitor)\.removed"/"\1.deleted"/

# Monitors have the settings of checks, and are not checked so far.
/^[a-z_]+ GET \/api\/v1\/monitors/,/^$/ {
	s/^( *)"is_paused": .*/&\
\1"type": "external",\
\1"interval": 60,\
\1"timeout": 10,\
\1"confirmations": 2,\
\1"recoveries": 1,\
\1"slow_ms": null,\
\1"depends_on_id": null,\
\1"request_method": "GET",\
\1"request_headers": [],\
\1"request_body": null,\
\1"request_auth_username": null,\
\1"has_request_auth_password": false,\
\1"cache_buster": false,\
\1"expected_statuses": null,\
\1"follow_redirects": true,\
\1"verify_tls": true,\
\1"alert_condition": "url_unavailable",\
\1"alert_text_lookup": null,\
\1"json_path": null,\
\1"json_operator": "=",\
\1"json_value": null,\
\1"tcp_send": null,\
\1"tcp_expect": null,\
\1"dns_type": "A",\
\1"dns_server": null,\
\1"dns_expected": null,\
\1"ssl_alert_days": 14,\
\1"domain_alert_days": 0,\
\1"issuer_alert": false,\
\1"period": null,\
\1"grace": 60,\
\1"locations": null,\
\1"quorum": null,\
\1"alert_channel_ids": [],\
\1"heartbeat_url": null,/
}

# Status pages can show response times, visitors may subscribe, and texts may need a second person.
/^[a-z_]+ GET \/api\/v1\/status-pages/,/^$/ s/^( *)"show_causes": .*/&\
\1"show_response_times": false,\
\1"allow_subscribers": true,\
\1"show_reports": true,\
\1"needs_second_person": false,/
# The account has the key that verifies the messages to webhooks; null while it sends none.
/^[a-z_]+ GET \/api\/v1\/account/,/^$/ s/^( *)"version": .*/&,\n\1"webhook_public_key": null/
# Addresses in the panel of pages can be copied.
s/^<details class="menu"><summary>Subscribe/<details class="menu" data-copy="Copy" data-copied="Copied"><summary>Subscribe/
s/^<details class="menu"><summary>Abonnieren/<details class="menu" data-copy="Kopieren" data-copied="Kopiert"><summary>Abonnieren/
# Slack's own feed reader reads public pages.
/^file public\/.*\/index.html$/,/^$/ s/^<p>Incidents and their updates, .* (<code [^>]*>)(https:.*)$/&\
<p>In Slack, type: \1\/feed subscribe \2/
# The address of a calendar opens the visitor's own.
s/^(<p>(Planned maintenance|Geplante Wartungen).* )(<code [^>]*>)https(:[^<]*)<wbr>calendar.ics<\/code>/\1<a href="webcal\4calendar.ics">\3webcal\4calendar.ics<\/code><\/a>/
# A monitor that is checked has the expiry of its certificate.
/^[a-z_]+ GET \/api\/v1\/monitors/,/^$/ s/^( *)"response_ms": null,$/&\n\1"tls_expires_at": null,\n\1"domain_expires_at": null,/
# A key can be that of a location.
/^[a-z_]+ GET \/api\/v1\/keys/,/^$/ s/^( *)"is_read_only": .*/&\
\1"location": null,/

# The page of an incident or a window ends without links, since it begins with the one to the page.
/^<nav class="months" aria-label=/{
	N
	/\n<a href="\.\.\/">/{
		N
		d
	}
}

# Status pages have the fields of a brand.
/^[a-z_]+ GET \/api\/v1\/status-pages/,/^$/ {
	s/^( *)"logo_dark_url": .*/&\
\1"header_image_url": null,/
	s/^( *)"favicon_url": .*/&\
\1"logo_height": 48,\
\1"accent_color": null,\
\1"color_scheme": "auto",\
\1"support_text": null,/
}

# Incident templates have a quota.
/^[a-z_]+ GET \/api\/v1\/account/,/^$/ {
	/"per": "account_year"/{
		n
		n
		n
		s/^( *)\},/&\
\1{\
\1 "most": 200,\
\1 "name": "incident_templates",\
\1 "per": "account",\
\1 "used": 0\
\1},/
	}
}
