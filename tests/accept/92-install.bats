# What `make install` puts in place: programs, units, rotation of logs, completion.
load lib

list=/api/v1/status-pages

setup_file() {
	stage=$BATS_FILE_TMPDIR/stage
	make -s -C "${DAYMARK_BUILD:-$TOP/build}" install DESTDIR="$stage" >&2
}

setup() {
	setup_of_lib
	stage=$BATS_FILE_TMPDIR/stage
	unit_dir=$(dirname "$(find "$stage" -name daymark.socket)")
}

# The units, with the paths of the staged installation.
units() {
	mkdir -p "$BATS_TEST_TMPDIR/units"
	for unit in "$unit_dir"/*; do
		sed -E "s|^(ExecStart=)/|\1$stage/|" "$unit" >"$BATS_TEST_TMPDIR/units/${unit##*/}"
	done
}

@test "make check without cmocka fails, and says what is missing" {
	printf '#!/bin/sh\ncase "$*" in *cmocka*) exit 1 ;; esac\nexec pkg-config "$@"\n' >"$BATS_TEST_TMPDIR/pkg-config"
	chmod +x "$BATS_TEST_TMPDIR/pkg-config"
	mkdir "$BATS_TEST_TMPDIR/build"
	cd "$BATS_TEST_TMPDIR/build"
	PKG_CONFIG=$BATS_TEST_TMPDIR/pkg-config "$TOP/configure" --quiet
	run make -s check-local
	[ "$status" != 0 ]
	[[ "$output" == *'make check needs cmocka: install libcmocka-dev'* ]]
	# And `make check` is what asks for it.
	make -n check | grep -q 'check-local\|needs cmocka'
}

@test "all of it is there, and works from there" {
	for name in bin/daymarkctl bin/daymark-check libexec/daymark/daymark man/man1/daymarkctl.1 man/man5/daymark.conf.5 \
		man/man8/daymark.8 man/man8/daymark-check.8 systemd/system/daymark-check.service daymark/conf/nginx/snippets/daymark-files.conf daymark/conf/apache/htaccess \
		daymark/conf/caddy/Caddyfile daymark/conf/lighttpd/daymark.lua daymark/sql/grants.sql \
		daymark/sql/daymark.sql doc/daymark/OPERATING.md doc/daymark/MIRRORS.md doc/daymark/API.md logrotate.d/daymark; do
		find "$stage" -path "*/$name" | grep -q . || { echo "not installed: $name"; false; }
	done
	[ "$(stat -c %a "$(find "$stage" -path '*/etc/daymark/daymark.conf')")" = 600 ]
	"$(find "$stage" -path '*/bin/daymarkctl')" check-config --config "$conf"
}

@test "links and pictures of installed documents lead to installed files" {
	local folder document link
	folder=$(dirname "$(find "$stage" -path '*/doc/daymark/README.md')")
	cd "$folder"
	for document in *.md; do
		for link in $(grep -oE '\]\([^)# ]+|src="[^"#]+' "$document" | sed -E 's/^(\]\(|src=")//' | grep -v '^[a-z]*:'); do
			[ -f "$link" ] || { echo "$document: $link"; false; }
			echo "$link" >>"$BATS_TEST_TMPDIR/links"
		done
	done
	for link in CHECKS.md page.png console/plan.jpg themes/night.css; do grep -qxF "$link" "$BATS_TEST_TMPDIR/links"; done
}

