# nginx with TLS, HTTP/2 and limits: conf/nginx/daymark-tls.conf.
# shellcheck shell=bash disable=SC2154,SC2034
# shellcheck source=tools/lib/service.sh
. "$top/tools/lib/service.sh"
label='nginx with TLS'
base=https://127.0.0.1:$port
tags+=(tls)
export CURL_CA_BUNDLE=$dir/tls/fullchain.pem
plain_port=$(free_port $((port + 3)))
export DAYMARK_ACCEPT_PLAIN=http://127.0.0.1:$plain_port

server_start() {
	local nginx
	nginx=$(find_nginx) || return 1
	command -v openssl >/dev/null || return 77
	mkdir -p "$dir/tls" "$dir/acme/.well-known/acme-challenge"
	echo token >"$dir/acme/.well-known/acme-challenge/token"
	openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=status.example.org \
		-addext 'subjectAltName=IP:127.0.0.1' -keyout "$dir/tls/privkey.pem" \
		-out "$dir/tls/fullchain.pem" 2>/dev/null || return 1
	service_copy_nginx "$dir" "$service" "$plain_port"
	forget_newest_kind "$dir/conf/nginx"
	sed -i "s|/var/www/acme|$dir/acme|" "$dir/conf/nginx/snippets/daymark-acme.conf"
	sed -i -e "s|listen 443 |listen 127.0.0.1:$port |" \
		-e "s|/etc/letsencrypt/live/status.example.org/|$dir/tls/|" "$dir/conf/nginx/daymark-tls.conf"
	service_run_nginx "$dir" "$nginx" "$dir/conf/nginx/daymark-tls.conf" || return 1
	ln -sf "$dir/run/nginx.pid" "$dir/server.pid"
}
