# lighttpd: conf/lighttpd.
# shellcheck shell=bash disable=SC2154,SC2034
# lighttpd requires a length even without a body, and refuses bytes that are not UTF-8.
export DAYMARK_ACCEPT_STRICT=yes

server_start() {
	local program magnet user=''
	program=$(find_program lighttpd /usr/sbin/lighttpd) || return 77
	magnet=$(find_program lighttpd-modules-lua /usr/lib/lighttpd/mod_magnet.so) || return 77
	give_socket
	mkdir -p "$dir/modules"
	ln -sf "${program%/sbin/lighttpd}/lib/lighttpd/"*.so "$magnet" "$dir/modules/"
	sed -e "s|/var/lib/daymark/pages|$service/pages|" -e 's|"status.example.org"|"127.0.0.1"|' \
		"$conf/lighttpd/daymark.lua" >"$dir/daymark.lua"
	sed "s|/var/lib/daymark/pages|$service/pages|" "$conf/lighttpd/daymark-errors.lua" >"$dir/daymark-errors.lua"
	sed -e "s|/etc/lighttpd/|$dir/|" -e "s|/run/daymark/daymark.sock|$service/run/daymark.sock|" \
		"$conf/lighttpd/daymark.conf" >"$dir/site.conf"
	[ -z "$web_user" ] ||
		printf -v user 'server.username = "%s"\nserver.groupname = "%s"' "$web_user" "$web_group"
	# The access log as conf-available/10-accesslog.conf has it, which is read before the site.
	cat >"$dir/lighttpd.conf" <<END
server.modules += ( "mod_accesslog" )
accesslog.filename = "$dir/lighttpd-access.log"
server.bind = "127.0.0.1"
server.port = $port
server.document-root = "$dir/htdocs"
server.pid-file = "$dir/server.pid"
server.errorlog = "$dir/lighttpd-error.log"
$user
include "$dir/site.conf"
END
	mkdir -p "$dir/htdocs"
	: >"$dir/lighttpd-error.log" >"$dir/lighttpd-access.log"
	[ -z "$web_user" ] || chown "$web_user" "$dir"/lighttpd-*.log
	"$program" -f "$dir/lighttpd.conf" -m "$dir/modules"
}