@test "the ten lines of docs/MIRRORS.md make a mirror of what is installed" {
	local root=$BATS_TEST_TMPDIR/root
	mkdir -p "$root/etc/nginx/sites-enabled" "$root/etc/nginx/snippets" "$root/etc/daymark" "$root/var/lib" "$root/var/www"
	sed -n '/^## 1 /,/^The last line prints/s/^    //p' "$TOP/docs/MIRRORS.md" >"$BATS_TEST_TMPDIR/given"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/given")" -le 10 ]
	sed -E "s# (>?)/(etc|var)/# \1$root/\2/#g; s#/usr/local/share/daymark#$(find "$stage" -path '*/share/daymark')#g" \
		"$BATS_TEST_TMPDIR/given" >"$BATS_TEST_TMPDIR/lines"
	# In place of what needs root, a network, or the service's user.
	apt-get() { dpkg-query -s "${@:2:1}" >/dev/null 2>&1 || true; }
	./configure() { [ "$*" = --sysconfdir=/etc ]; }
	make() { [[ "$*" == install || -z "$*" ]]; }
	systemd-sysusers() { find "$stage" -path '*/sysusers.d/*' | grep -q .; }
	install() {
		local words=()
		while [ $# -gt 0 ]; do
			case $1 in -o | -g) shift ;; *) words+=("$1") ;; esac
			shift
		done
		command install "${words[@]}"
	}
	sudo() { "${@:3}"; }
	daymarkctl() { "$ctl" "$@" --config "$root/etc/daymark/daymark.conf"; }
	certbot() {
		mkdir -p "$root/etc/letsencrypt/live/$NAME"
		openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=$NAME" -days 2 \
			-keyout "$root/etc/letsencrypt/live/$NAME/privkey.pem" -out "$root/etc/letsencrypt/live/$NAME/fullchain.pem" 2>&1
	}
	systemctl() {
		local name
		if [ "$*" = 'enable --now daymark.socket daymark.service' ]; then
			for name in "${@:3}"; do test -e "$unit_dir/$name"; done
			mkdir "$root/var/lib/daymark/pages"
			printf '[pages]\ndir = %s/var/lib/daymark/pages\n' "$root" >>"$root/etc/daymark/daymark.conf"
		elif [ "$*" = 'reload nginx' ]; then
			# Only root may listen on the ports 80 and 443, and other tests may use them.
			rm -f "$root"/run/*.sock
			sed -i -E -e '/listen \[::\]:/d' -e "s#listen (80|443)#listen unix:$root/run/\1.sock#" \
				-e "s#/etc/letsencrypt#$root&#" -e "s#/var/log/nginx#$root/run#" \
				"$root/etc/nginx/sites-enabled/daymark.conf" "$root"/etc/nginx/snippets/daymark-*.conf
			"$(with_service find_nginx)" -t -q -p "$root/run" -c "$root/etc/nginx/nginx.conf" -e "$root/error.log"
		fi
	}
	mkdir "$root/run"
	{
		printf 'pid %s/run/pid;\nevents {}\nhttp {\naccess_log off;\n' "$root"
		printf "%s_temp_path $root/run/%s;\n" client_body body proxy proxy fastcgi fastcgi uwsgi uwsgi scgi scgi
		printf 'include %s/etc/nginx/sites-enabled/*;\n}\n' "$root"
	} >"$root/etc/nginx/nginx.conf"
	. "$BATS_TEST_TMPDIR/lines" >"$BATS_TEST_TMPDIR/said"
	tail -n 1 "$BATS_TEST_TMPDIR/said" | grep -xE "mirror = https://mirror\.example\.org key=.{32,}"
	grep -q 'mirror.example.org status.example.org;' "$root/etc/nginx/sites-enabled/daymark.conf"
	[ "$(stat -c %a "$root/etc/daymark/daymark.conf")" = 640 ]
}

@test "installing again keeps the operator's configuration; uninstalling leaves only that" {
	own=$BATS_TEST_TMPDIR/own
	make -s -C "${DAYMARK_BUILD:-$TOP/build}" install DESTDIR="$own"
	echo '; mine' >>"$(find "$own" -name daymark.conf -path '*/etc/daymark/*')"
	make -s -C "${DAYMARK_BUILD:-$TOP/build}" install DESTDIR="$own"
	make -s -C "${DAYMARK_BUILD:-$TOP/build}" uninstall DESTDIR="$own"
	left=$(find "$own" -type f)
	[ "$(wc -l <<<"$left")" = 1 ]
	grep -q '; mine' "$left"
	rm "$left"
	make -s -C "${DAYMARK_BUILD:-$TOP/build}" install DESTDIR="$own"
	make -s -C "${DAYMARK_BUILD:-$TOP/build}" uninstall DESTDIR="$own"
	[ -z "$(find "$own" -type f)" ]
	[ -z "$(find "$own" -name '*daymark*')" ]
}

@test "the source that is released has nothing that was built" {
	make -s -C "${DAYMARK_BUILD:-$TOP/build}" tests/lib/db-steps
	make -s -C "${DAYMARK_BUILD:-$TOP/build}" distdir distdir="$BATS_TEST_TMPDIR/dist"
	[ -f "$BATS_TEST_TMPDIR/dist/tests/lib/db-steps.c" ]
	[ "$(find "$BATS_TEST_TMPDIR/dist" -type f \( -name '*.[ado]' -o -name Makefile \))" = "" ]
	# Programs have no such name.
	[ "$(grep -rlaP '\A\x7fELF' "$BATS_TEST_TMPDIR/dist")" = "" ]
}

@test "systemd takes the units, and finds little to object to" {
	needs systemd-analyze
	units
	cd "$BATS_TEST_TMPDIR/units"
	systemd-analyze verify --man=no ./*.service ./*.socket ./*.timer 2>&1 | tee verify
	[ ! -s verify ]
	for unit in *.service; do
		systemd-analyze security --offline=true --threshold=20 "./$unit"
		# Paths of the build are filled in.
		refute grep -q '@[a-z]*@' "$unit"
		# What the offline look does not count.
		grep -qx 'LimitCORE=0' "$unit"
		grep -q '^MemoryMax=' "$unit"
		grep -q '^TasksMax=' "$unit"
	done
}

@test "with its socket from systemd it serves" {
	needs systemd-socket-activate
	socket=$BATS_TEST_TMPDIR/s
	systemd-socket-activate --inetd -l "$socket" "${DAYMARK_BUILD:-$TOP/build}/daymark" \
		--config "$conf" 3>&- 2>"$BATS_TEST_TMPDIR/err" &
	activated=$!
	for i in $(seq 50); do [ -S "$socket" ] && break; sleep 0.1; done
	python3 "$TOP/tests/lib/fcgi-get" "$socket" /healthz | tee "$BATS_TEST_TMPDIR/out"
	kill "$activated"
	wait "$activated" || true
	grep -q '"state":"ok"' "$BATS_TEST_TMPDIR/out"
}

# A service of its own behind its own nginx, held as systemd holds it.
held_service() {
	own=$BATS_TEST_TMPDIR/own
	service_in "$own" --extra "$TOP/tests/lib/unlimited.conf"
	kill "$(cat "$own/run/daymark.pid")"
	for i in $(seq 100); do [ -S "$own/run/daymark.sock" ] || break; sleep 0.1; done
	# A name in its command line by which it can be told.
	"$TOP/tests/lib/socket-holder" "$own/run/daymark.sock" "$own/run/daymark.pid" \
		"${DAYMARK_BUILD:-$TOP/build}/daymark" --config "$own/conf/daymark.conf" \
		>>"$own/log/daymark.log" 2>&1 3>&- &
	holder=$!
	base=$(jq -r .base_url "$own/quickstart.json") key=$(jq -r .api_key "$own/quickstart.json")
	for i in $(seq 100); do curl -fsS "$base/healthz" >/dev/null 2>&1 && break; sleep 0.1; done
}

teardown() {
	[ -z "${holder:-}" ] || kill "$holder" 2>/dev/null || true
	[ ! -d "$BATS_TEST_TMPDIR/own" ] || "$TOP/tools/quickstart" --stop --dir "$BATS_TEST_TMPDIR/own"
}

@test "reload and restart under load lose no request, neither read nor written" {
	. "$TOP/tools/lib/common.sh"
	held_service
	workers=()
	for i in 1 2 3 4; do
		urls=()
		for j in $(seq 150); do urls+=(-o /dev/null "$base$list?per_page=10"); done
		curl -sS --max-time 60 -w '%{http_code}\n' -H "Authorization: Bearer $key" "${urls[@]}" \
			>"$BATS_TEST_TMPDIR/code.get$i" 3>&- &
		workers+=($!)
		for j in $(seq 40); do
			curl -sS --max-time 60 -o /dev/null -w '%{http_code}\n' -H "Authorization: Bearer $key" \
				-d name=Load -d "slug=load-$i-$j" "$base$list"
		done >"$BATS_TEST_TMPDIR/code.post$i" 3>&- &
		workers+=($!)
	done
	for i in 1 2 3; do
		sleep 0.25
		kill -HUP "$(cat "$own/run/daymark.pid")"
		sleep 0.25
		before=$(cat "$own/run/daymark.pid")
		kill -USR1 "$holder"
		soon eval '[ "$(cat "$own/run/daymark.pid")" != "$before" ]'
	done
	wait "${workers[@]}"
	[ "$(sort "$BATS_TEST_TMPDIR"/code.get* | uniq -c | tr -s ' \n' ' ')" = " 600 200 " ] || { sort "$BATS_TEST_TMPDIR"/code.get* | uniq -c; false; }
	[ "$(sort "$BATS_TEST_TMPDIR"/code.post* | uniq -c | tr -s ' \n' ' ')" = " 160 201 " ] || { sort "$BATS_TEST_TMPDIR"/code.post* | uniq -c; false; }
	# nginx had none to repeat, either: what it may not repeat would have been lost.
	refute grep 'prematurely closed' "$own/log/nginx-error.log"
}

@test "logs are turned over, and no line is lost" {
	. "$TOP/tools/lib/common.sh"
	top=$TOP
	logrotate=$(find_program logrotate /usr/sbin/logrotate 2>/dev/null) || skip "logrotate is not installed"
	logs=$BATS_TEST_TMPDIR/logs
	mkdir -p "$logs" "$BATS_TEST_TMPDIR/bin"
	own=$BATS_TEST_TMPDIR/own
	service_in "$own" --extra "$TOP/tests/lib/unlimited.conf"
	base=$(jq -r .base_url "$own/quickstart.json")
	# What would tell systemd tells the service.
	printf '#!/bin/sh\n[ "$*" = "reload daymark.service" ] && kill -HUP "$(cat %s/run/daymark.pid)"\n' "$own" >"$BATS_TEST_TMPDIR/bin/systemctl"
	chmod +x "$BATS_TEST_TMPDIR/bin/systemctl"
	chmod 0700 "$own/log"
	sed "s|/var/log/daymark/\*.log|$own/log/daymark.log|" "$(find "$stage" -path '*/logrotate.d/daymark')" >"$BATS_TEST_TMPDIR/rotate"
	anyone GET /healthz
	first=$(header X-Request-Id)
	PATH=$BATS_TEST_TMPDIR/bin:$PATH "$logrotate" --force --state "$BATS_TEST_TMPDIR/state" "$BATS_TEST_TMPDIR/rotate"
	soon grep -q "id=$first" "$own/log/daymark.log.1"
	# Workers on their way out still write to the file that they have.
	ids=()
	for i in $(seq 100); do
		anyone GET /healthz
		ids+=("$(header X-Request-Id)")
		grep -q event=request "$own/log/daymark.log" && break
		sleep 0.05
	done
	for id in "${ids[@]}"; do soon grep -q "id=$id" "$own"/log/daymark.log*; done
	grep -q "id=$id" "$own/log/daymark.log"
}

