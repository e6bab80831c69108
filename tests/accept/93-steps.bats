# The steps of docs/OPERATING.md, run in their order and as they stand, as root of a machine that
# has only what Debian's packages bring: folders of the test's own in place of those of the
# machine, mounted for the commands alone. What asks the network stands aside: `apt-get install nginx` starts the nginx
# that is unpacked with the files of its package, certbot signs its certificate itself.
load lib

guide=$BATS_TEST_DIRNAME/../../docs/OPERATING.md

# What each machine begins with is made once: what was installed, and the data of its MariaDB.
setup_file() {
	# setup() skips the tests.
	[ "$(id -u)" = 0 ] || return 0
	make -s -C "${DAYMARK_BUILD:-$TOP/build}" install sysconfdir=/etc DESTDIR="$BATS_FILE_TMPDIR/stage" >/dev/null
	mariadb-install-db --no-defaults --user=root --datadir="$BATS_FILE_TMPDIR/data" --tmpdir="$BATS_FILE_TMPDIR" \
		--skip-test-db --force >&2
}

setup() {
	setup_of_lib
	unshare -m mount --bind / /mnt 2>/dev/null || skip "only root can mount folders"
	. "$TOP/tools/lib/common.sh"
	top=$TOP
	needs openssl
	{ find_nginx && find_program nginx-common /etc/nginx/nginx.conf && find_program apache2 /etc/apache2/apache2.conf &&
		find_program libapache2-mod-fcgid /usr/lib/apache2/modules/mod_fcgid.so; } >/dev/null 2>&1 ||
		skip "the files of the packages of nginx and Apache are not here"
	root=$(mktemp -d /tmp/daymark-steps-XXXXXX)
	chmod 0755 "$root"
	cp -a "$BATS_FILE_TMPDIR/stage/." "$root"
	port=$(free_port 18850)
	machine
	database
	tools
}

teardown() {
	local pid
	[ -n "${root:-}" ] || return 0
	# Shown when the test has failed.
	tail -n 20 "$root"/var/log/*/error.log "$root"/var/log/daymark/daymark.log 2>/dev/null || true
	for pid in $(cat "$root"/run/*.pid "$root"/run/apache2/*.pid 2>/dev/null); do
		kill "$pid" 2>/dev/null && wait_until 20 process_is_gone "$pid" || true
	done
	[ -z "${machine:-}" ] || wait "$machine" 2>/dev/null || true
	stop_process "$root/mysql.pid" "$root" TERM
	rm -rf "$root"
}

# The lines of code in a section, by its number, those of lists too.
section() {
	awk -v head="## $1 " 'index($0, "## ") == 1 { is_in = index($0, head) == 1 } is_in && /^    /' "$guide" | sed 's/^  *//'
}

# The machine's folders, and the user of the service, as section 1 makes it.
machine() {
	mkdir -p "$root"/etc/letsencrypt "$root"/run/mysqld "$root"/var/{www,log,lib,backups} "$root"/{home,opt}
	ln -s /run "$root/var/run"
	mkdir -p "$root/run/lock"
	ln -s /run/lock "$root/var/lock"
	cp -r /etc/{alternatives,ld.so.cache,login.defs,nsswitch.conf,ssl} "$root/etc"
	{ grep -v '^daymark:' /etc/passwd; echo "daymark:x:987:987:Daymark:/var/lib/daymark:/usr/sbin/nologin"; } >"$root/etc/passwd"
	{ grep -v '^daymark:' /etc/group; echo "daymark:x:987:"; } >"$root/etc/group"
	# A build of this tree looks below /usr/local/etc.
	mkdir -p "$root/usr/local/etc"
	ln -s /etc/daymark "$root/usr/local/etc/daymark"
	cat >"$root/enter" <<-END
		for folder in usr/local var run home opt etc; do
			mount --bind "$root/\$folder" "/\$folder" || exit 125
		done
		[ ! -s "$root/hidden" ] || while read -r file; do mount --bind /dev/null "\$file" || exit 125; done <"$root/hidden"
		cd / && exec "\$@"
	END
}

