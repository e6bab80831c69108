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
	anyone GET "$here/$style"
	[ "$status" = 404 ]
	see ''
	refute grep -qF "$style" "$answer"
	see "$(grep -oE 'custom-[0-9a-f]{12}\.css' "$answer")"
	shows 'color: red'
	api PUT "/api/v1/status-pages/$page" -d custom_css= -d custom_js=
	see ''
	refute grep -q custom- "$answer"
	[ -z "$(ls "$pages/public/s/$slug" | grep custom)" ]
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
