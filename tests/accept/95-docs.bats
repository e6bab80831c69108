# What the documents say is so.
load lib

@test "every example of API.md works as it stands, and nothing of openapi.json is left out" {
	account=$("$ctl" account add "Docs $(new_slug)" --json | jq .id)
	export KEY URL MONITOR INCIDENT TMPDIR
	KEY=$("$ctl" key create --account "$account" --json | jq -r .key)
	URL=$base
	new_monitor Mail
	MONITOR=$monitor
	INCIDENT=$("$ctl" incident open --monitor "$MONITOR" --cause 'Mail is delivered late' --json | jq .id)
	TMPDIR=$BATS_TEST_TMPDIR
	cd "$TOP"
	python3 tests/lib/api-doc docs/API.md src/app/openapi.json "$log"
}

# The text of the documents for operators and clients.
docs() {
	cat "$TOP"/README.md "$TOP"/docs/{API,OPERATING,MONITORING}.md
}

@test "every command and option of daymarkctl that the documents name is there" {
	"$ctl" --help >"$BATS_TEST_TMPDIR/help"
	docs | tr '\n' ' ' | grep -oE 'daymarkctl [a-z-]+( [a-z-]+)?( --[a-z-]+)?' | sort -u >"$BATS_TEST_TMPDIR/named"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/named")" -gt 15 ]
	while read -r _ group rest; do
		grep -qE "^  $group( |$)" "$BATS_TEST_TMPDIR/help" || { echo "no such command: $group $rest"; false; }
	done < <(grep -vE 'daymarkctl (leaves|and|are|runs|is|on|s)( |$)' "$BATS_TEST_TMPDIR/named")
	docs | grep -oE 'daymarkctl [a-z-]+( [a-z]+)? --[a-z-]+' | while read -r _ words; do
		option=--${words##*--}
		command=${words%% --*}
		"$ctl" $command --help | grep -q -- "$option" || { echo "no such option: $words"; false; }
	done
}

@test "every file that the documents name is there" {
	docs | grep -oE '(/usr/local/share/daymark/)?(conf|docs|sql|tools|tests)/[A-Za-z0-9_./-]+' | sed 's|^/usr/local/share/daymark/||; s|[./]*$||' |
		sort -u >"$BATS_TEST_TMPDIR/named"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/named")" -gt 15 ]
	while read -r file; do
		[ -e "$TOP/$file" ] || [ -e "${DAYMARK_BUILD:-$TOP/build}/$file" ] || { echo "no such file: $file"; false; }
	done <"$BATS_TEST_TMPDIR/named"
}

@test "the packages to build with are those of the one list" {
	sed -n '/^    apt-get install gcc/,/^    .\/configure/p' "$TOP/docs/OPERATING.md" | grep -v configure |
		tr -d '\\' | tr ' ' '\n' | grep -vE '^(apt-get|install|)$' | sort >"$BATS_TEST_TMPDIR/named"
	awk '$1 == "build" { print $2 }' "$TOP/tools/packages" | grep -vE '^auto(conf|make)$' | sort |
		diff - "$BATS_TEST_TMPDIR/named"
}
