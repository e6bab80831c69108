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