# complete WORD...: what the shell would offer for the last of them.
complete_words() {
	PATH=$(dirname "$ctl"):$PATH bash -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _daymarkctl; printf "%s\n" "${COMPREPLY[@]}"' \
		bash "$(find "$stage" -path '*/completions/daymarkctl')" daymarkctl "$@"
}

@test "bash completes commands, actions, options and files" {
	complete_words inc | grep -qx incident
	complete_words '' | grep -qx publish
	[ "$(complete_words incident re | sort | tr '\n' ' ')" = "recount report resolve " ]
	complete_words incident open --mon | grep -qx -- --monitor
	complete_words publish --f | grep -qx -- --follow
	complete_words --config "$conf" | grep -qxF "$conf"
	complete_words apply "$conf" | grep -qxF "$conf"
	complete_words apply "$conf" --pru | grep -qx -- --prune
	complete_words key create --account x --lab | grep -qx -- --label
}

@test "a bundle has all that a host without the libraries needs, and their licences" {
	cd "$BATS_TEST_TMPDIR"
	"$TOP/tools/bundle" --build "${DAYMARK_BUILD:-$TOP/build}" --output bundle.tar.gz
	tar xzf bundle.tar.gz
	folder=$(echo "$PWD"/daymark-*-linux-*)
	[ "$(du -sb "$folder" | cut -f 1)" -le 19000000 ]
	[ "$(stat -c %s bundle.tar.gz)" -le 7500000 ]
	# Of what the programs load, at once or later, only the C library is not the bundle's.
	loaded=$(sed -n 's/^\(MYSQL\|CURL\|EXPAT\)_LIBRARY = *//p' "${DAYMARK_BUILD:-$TOP/build}/Makefile" | tr '\n' ' ')
	for program in daymark daymarkctl; do
		LD_PRELOAD=$loaded LD_LIBRARY_PATH=$folder/lib ldd -r "$folder/lib/$program" >linked 2>&1
		refute grep -E 'not found|undefined|no version' linked
		for library in $loaded; do grep -F "$folder/lib/$library " linked; done
		grep -oE '/[^ ]+' linked | grep -vF "$folder/lib/" >outside
		refute grep -vE '/(libc|libm|libresolv|ld-linux[^/]*)\.so[.0-9]*$' outside
	done
	find "$folder/lib" -type f >files
	while read -r file; do
		refute grep -E '\.symtab|\.debug_' <(readelf -SW "$file")
		original=$(readlink -f "/usr/lib/$(gcc -print-multiarch)/${file##*/}")
		cmp -s "$file" "$original" || continue
		echo "${original#/usr} $original"
	done <files >originals
	[ "$(wc -l <originals)" -ge 10 ]
	dpkg-query -S $(cat originals) 2>/dev/null | sed 's/:.*//' | sort -u >packages
	[ "$(ls "$folder/licences")" = "$(cat packages)" ]
	[ -z "$(find "$folder/licences" -size -1)" ]
	[ -s "$folder/COPYING" ]
	sed "s|/home/user/daymark|$folder|" "$folder/daymark.cgi" >daymark.cgi
	chmod +x daymark.cgi
	env -i PATH="$PATH" DAYMARK_CONF="$conf" GATEWAY_INTERFACE=CGI/1.1 REQUEST_METHOD=GET REQUEST_URI=/readyz \
		HTTP_HOST=localhost ./daymark.cgi >answer
	head -n 1 answer | grep '^Status: 200 '
	"$folder/daymarkctl" check-config --config "$conf"
	# Other programs use the host's libraries.
	mkdir bin
	printf '#!/bin/sh\nenv >environment\nexec %s "$@"\n' "$(command -v mariadb-dump)" >bin/mariadb-dump
	chmod +x bin/mariadb-dump
	PATH=$PWD/bin:$PATH "$folder/daymarkctl" backup --config "$conf" "$PWD/backup.sql"
	[ -s backup.sql ]
	grep '^DAYMARK_BUNDLE=1' environment
	refute grep LD_LIBRARY_PATH environment
	# Requests by TLS, as to a mirror host.
	openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=localhost -addext subjectAltName=DNS:localhost \
		-days 2 -keyout key.pem -out cert.pem 2>/dev/null
	port=$(own_port)
	openssl s_server -quiet -www -accept "127.0.0.1:$port" -cert cert.pem -key key.pem >/dev/null 2>&1 3>&- &
	server=$!
	for i in $(seq 100); do
		LD_LIBRARY_PATH=$folder/lib curl -sS --cacert cert.pem -o response "https://localhost:$port/" && break
		sleep 0.1
	done
	kill "$server"
	grep -q TLSv1.3 response
	cmp "$folder/sql/daymark.sql" <("$ctl" migrate --sql)
}

