# Apache with mod_fcgid, which starts the program: conf/apache/daymark-fcgid.conf.
# shellcheck shell=bash disable=SC2154,SC2034
. "$top/tests/lib/servers/apache.bash"
label='Apache, mod_fcgid'

server_start() {
	local module
	module=$(find_program libapache2-mod-fcgid /usr/lib/apache2/modules/mod_fcgid.so) || return 77
	mkdir -p "$dir/libexec" "$dir/etc"
	cp "$programs/daymark" "$dir/libexec/daymark"
	sed -e '/^listen = /d' -e 's/^; processes = .*/processes = 1/' -e 's/^; threads = .*/threads = 1/' \
		"$service/conf/daymark.conf" >"$dir/etc/daymark.conf"
	export DAYMARK_ACCEPT_CONF=$dir/etc/daymark.conf
	give_all "$dir/etc"
	apache_site daymark-fcgid.conf -e "s|/usr/local/libexec/daymark|$dir/libexec|" \
		-e "s|/etc/daymark/daymark.conf|$dir/etc/daymark.conf|"
	mkdir -p "$dir/fcgid"
	[ -z "$web_user" ] || chown "$web_user" "$dir/fcgid"
	start_apache apache.conf.in \
		"LoadModule fcgid_module $module"$'\n'"FcgidIPCDir $dir/fcgid"$'\n'"FcgidProcessTableFile $dir/fcgid/table"
}
