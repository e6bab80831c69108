# bats file_tags=server
# A page's own style sheet and script: files of their own, which a visitor can leave out.
load lib

css='body { outline: 7px solid rebeccapurple }'
js='document.title = "mine"'

@test "own code is in files whose names change with it, and nowhere else" {
	page_with_monitor --form-string "custom_css=$css" --form-string "custom_js=$js"
	see ''
	refute grep -qF rebeccapurple "$answer"
	refute grep -qF '"mine"' "$answer"
	style=$(grep -oE 'custom-[0-9a-f]{12}\.css' "$answer")
	script=$(grep -oE 'custom-[0-9a-f]{12}\.js' "$answer")
	see "$style"
	[ "$(cat "$answer")" = "$css" ]
	[ "$(header Content-Type)" = "text/css; charset=utf-8" ]
	[[ "$(header Cache-Control)" == *immutable* ]]
	see "$script"
	[ "$(cat "$answer")" = "$js" ]
	api PUT "/api/v1/status-pages/$page" --data-urlencode 'custom_css=p { color: red }'
	see "$style"
	[ "$(cat "$answer")" = "$css" ]
	see ''
	refute grep -qF "$style" "$answer"
	see "$(grep -oE 'custom-[0-9a-f]{12}\.css' "$answer")"
	shows 'color: red'
	api PUT "/api/v1/status-pages/$page" -d custom_css= -d custom_js=
	see ''
	refute grep -q custom- "$answer"
	[ -z "$(ls "$pages/public/s/$slug" | grep custom)" ]
}

# new_style CSS: the page gets it; sets $style to the name of its file.
new_style() {
	api PUT "/api/v1/status-pages/$page" --data-urlencode "custom_css=$1"
	see ''
	style=$(grep -oE 'custom-[0-9a-f]{12}\.css' "$answer")
}

@test "a style that was replaced stays for five minutes, and goes at once with the page" {
	page_with_monitor --form-string "custom_css=$css"
	new_style 'p { color: red }'
	first=$style
	new_style 'p { color: green }'
	see "$first"
	shows 'color: red'
	# When the time is over: the file goes, and the page stays as it is.
	sed -i -E "s/^(file custom-.* )[0-9]+$/\11/" "$pages/state/$page/page"
	sql "UPDATE page_revisions SET next_change_at = UTC_TIMESTAMP() - INTERVAL 1 SECOND WHERE page_id = $page"
	"$ctl" publish
	anyone GET "$here/$first"
	[ "$status" = 404 ]
	second=$style
	new_style 'p { color: blue }'
	see "$second"
	shows 'color: green'
	api PUT "/api/v1/status-pages/$page" -d privacy=1
	for file in "$first" "$second" "$style"; do
		anyone GET "$here/$file"
		[ "$status" = 404 ]
		refute grep -qE 'color: (red|green|blue)' "$answer"
	done
	[ -z "$(find "$pages" -name "$second*")" ]
	api PUT "/api/v1/status-pages/$page" -d privacy=0
	anyone GET "$here/$second"
	[ "$status" = 404 ]
	see "$style"
	new_style 'p { color: gray }'
	api DELETE "/api/v1/status-pages/$page"
	[ -z "$(find "$pages" -name 'custom-*' -path "*/$slug/*")" ]
}

@test "?plain=1 leaves own code out, on history too" {
	page_with_monitor --form-string "custom_css=$css" --form-string "custom_js=$js"
	"$ctl" incident open --monitor "$monitor" --cause x
	for file in '' "$(date -u +%Y-%m).html"; do
		see "$file"
		shows 'custom-'
		see "$file?plain=1"
		refute grep -q 'custom-' "$answer"
		shows 'page-'
		shows '</html>'
	done
	see '?plain=0'
	shows 'custom-'
}

@test "a gated page's files open with a pass that the page brings, for that page only" {
	page_with_monitor --form-string "custom_css=$css" -F privacy=2 -F password=x
	anyone POST "$here/" -d password=x -c "$BATS_TEST_TMPDIR/jar"
	see '' -b "$BATS_TEST_TMPDIR/jar"
	[[ "$(header Content-Security-Policy)" == *sandbox* ]]
	style=$(grep -oE 'custom-[0-9a-f]{12}\.css\?pass=[^"]*' "$answer")
	own=$(grep -oE 'page-[0-9a-f]{12}\.css\?pass=[^"]*' "$answer")
	for file in "$style" "$own"; do
		see "$file"
		[ "$(header Cache-Control)" = "private, no-store" ]
		anyone GET "$here/${file%%\?*}"
		[ "$status" = 404 ]
		anyone GET "$here/${file}x"
		[ "$status" = 404 ]
	done
	# It opens what the page is made of, and nothing that says how things are.
	for file in summary.json index.html badge.svg feed.atom; do
		anyone GET "$here/$file?pass=${style##*=}"
		refute grep -q operational "$answer"
	done
	pass=${style##*=}
	api PUT "/api/v1/status-pages/$page" -d password=y
	anyone GET "$here/${style%%\?*}?pass=$pass"
	[ "$status" = 404 ]
}