# on_machine COMMAND...: as root there.
on_machine() {
	env -i PATH=/opt:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/ LANG=C.UTF-8 \
		unshare -m bash "$root/enter" "$@"
}

# from_cron USER LINE: as cron runs it.
from_cron() {
	env -i PATH=/usr/bin:/bin HOME=/ SHELL=/bin/sh LOGNAME="$1" unshare -m bash "$root/enter" \
		setpriv --reuid="$1" --regid="$(id -gn "$1" 2>/dev/null || echo "$1")" --init-groups /bin/sh -c "$2"
}

# MariaDB as its package leaves it: root may come in by the socket.
database() {
	local plugin=/usr/lib/mysql/plugin/auth_ed25519.so
	cp -a "$BATS_FILE_TMPDIR/data" "$root/data"
	plugin=$(has_program mariadb-server "$plugin" || echo "$plugin")
	setsid mariadbd --no-defaults --user=root --datadir="$root/data" --socket="$root/run/mysqld/mysqld.sock" \
		--pid-file="$root/mysql.pid" --skip-networking --skip-log-bin --tmpdir="$root/data" --plugin-dir="${plugin%/*}" \
		--innodb-log-file-size=32M >>"$root/mysql.log" 2>&1 </dev/null 3>&- &
	wait_until 60 mariadb --no-defaults -uroot -S "$root/run/mysqld/mysqld.sock" -e 'SELECT 1'
}

tool() {
	cat >"$root/opt/$1"
	chmod 0755 "$root/opt/$1"
}

tools() {
	tool sudo <<-'END'
		#!/bin/sh
		# sudo -u USER COMMAND...
		user=$2; shift 2
		exec setpriv --reuid="$user" --regid="$user" --init-groups -- "$@"
	END
	tool apt-get <<-'END'
		#!/bin/sh
		for package in "$@"; do
			case $package in
			nginx) nginx ;;
			apache2) apache2ctl start ;;
			esac
		done
	END
	tool systemctl <<-'END'
		#!/bin/sh
		case "$*" in
		'reload nginx') nginx -s reload ;;
		'restart lighttpd') lighttpd -m /opt/lighttpd-modules -tt -f /etc/lighttpd/lighttpd.conf && lighttpd -m /opt/lighttpd-modules -f /etc/lighttpd/lighttpd.conf ;;
		'restart caddy')
			setpriv --reuid=caddy --regid=caddy --init-groups env HOME=/var/lib/caddy caddy run --config /etc/caddy/Caddyfile >/var/lib/caddy.log 2>&1 </dev/null &
			echo $! >/run/caddy.pid
			;;
		'restart apache2') apache2ctl stop; while [ -e /run/apache2/apache2.pid ]; do sleep 0.1; done; apache2ctl start ;;
		'disable --now daymark.socket daymark.service daymark-check.service daymark-publish.timer daymark-work.service daymark-follow.service')
			kill "$(cat /run/daymark.pid)"
			while kill -0 "$(cat /run/daymark.pid)" 2>/dev/null; do sleep 0.1; done
			rm /run/daymark.pid
			;;
		daemon-reload) ;;
		'reload daymark') kill -HUP "$(cat /run/daymark.pid)" ;;
		*) echo "systemctl $*: not here" >&2; exit 1 ;;
		esac
	END
	# It proves by plain HTTP that the name leads here, as the authority does.
	tool certbot <<-END
		#!/bin/sh -e
		[ "\$1 \$2 \$3 \$5" = 'certonly --webroot -w -d' ]
		mkdir -p "\$4/.well-known/acme-challenge"
		echo proof-\$\$ >"\$4/.well-known/acme-challenge/token"
		[ "\$(curl -fsS --retry 20 --retry-all-errors --retry-delay 1 -H "Host: \$6" http://127.0.0.1:$port/.well-known/acme-challenge/token)" = proof-\$\$ ]
		mkdir -p /etc/letsencrypt/live/"\$6"
		cd /etc/letsencrypt/live/"\$6"
		openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj "/CN=\$6" -addext "subjectAltName=DNS:\$6" -keyout privkey.pem -out fullchain.pem 2>/dev/null
		[ "\$7" = --deploy-hook ]
		\$8
	END
}

