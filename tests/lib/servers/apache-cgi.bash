# Shared hosting: Apache with the program as plain CGI in cgi-bin, and conf/apache/htaccess in
# a sub-folder of the web.
# shellcheck shell=bash disable=SC2154,SC2034
. "$top/tests/lib/servers/apache.bash"
label='Apache, CGI'
base=http://127.0.0.1:$port/status
# The web server starts the program for each request.
tags+=(cgi htaccess)
export DAYMARK_ACCEPT_ERRORS=htaccess
# An .htaccess cannot change which parts of a request the host logs.
export DAYMARK_ACCEPT_LOGS_QUERIES=yes
export DAYMARK_ACCEPT_BASE=$base DAYMARK_ACCEPT_DOMAIN_BASE=http://127.0.0.1:$port

server_start() {
	local web=$dir/public_html/status
	mkdir -p "$dir/cgi-bin" "$web"
	cp "$programs/daymark" "$dir/cgi-bin/daymark.cgi"
	sed -e '/^listen = /d' "$service/conf/daymark.conf" >"$dir/daymark.conf"
	export DAYMARK_ACCEPT_CONF=$dir/daymark.conf
	ln -s "$service/pages/public" "$service/pages/noindex" "$web/"
	sed -e "s|/home/user/daymark/daymark.conf|$dir/daymark.conf|" -e "s|/home/user/|$dir/|" \
		-e "s|=status.example.org|=127.0.0.1:$port|" "$conf/apache/htaccess" >"$web/.htaccess"
	echo secret | tee "$web/daymark.conf" >"$web/setup.token"
	chmod 0600 "$dir/daymark.conf"
	give_all "$dir/daymark.conf"
	# The program also finds the configuration beside itself, where no rule names it.
	cp -p "$dir/daymark.conf" "$dir/cgi-bin/daymark.conf"
	start_apache apache-cgi.conf.in
}