# A library of this name that the loader finds first, and cannot load.
without_client_library() {
	client=$(sed -n 's/^DB_LIBRARY = *//p' "${DAYMARK_BUILD:-$TOP/build}/Makefile")
	[ -n "$client" ] || skip "the client library is linked"
	mkdir -p "$BATS_TEST_TMPDIR/lib"
	echo broken >"$BATS_TEST_TMPDIR/lib/$client"
	export LD_LIBRARY_PATH=$BATS_TEST_TMPDIR/lib
}

@test "the programs name the client library that they cannot load" {
	without_client_library
	run "${DAYMARK_BUILD:-$TOP/build}/daymark" --config "$conf"
	[ "$status" = 69 ]
	[[ "$output" == *"client library cannot be loaded: "*"$client"* ]]
	run "$ctl" account list
	[ "$status" = 69 ]
	[[ "$output" == *"client library cannot be loaded: "*"$client"* ]]
}

@test "a CGI request loads the client library only if the request needs the database" {
	without_client_library
	# Landlock would hide the library of the test, and the program would find the installed one.
	sed 's/^\[server\]$/&\nconfine = no/' "$conf" >"$BATS_TEST_TMPDIR/unconfined.conf"
	chmod 0600 "$BATS_TEST_TMPDIR/unconfined.conf"
	cgi_status() {
		env GATEWAY_INTERFACE=CGI/1.1 REQUEST_METHOD=GET DAYMARK_CONF="$BATS_TEST_TMPDIR/unconfined.conf" HTTP_HOST=localhost REQUEST_URI="$1" \
			${2:+HTTP_AUTHORIZATION="Bearer $2"} "${DAYMARK_BUILD:-$TOP/build}/daymark" 2>&1 </dev/null | sed -n 's/^Status: \([0-9]*\).*/\1/p'
	}
	[ "$(cgi_status /healthz)" = 200 ]
	[ "$(cgi_status /api/v1/openapi.json)" = 200 ]
	[ "$(cgi_status /no/such/path)" = 404 ]
	[ "$(cgi_status /s/no-such-page/)" = 404 ]
	[ "$(cgi_status "$list")" = 401 ]
	[ "$(cgi_status "$list" "$key")" = 503 ]
	unset LD_LIBRARY_PATH
	[ "$(cgi_status "$list" "$key")" = 200 ]
}