# The package's files, with all that listens on a port of loopback.
nginx_as_packaged() {
	local site
	mkdir -p "$root/etc/nginx" "$root/var/log/nginx" "$root/var/lib/nginx" "$root/var/www/html"
	cp -r "$(dirname "$(find_program nginx-common /etc/nginx/nginx.conf)")/." "$root/etc/nginx"
	ln -sf /etc/nginx/sites-available/default "$root/etc/nginx/sites-enabled/default"
	ln -sf "$(find_nginx)" "$root/opt/nginx"
	for site in "$root"/etc/nginx/sites-available/default "$root"/usr/local/share/daymark/conf/nginx/*.conf; do
		sed -i -e '/listen \[::\]:/d' -e "s/listen 80\b/listen 127.0.0.1:$port/" -e "s/listen 443\b/listen 127.0.0.1:$((port + 1))/" "$site"
	done
}

# Likewise, with the modules and the site that the package enables when it is installed.
apache_as_packaged() {
	local tool modules=(mpm_event authz_host authz_core authn_core alias dir env mime negotiation setenvif filter deflate status)
	local unpacked fcgid
	unpacked=$(find_program apache2 /etc/apache2/apache2.conf)
	unpacked=${unpacked%/etc/*}
	fcgid=$(find_program libapache2-mod-fcgid /usr/lib/apache2/modules/mod_fcgid.so)
	cp -r "$unpacked/etc/apache2" "$root/etc"
	mkdir -p "$root"/etc/apache2/{mods,sites,conf}-enabled "$root"/var/{log/apache2,lib/apache2,www/html,cache/apache2} "$root/run/apache2"
	cp "${fcgid%/usr/*}"/etc/apache2/mods-available/* "$root/etc/apache2/mods-available"
	sed -i "s|/usr/lib/apache2/modules/mod_fcgid.so|$fcgid|" "$root/etc/apache2/mods-available/fcgid.load"
	for tool in a2enmod a2ensite a2dissite apache2ctl; do cp "$unpacked/usr/sbin/$tool" "$root/opt/$tool"; done
	sed -i -e "s/^Listen 80$/Listen 127.0.0.1:$port/" "$root/etc/apache2/ports.conf"
	sed -i "s/VirtualHost \*:80/VirtualHost *:$port/" "$root"/etc/apache2/sites-available/000-default.conf \
		"$root"/usr/local/share/daymark/conf/apache/*.conf
	# As the packages' scripts make them.
	install -d -o www-data -g www-data "$root/var/lib/apache2/fcgid/sock" "$root/var/lib/apache2/fcgid"
	: >"$root/etc/mime.types"
	on_machine a2enmod -q "${modules[@]}" >&2
	on_machine a2ensite -q 000-default >&2
}

# Likewise, with the module that the package enables when it is installed.
lighttpd_as_packaged() {
	local unpacked magnet tool
	unpacked=$(find_program lighttpd /usr/sbin/lighttpd)
	unpacked=${unpacked%/sbin/lighttpd}
	magnet=$(find_program lighttpd-modules-lua /usr/lib/lighttpd/mod_magnet.so)
	cp -r "${unpacked%/usr}/etc/lighttpd" "$root/etc"
	mkdir -p "$root/opt/lighttpd-modules" "$root/var/www/html"
	ln -s "$unpacked"/lib/lighttpd/*.so "$root/opt/lighttpd-modules"
	ln -sf "$magnet" "$root/opt/lighttpd-modules"
	install -d -o www-data -g www-data "$root"/var/{log,cache}/lighttpd "$root/var/cache/lighttpd/uploads"
	for tool in lighttpd lighttpd-enable-mod lighty-enable-mod; do cp -a "$unpacked/sbin/$tool" "$root/opt"; done
	# use-ipv6.pl would listen on all addresses.
	sed -i -e "s/^server.port .*/server.port = $port\nserver.bind = \"127.0.0.1\"/" -e '/use-ipv6.pl/d' \
		-e "s|/usr/share/lighttpd|$unpacked/share/lighttpd|" "$root/etc/lighttpd/lighttpd.conf"
	: >"$root/etc/mime.types"
	on_machine lighttpd-enable-mod unconfigured
}

