# Caddy: conf/caddy/Caddyfile, by plain HTTP, since no authority here issues certificates.
# shellcheck shell=bash disable=SC2154,SC2034
# Go's library itself refuses requests that it cannot read, in plain text.
export DAYMARK_ACCEPT_ERRORS=text

server_start() {
	local program as=()
	program=$(find_program caddy /usr/bin/caddy) || return 77
	"$program" adapt --config "$top/conf/caddy/Caddyfile" >/dev/null || return 1
	give_socket
	sed -e "s|/var/lib/daymark/pages|$service/pages|" -e "s|/run/daymark/daymark.sock|$service/run/daymark.sock|" \
		-e "s|^status.example.org |http://127.0.0.1:$port |" -e "s|^https:// |http://:$port |" \
		-e '/^	tls {$/,/^	}$/d' -e '/^	on_demand_tls {$/,/^	}$/d' \
		-e "s|127.0.0.1:8088|127.0.0.1:$(free_port $((port + 2)))|" \
		-e "1,/^{\$/s|^{\$|{\n\tadmin off\n\tdefault_bind 127.0.0.1|" \
		-e 's|^	import daymark_\(domain_\)*errors$|&\n\tlog|' \
		"$conf/caddy/Caddyfile" >"$dir/Caddyfile"
	mkdir -p "$dir/home"
	chmod 0755 "$service/pages"
	if [ -n "$web_user" ]; then
		chown "$web_user" "$dir/home"
		as=(setpriv --reuid="$web_user" --regid="$web_group" --clear-groups)
	fi
	HOME=$dir/home XDG_DATA_HOME=$dir/home XDG_CONFIG_HOME=$dir/home "${as[@]}" \
		"$program" run --config "$dir/Caddyfile" --adapter caddyfile >"$dir/caddy-error.log" 2>&1 </dev/null &
	echo $! >"$dir/server.pid"
}