@test "configure names all packages that are missing, as OPERATING.md and tools/packages do" {
	cd "$BATS_TEST_TMPDIR"
	run env PKG_CONFIG_LIBDIR=/nonexistent ac_cv_header_unistr_h=no ac_cv_header_csv_h=no ac_cv_header_zxcvbn_h=no \
		ac_cv_path_MYSQL_CONFIG= \
		"$TOP/configure" --quiet
	[ "$status" = 1 ]
	named=$(sed -n 's/.*On Debian: apt-get install //p' <<<"$output" | head -n 1 | tr ' ' '\n' | sort)
	[ "$named" = "$(awk '$1 == "build" && /-dev$/ && !/libc6-dev/ { print $2 }' "$TOP/tools/packages" | sort)" ]
	for package in $named; do grep -qE "^ .* ?$package( |$)" "$TOP/docs/OPERATING.md"; done
	# One that is new is named alone.
	mkdir pc
	cp $(pkg-config --variable pc_path pkg-config | tr : '\n' | sed 's|$|/*.pc|') pc 2>/dev/null || true
	rm pc/libcmark.pc
	run env PKG_CONFIG_LIBDIR="$PWD/pc" "$TOP/configure" --quiet
	[ "$status" = 1 ]
	[[ "$output" == *'libraries are missing, or too old. On Debian: apt-get install libcmark-dev'* ]]
}