# Likewise, with the user that the package makes. Caddy's own authority signs the certificates.
caddy_as_packaged() {
	echo 'caddy:x:986:986::/var/lib/caddy:/usr/sbin/nologin' >>"$root/etc/passwd"
	echo 'caddy:x:986:' >>"$root/etc/group"
	install -d -o 986 -g 986 "$root/var/lib/caddy"
	mkdir -p "$root/etc/caddy"
	cp "$(dirname "$(find_program caddy /usr/bin/caddy)")/../../etc/caddy/Caddyfile" "$root/etc/caddy"
	ln -sf "$(find_program caddy /usr/bin/caddy)" "$root/opt/caddy"
	sed -i -e "1,/^{\$/s|^{\$|{\n\tadmin off\n\tlocal_certs\n\tskip_install_trust\n\tdefault_bind 127.0.0.1\n\thttp_port $port\n\thttps_port $((port + 1))|" \
		-e "s|127.0.0.1:8088|127.0.0.1:$((port + 2))|" "$root/usr/local/share/daymark/conf/caddy/Caddyfile"
}

# What section 1 leaves to the operator, section 2, and the configuration of section 3 without
# systemd.
begin() {
	section 1 | sed -n '/^chgrp/,$p'
	section 2
	section 3 | grep -E '^(install|sed) '
}

# The line of a crontab that begins so, without its time.
crontab_line() {
	section "$1" | sed -n "s/^$2 //p"
}

start_service() {
	local line
	line=$(crontab_line 3 @reboot)
	[ -n "$line" ]
	# By which the parent can be told.
	from_cron root "${line/exec /echo \$\$ >/run/daymark.pid; exec }" 3>&- &
	machine=$!
	wait_until 20 test -S "$root/run/daymark/daymark.sock"
}

