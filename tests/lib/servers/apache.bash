# Apache with mod_proxy_fcgi: conf/apache/daymark.conf. Sourced by tests/accept/run-behind.
# shellcheck shell=bash disable=SC2154,SC2034
label='Apache, mod_proxy_fcgi'
# Requests that Apache cannot read belong to no section of the configuration.
export DAYMARK_ACCEPT_UNREAD=json

# start_apache CONF-IN MODULE-LINE: writes a private main file around the files in $dir.
start_apache() {
	local user=''
	[ -z "$web_user" ] || user="User $web_user"$'\n'"Group $web_group"
	[ -x /usr/sbin/apache2 ] || return 77
	awk -v dir="$dir" -v port="$port" -v user="$user" -v module="${2:-}" \
		'{ gsub(/@DIR@/, dir); gsub(/@PORT@/, port); gsub(/@USER@/, user); gsub(/@MODULE@/, module); print }' \
		"$top/tests/lib/$1" >"$dir/apache.conf"
	/usr/sbin/apache2 -d "$dir" -f "$dir/apache.conf"
}

# apache_site FILE [SED-ARGUMENT]...: a site of conf/apache with the paths and ports of this run.
apache_site() {
	local file=$1
	shift
	mkdir -p "$dir/htdocs"
	cp -r "$conf/apache/daymark" "$dir/daymark"
	sed -i "s|/etc/apache2/daymark/|$dir/daymark/|" "$dir/daymark/"*.conf
	sed -e "s|/var/lib/daymark/pages|$service/pages|" -e "s|/etc/apache2/daymark/|$dir/daymark/|" \
		-e "s|/var/log/apache2/access.log|$dir/apache-access.log|" \
		-e "s|VirtualHost \*:80|VirtualHost *:$port|" -e "s|ServerName status.example.org|ServerName 127.0.0.1|" \
		"$@" "$conf/apache/$file" >"$dir/site.conf"
}

server_start() {
	give_socket
	apache_site daymark.conf -e "s|/run/daymark/daymark.sock|$service/run/daymark.sock|"
	start_apache apache.conf.in
}
