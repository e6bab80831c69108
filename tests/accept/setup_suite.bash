# Starts the service that all files of this folder ask, once; ends it behind them.
# DAYMARK_ACCEPT_DIR names the folder of one that runs already.

setup_suite() {
	top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
	export TOP=$top
	# A test skips what is not there.
	export DAYMARK_NO_DOWNLOAD=yes
	# Monitors have the states that tests give them.
	export DAYMARK_NO_CHECKER=yes
	if [ -z "${DAYMARK_ACCEPT_DIR:-}" ]; then
		DAYMARK_ACCEPT_DIR=$(mktemp -d /tmp/daymark-accept-XXXXXX)
		OWN_SERVICE=yes
		# In a zone of no whole hours, with which any slip into local time shows.
		env 'TZ=<+0545>-5:45' "$top/tools/quickstart" --background --no-build --extra "$top/tests/lib/unlimited.conf" \
			--port "$(. "$top/tools/lib/common.sh" && free_port 18480)" --dir "$DAYMARK_ACCEPT_DIR" 3>&- >&2 || return 1
	fi
	export DAYMARK_ACCEPT_DIR OWN_SERVICE
}

teardown_suite() {
	if [ -n "${OWN_SERVICE:-}" ]; then
		"$TOP/tools/quickstart" --stop --dir "$DAYMARK_ACCEPT_DIR" >&2
		rm -rf "$DAYMARK_ACCEPT_DIR"
	fi
}