@test "nginx, without systemd: every step works in order, and nginx -t passes at each" {
	nginx_as_packaged
	{ echo 'set -eux'; begin; } >"$root/home/begin"
	on_machine bash /home/begin
	start_service
	[ "$(stat -c '%u:%G %a' "$root/run/daymark/daymark.sock")" = "987:www-data 660" ]
	[ "$(section 4 | grep -c '^nginx -t && ')" = 2 ]
	section 4 >"$root/home/all-of-4"
	{ echo 'set -eux; NAME=status.example.org'; sed '/^apt-get install certbot/,$d' "$root/home/all-of-4"; } >"$root/home/plain"
	on_machine bash /home/plain
	first_page
	# Then TLS.
	{ echo 'set -eux; NAME=status.example.org'; sed -n '/^apt-get install certbot/,$p' "$root/home/all-of-4"; } >"$root/home/tls"
	on_machine bash /home/tls
	grep -x "base_url = https://status.example.org:$port" "$root/etc/daymark/daymark.conf"
	wait_until 20 curl -fsS --cacert "$root/etc/letsencrypt/live/status.example.org/fullchain.pem" \
		--connect-to "::127.0.0.1:$((port + 1))" https://status.example.org/readyz
	curl -fsS --cacert "$root/etc/letsencrypt/live/status.example.org/fullchain.pem" \
		--connect-to "::127.0.0.1:$((port + 1))" https://status.example.org/s/example/ | grep -F "Slow answers"
	# And still by plain HTTP what the next certificate needs.
	anyone GET /.well-known/acme-challenge/token
	[ "$status" = 200 ] || show
	# Every night, from cron.
	{ echo 'set -eux'; section 12 | grep -E '^(install|sudo)'; } >"$root/home/backup"
	on_machine bash /home/backup
	rm "$root/var/backups/daymark/daymark.sql"
	line=$(crontab_line 12 '30 3 \* \* \*')
	[ -n "$line" ]
	from_cron daymark "$line"
	[ "$(stat -c '%u %a' "$root/var/backups/daymark/daymark.sql")" = "987 600" ]
	# And back, on an empty machine.
	mariadb --no-defaults -uroot -S "$root/run/mysqld/mysqld.sock" \
		-e 'DROP DATABASE daymark; CREATE DATABASE daymark CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci'
	rm -r "$root/var/lib/daymark/pages/public/s/example"
	line=$(section 12 | grep '^daymarkctl restore')
	[ -n "$line" ]
	on_machine bash -exc "$line"
	[ -f "$root/var/lib/daymark/pages/public/s/example/index.html" ]
	[ "$(find "$root/var/lib/daymark" ! -uid 987)" = "" ]
	# A newer version, over the same data.
	# Without the step from before version 0.1, a backup and the lines from "git worktree" on.
	{ echo 'set -eux'; section 13 | sed '/^git worktree/Q' | sed '$d' | grep -E '^daymarkctl'; } >"$root/home/upgrade"
	# And the steps to go back, which a version may go to that is the same.
	[ "$(wc -l <"$root/home/upgrade")" = 7 ]
	on_machine bash /home/upgrade
	[ "$(stat -c '%u' "$root/var/backups/daymark-before.sql")" = 0 ]
	[ "$(find "$root/var/lib/daymark" ! -uid 987)" = "" ]
	# Nothing is left after the steps to uninstall.
	{ echo 'set -eux'; section 13 | sed -n '/^systemctl disable/,$p'; } >"$root/home/uninstall"
	[ "$(grep -cx 'make uninstall' "$root/home/uninstall")" = 1 ]
	sed -i '/^make uninstall$/d' "$root/home/uninstall"
	make -s -C "${DAYMARK_BUILD:-$TOP/build}" uninstall sysconfdir=/etc DESTDIR="$root" >/dev/null
	on_machine bash /home/uninstall
	rm "$root/usr/local/etc/daymark"
	[ "$(find "$root" -mindepth 1 -name '*daymark*')" = "" ]
	refute grep daymark "$root/etc/passwd" "$root/etc/group"
}

@test "tmpfiles.d makes the folder of the socket as the crontab's line does" {
	needs systemd-tmpfiles
	mkdir -p "$root/etc/tmpfiles.d"
	systemd-tmpfiles --root="$root" --create "$root/usr/local/lib/tmpfiles.d/daymark.conf"
	[ "$(stat -c '%u:%G %a' "$root/run/daymark")" = "987:www-data 2755" ]
	grep -q -- '-o daymark -g www-data -m 2755 /run/daymark' "$guide"
}

# first_page: section 9, and the page as a visitor of the machine sees it.
first_page() {
	base=http://127.0.0.1:$port
	on_machine sed -i "s|^base_url = http://status.example.org|&:$port|" /etc/daymark/daymark.conf
	{
		echo "set -eux; URL=$base"
		section 9 | sed -e "s/sudo -u daymark/sudo -u ${1:-daymark}/" -e 's/^\(sudo .* key create .*\)/KEY=$(\1)/' \
			-e 's/curl -s -H/curl -fsS -H "Host: status.example.org" -H/'
	} >"$root/home/first"
	wait_until 20 curl -fsS -H 'Host: status.example.org' "$base/healthz"
	on_machine bash /home/first
	anyone GET /s/example/ -H 'Host: status.example.org'
	[ "$status" = 200 ] || show
	shows 'Slow answers'
}

@test "Apache, the program as a service: every step works in order" {
	apache_as_packaged
	{ echo 'set -eux'; begin; } >"$root/home/begin"
	on_machine bash /home/begin
	start_service
	{ echo 'set -eux; NAME=status.example.org'; section 5 | sed -n '1,/^apache2ctl/p'; } >"$root/home/apache"
	[ "$(grep -c . "$root/home/apache")" = 8 ]
	on_machine bash /home/apache
	first_page
}

