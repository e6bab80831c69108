# What only owners do to a page: delete it, and change its privacy, password, domain and script.
load console

# refused FIELD [CURL ARGUMENT]...: the form of the page is refused at the field.
refused() {
	local field=$1
	submit "/console/pages/$page/${form-access}" "${@:2}"
	[ "$status" = 422 ] || show
	says_text "Only an owner can set $field."
}

# stored: what the rules protect.
stored() {
	sql "SELECT CONCAT_WS('|', privacy, password_hash IS NULL, domain IS NULL, custom_js) FROM status_pages WHERE id = $page"
}

@test "an editor changes a page, but neither its access nor its script, and does not delete it" {
	page_with_monitor -F 'custom_js=document.title = "mine"'
	before=$(stored)
	join_as "own-edi-$$" editor
	for path in "pages/$page" "pages/$page/access" "pages/$page/design"; do
		visit GET "/console/$path"
		[ "$status" = 200 ]
		refute grep -qE 'name="(privacy|password|domain|custom_js)"' "$answer"
		refute grep -qF "/$page/delete" "$answer"
	done
	says_text 'name="custom_css"'
	visit GET "/console/pages/$page/access"
	says_text 'name="meta_title"'
	read_form
	refused privacy -d privacy=1
	refused password -d password='open sesame'
	refused domain -d domain="own-$$.example.org"
	form=design refused custom_js -d custom_js=
	submit "/console/pages/$page/access/preview" -d privacy=1
	[ "$status" = 422 ]
	submit "/console/pages/$page/delete"
	[ "$status" = 403 ]
	[ "$(stored)" = "$before" ]
	# What is sent as it is, and everything else, an editor may send.
	submit "/console/pages/$page/access" -d privacy=0 -d meta_title='Title'
	[ "$status" = 303 ] || show
	submit "/console/pages/$page/design" --data-urlencode 'custom_js=document.title = "mine"' -d custom_css='a { color: red }'
	[ "$status" = 303 ] || show
	join_as "own-boss-$$" owner
	visit GET "/console/pages/$page/access"
	says_text 'name="privacy"'
	says_text 'name="domain"'
	read_form
	submit "/console/pages/$page/access" -d privacy=2 -d password='open sesame'
	[ "$status" = 303 ] || show
	visit GET "/console/pages/$page"
	says_text "/$page/delete"
	read_form
	submit "/console/pages/$page/delete"
	[ "$(header Location)" = '/console/pages?notice=deleted' ]
}

@test "an editor creates a private page, but none with a domain or a script" {
	join_as "own-new-$$" editor
	visit GET /console/pages/new
	[ "$status" = 200 ]
	refute grep -qE 'name="(domain|custom_js)"' "$answer"
	read_form
	for field in domain=own-new-$$.example.org custom_js=alert; do
		submit /console/pages -d name=New -d slug="own-new-$$" -d "$field"
		[ "$status" = 422 ]
		says_text "Only an owner can set ${field%%=*}."
	done
	submit /console/pages -d name=New -d slug="own-new-$$" -d privacy=2 -d password='open sesame'
	[ "$status" = 303 ] || show
	page=$(sql "SELECT id FROM status_pages WHERE slug = 'own-new-$$'")
	# It belongs to the account from then on.
	refused privacy -d privacy=0
	refused password -d password='other sesame'
}

@test "a text that outlasts its session comes back without the fields of owners" {
	page_with_monitor
	join_as "own-kept-$$" editor
	visit GET "/console/pages/$page/access"
	read_form
	for_me=$(grep -o 'name="made_for" value="[^"]*"' "$answer" | head -1 | cut -d'"' -f4)
	sign_in "own-kept-$$" 'correct horse'
	submit "/console/pages/$page/access" -d meta_title='My <title>' -d made_for="$for_me" -H 'Sec-Fetch-Site: same-origin'
	[ "$status" = 409 ] || show
	says_text 'My &lt;title&gt;'
	refute grep -qE 'name="(privacy|password|domain)"' "$answer"
}
