# What other sites show of a page: the frame, the script that inserts it, and badges in the page's color.
load lib

# bats test_tags=server
@test "other sites may show widget.html in a frame, and no other file" {
	new_monitor
	new_page -F "monitor_ids[]=$monitor" -F accent_color=#7c5cff
	for file in widget.html '' feed.html widget.js; do
		anyone GET "/s/$slug/$file"
		[ "$status" = 200 ]
		policy=$(header Content-Security-Policy)
		if [ "$file" = widget.html ]; then
			[[ $policy == *"frame-ancestors *;"* && $policy != *script* ]] || show
			[ -z "$(header X-Frame-Options)" ]
			grep -q '<a class="overall [a-z]*" href="./" target="_blank" rel="noopener">' "$answer"
		else
			[[ $policy == *"frame-ancestors 'none'"* ]] || show
		fi
	done
	[ "$(header Content-Type)" = 'text/javascript; charset=utf-8' ]
	grep -q "new URL('widget.html',s.src)" "$answer"
	grep -q '"title":"Test status"' "$answer"
}

@test "a page that is not public has no widget" {
	new_page -F privacy=1
	for file in widget.html widget.js; do
		api GET "/s/$slug/$file"
		[ "$status" = 404 ]
	done
}

@test "the label of a badge has the accent color, with words in a color that has the contrast" {
	new_monitor
	new_page -F "monitor_ids[]=$monitor" -F accent_color=#ffcc00
	for file in badge.svg "badge-$monitor.svg" "uptime-$monitor.svg"; do
		anyone GET "/s/$slug/$file"
		[ "$status" = 200 ]
		grep -q 'fill="#ffcc00"' "$answer"
		grep -q 'textLength="[0-9]*" fill="#000"' "$answer"
	done
	api PUT "/api/v1/status-pages/$page" -d accent_color=
	for file in badge.svg "badge-$monitor.svg"; do
		anyone GET "/s/$slug/$file"
		grep -q 'fill="#3b4350"' "$answer"
	done
}