@test "lighttpd, with Debian's own lighttpd.conf: every step works in order" {
	find_program lighttpd-modules-lua /usr/lib/lighttpd/mod_magnet.so || skip "lighttpd is not here"
	lighttpd_as_packaged
	{ echo 'set -eux'; begin; } >"$root/home/begin"
	on_machine bash /home/begin
	start_service
	{ echo 'set -eux; NAME=status.example.org'; section 6; } >"$root/home/lighttpd"
	[ "$(grep -c . "$root/home/lighttpd")" = 7 ]
	on_machine bash /home/lighttpd
	first_page
	# With the settings of our file, not with those of Debian's: the program names the field.
	anyone GET '/api/v1/status-pages?search=%01' -H 'Host: status.example.org' -H "Authorization: Bearer none"
	[ "$status" = 401 ] || show
}

@test "Caddy: every step works in order, and pages' own domains get certificates" {
	local authority
	find_program caddy /usr/bin/caddy || skip "caddy is not here"
	caddy_as_packaged
	{ echo 'set -eux'; begin; } >"$root/home/begin"
	on_machine bash /home/begin
	start_service
	{ echo 'set -eux; NAME=status.example.org'; section 7; } >"$root/home/caddy"
	[ "$(grep -c . "$root/home/caddy")" = 7 ]
	on_machine bash /home/caddy
	authority=$root/var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt
	visit() { curl -sS --cacert "$authority" --connect-to "::127.0.0.1:$((port + 1))" "https://$@"; }
	wait_until 20 visit status.example.org/readyz
	on_machine sudo -u daymark daymarkctl account add Example
	key=$(on_machine sudo -u daymark daymarkctl key create --label first)
	visit status.example.org/api/v1/status-pages -f -H "Authorization: Bearer $key" -d name=Own -d slug=own -d domain=own.example.net
	visit own.example.net/ -f | grep '<h1'
	# No page has this name.
	refute visit foreign.example.net/
	grep -F 'base_url = https://status.example.org' "$root/etc/daymark/daymark.conf"
}

@test "Apache that starts the program takes over what section 2 has made" {
	apache_as_packaged
	{ echo 'set -eux'; begin; } >"$root/home/begin"
	on_machine bash /home/begin
	[ "$(stat -c %u "$root/var/lib/daymark/pages")" = 987 ]
	{ echo 'set -eux; NAME=status.example.org'; section 5 | sed -n '/libapache2-mod-fcgid/,/check-config/p'; } >"$root/home/fcgid"
	[ "$(grep -c . "$root/home/fcgid")" = 13 ]
	on_machine bash /home/fcgid
	www=$(id -u www-data)
	[ "$(find "$root/var/lib/daymark" ! -uid "$www")" = "" ]
	line=$(crontab_line 5 '\* \* \* \* \*')
	[ -n "$line" ]
	from_cron www-data "$line"
	first_page www-data
	[ "$(find "$root/var/lib/daymark" ! -uid "$www")" = "" ]
}

