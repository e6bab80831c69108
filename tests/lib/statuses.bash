# The responses of a service so far, from its log.
# shellcheck shell=bash

# The method, route and status of each request in the log, once.
came() {
	grep -ahoE ' method=[A-Z]+ route=[^ ]+ status=[0-9]+ ' "$log" | tr -d '\r' |
		sed -E 's/ method=([A-Z]+) route=([^ ]+) status=([0-9]+) /\1 \2 \3/; s/^HEAD /GET /' | sort -u
}