@test "shared hosting: the bundle unpacks, finds its own configuration, and works with one database user" {
	local user=$root/home/user tree=$root/tree by='' plugins=/usr/lib/$(gcc -print-multiarch)/libmariadb3/plugin
	# Built in the source tree, as section 1 says: no option names the build.
	mkdir -p "$tree" "$user/cgi-bin"
	cp -r "$TOP/tools" "$TOP/conf" "$TOP/docs" "$TOP/COPYING" "$tree"
	cp -r "${DAYMARK_BUILD:-$TOP/build}"/{daymark,daymarkctl,daymark-check,sql,Makefile} "$tree"
	(cd "$user" && "$tree/tools/bundle")
	# The client library loads a plugin for the user's password, if the server has this method.
	mariadb --no-defaults -uroot -S "$root/run/mysqld/mysqld.sock" -e "INSTALL SONAME 'auth_ed25519'" &&
		by="VIA ed25519 USING PASSWORD('only-one')"
	mariadb --no-defaults -uroot -S "$root/run/mysqld/mysqld.sock" -e "CREATE DATABASE u1 CHARACTER SET utf8mb4;
		CREATE USER 'u1'@'localhost' IDENTIFIED ${by:-BY 'only-one'}; GRANT ALL ON u1.* TO 'u1'@'localhost'"
	chown -R nobody:nogroup "$user"
	# The host has none of the bundle's libraries.
	tar tzf "$user"/daymark-*.tar.gz | sed -n 's|.*/lib/\(.*\)|\1|p' >"$root/bundled"
	/sbin/ldconfig -p | awk 'NR == FNR { is_bundled[$1] = 1; next } $1 in is_bundled { print $NF }' "$root/bundled" - >"$root/hidden"
	[ "$(wc -l <"$root/hidden")" -gt 15 ]
	[ ! -d "$plugins" ] || find "$plugins" -type f >>"$root/hidden"
	section 8 | grep -vE '^(tools/bundle|\*)' >"$root/home/steps"
	[ "$(grep -c . "$root/home/steps")" = 21 ]
	{
		echo "set -eux; HOME=/home/user; cd /"
		# The message says what the guide says.
		sed -n '1,/^install -m 0600/p' "$root/home/steps"
		echo '! daymark/daymarkctl migrate 2>message'
		echo "grep 'remove migrate_user and migrate_password' message"
		sed -n '/^sed -i/p' "$root/home/steps"
		echo "sed -i -e 's/^name = .*/name = u1/' -e 's/^user = .*/user = u1/' -e 's/^password = .*/password = only-one/' daymark/daymark.conf"
		sed -n '/^sed -i/,/^ln -s/p' "$root/home/steps" | sed 1d
	} >"$root/home/all"
	on_machine setpriv --reuid=nobody --regid=nogroup --clear-groups bash /home/all
	refute grep -r 'status\.example\.org\|/home/user/daymark/daymark/' "$user/cgi-bin"
	# Also with configuration and pages in other folders: the process may still read the libraries.
	install -D -m 0600 -o nobody "$user/daymark/daymark.conf" "$user/etc/daymark.conf"
	install -d -o nobody "$user/etc/pages"
	sed -i 's|^dir = .*|dir = /home/user/etc/pages|' "$user/etc/daymark.conf"
	for folder in daymark etc; do
		on_machine setpriv --reuid=nobody --regid=nogroup --clear-groups env -i GATEWAY_INTERFACE=CGI/1.1 REQUEST_METHOD=GET \
			REQUEST_URI=/readyz HTTP_HOST=status.example.org DAYMARK_CONF="/home/user/$folder/daymark.conf" \
			/home/user/cgi-bin/daymark.cgi | grep '"state":"ready"'
	done
	line=$(crontab_line 8 '\* \* \* \* \*')
	[ -n "$line" ]
	from_cron nobody "export HOME=/home/user; $line"
	[ -d "$user/public_html/status/public/s" ] || [ -L "$user/public_html/status/public" ]
	# Another configuration wins, whichever way the web server hands it on.
	echo nonsense >"$user/other.conf"
	for name in DAYMARK_CONF REDIRECT_DAYMARK_CONF; do
		run on_machine env "$name=/home/user/other.conf" /home/user/daymark/daymarkctl check-config
		[ "$status" = 2 ]
		[[ "$output" == */home/user/other.conf:1:* ]]
	done
	# The steps of an upgrade keep configuration and pages. (mariadb-dump would need hidden libraries.)
	rm -r "$user/daymark/lib/daymarkctl" "$user/etc"
	{
		echo "set -eux; HOME=/home/user"
		sed '1,/^ln -s/d' "$root/home/steps" | sed -e '/ backup /d' -e '/^\*/d' -e 's/^rm -r/ls -d daymark\/daymark.conf daymark\/pages\/public; &/'
	} >"$root/home/upgrade"
	on_machine setpriv --reuid=nobody --regid=nogroup --clear-groups bash /home/upgrade
	[ -z "$(find "$user" -name 'daymark*' -o -name status)" ]
}
