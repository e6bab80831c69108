# The examples of docs/MONITORING.md, as they stand.
load lib
bats_require_minimum_version 1.5.0

list=/api/v1/incidents

new_monitor() {
	add_monitor "Example $(new_slug)" https://example.org/
}

# The examples expect the programs on the path, the address and the key where their comments say.
setup() {
	setup_of_lib
	export PATH="$TOP/conf/hooks:$(dirname "$ctl"):$PATH"
	export DAYMARK_URL=$base DAYMARK_KEY_FILE=$BATS_TEST_TMPDIR/key
	printf '%s\n' "$key" >"$DAYMARK_KEY_FILE"
}

total() {
	api GET "$list?monitor_id=$monitor&status=$1"
	[ "$(jq .meta.total "$answer")" = "$2" ]
}

@test "daymark-report reports down and up" {
	new_monitor
	daymark-report "$monitor" down 'HTTP "timeout" & more'
	total unresolved 1
	[ "$(jq -r '.data[0].cause' "$answer")" = 'HTTP "timeout" & more' ]
	sleep 1.1
	daymark-report "$monitor" up
	total resolved 1
	run daymark-report
	[ "$status" = 2 ]
	run daymark-report 999999999 down
	[ "$status" = 1 ]
}

@test "daymark-report takes the states of Nagios and Icinga, and refuses others" {
	new_monitor
	for row in 'CRITICAL unresolved' 'warning resolved' 'Down unresolved' 'UP resolved' 'UNREACHABLE unresolved' \
		'Unknown unresolved' 'PENDING resolved'; do
		read -r state wanted <<<"$row"
		daymark-report "$monitor" "$state" Because
		api GET "$list?monitor_id=$monitor&status=unresolved"
		[ "$(jq .meta.total "$answer")" = "$([ "$wanted" = unresolved ] && echo 1 || echo 0)" ]
		sleep 1.1
	done
	run daymark-report "$monitor" broken
	[ "$status" = 2 ]
	[[ "$output" == *'"broken" is not a state'* ]]
	run env -u DAYMARK_URL daymark-report "$monitor" down
	[ "$status" = 2 ]
	[[ "$output" == *'DAYMARK_URL is not set'* ]]
	daymark-report --help | grep -q '^Usage: daymark-report MONITOR STATE'
	daymark-probe --help | grep -q '^Usage: daymark-probe'
}

# Takes `unresolved` or `resolved`: what the newest incident of the monitor becomes, in time.
becomes() {
	wait_until 60 newest_is "$1" "$2" || { api GET "$list?monitor_id=$1"; cat "$answer" "$BATS_TEST_TMPDIR"/*.log; return 1; }
}

newest_is() {
	api GET "$list?monitor_id=$1&sort_by=started_at&per_page=10"
	[ "$(jq -r '.data[0].status' "$answer")" = "$2" ]
}

# The states that monitoring goes through: what Nagios and Icinga 2 share is the way in.
# report_states COMMAND-FILE HOST-MONITOR SERVICE-MONITOR
report_states() {
	local pipe=$1 host_monitor=$2 service_monitor=$3 row state wanted
	for row in '2 unresolved' '1 resolved' '2 unresolved' '3 unresolved' '0 resolved'; do
		read -r state wanted <<<"$row"
		sleep 1.1
		echo "[$(date +%s)] PROCESS_SERVICE_CHECK_RESULT;db1;HTTP;$state;Connection refused; it's \"\$(id)\" \`id\`" >"$pipe"
		becomes "$service_monitor" "$wanted"
	done
	[[ "$(jq -r '.data[0].cause' "$answer")" == 'HTTP: Connection refused'* ]]
	refute jq -e '.data[].cause | contains("uid=")' "$answer"
	for row in '1 unresolved' '0 resolved'; do
		read -r state wanted <<<"$row"
		sleep 1.1
		echo "[$(date +%s)] PROCESS_HOST_CHECK_RESULT;db1;$state;no ping" >"$pipe"
		becomes "$host_monitor" "$wanted"
	done
	[ "$(jq -r '.data[0].cause' "$answer")" = 'db1: no ping' ]
}

# The example with the paths of this machine.
own_paths() {
	sed -e "s|https://status.example.org|$base|; s|/etc/nagios4/daymark.key|$DAYMARK_KEY_FILE|; s|/etc/icinga2/daymark.key|$DAYMARK_KEY_FILE|" \
		-e "s|/usr/local/bin/daymark-report|$TOP/conf/hooks/daymark-report|" "$TOP/conf/hooks/$1"
}

# start_nagios FLAPPING: starts Nagios with Debian's nagios.cfg, in which flapping is detected (1), and with our example where MONITORING.md
# says. Results of checks come by the command file; localhost.cfg would run plugins.
start_nagios() {
	local nagios settings
	top=$TOP
	. "$TOP/tools/lib/common.sh"
	nagios=$(find_nagios 2>/dev/null) && settings=$(find_test_program nagios4-common 2>/dev/null) || skip "Nagios is not installed"
	cd "$BATS_TEST_TMPDIR"
	mkdir -p spool/checkresults archives rw plugins
	cp -r "${settings%/objects/*}" etc
	own_paths nagios.cfg >etc/conf.d/daymark.cfg
	nagios_objects >etc/conf.d/objects.cfg
	sed -i -e '/localhost.cfg/d' -e "s|/etc/nagios-plugins/config|$PWD/plugins|; s|/etc/nagios4|$PWD/etc|" \
		-Ee "s#/var/(log|lib|run)/nagios4#$PWD#" -e "s|=/tmp$|=$PWD|" -e 's/^use_syslog=1/use_syslog=0/; s/^check_for_updates=1/check_for_updates=0/' \
		-e "s/^nagios_user=.*/nagios_user=$(id -un)/; s/^nagios_group=.*/nagios_group=$(id -gn)/" etc/nagios.cfg
	sed -i "s/^enable_flap_detection=.*/enable_flap_detection=$1/" etc/nagios.cfg
	echo "query_socket=$PWD/query.sock" >>etc/nagios.cfg
	"$nagios" -v etc/nagios.cfg >verified.log || cat verified.log
	grep 'Total Errors: *0' verified.log
	"$nagios" etc/nagios.cfg >stdout.log 2>&1 3>&- &
	process=$!
	wait_until 60 test -p rw/nagios.cmd
}

# A host and its service as MONITORING.md has them, with the options in the comment of nagios.cfg.
nagios_objects() {
	local host_options service_options
	host_options=$(sed -n 's/^#   define host .*\(notification_options [a-z,]*\).*/\1/p' "$TOP/conf/hooks/nagios.cfg")
	service_options=$(sed -n 's/^#   define service .*\(notification_options [a-z,]*\).*/\1/p' "$TOP/conf/hooks/nagios.cfg")
	new_monitor && host_monitor=$monitor
	new_monitor
	cat <<-END
		define command {
			command_name nothing
			command_line /bin/true
		}
		define host {
			use generic-host
			host_name db1
			address 127.0.0.1
			check_command nothing
			active_checks_enabled 0
			max_check_attempts 1
			contacts daymark
			$host_options
			_DAYMARK $host_monitor
		}
		define service {
			use generic-service
			host_name db1
			service_description HTTP
			check_command nothing
			active_checks_enabled 0
			max_check_attempts 1
			contacts daymark
			contact_groups null
			$service_options
			_DAYMARK $monitor
		}
	END
}

# nagios_state WHAT STATE: the result of a check, of WHAT = host or service.
nagios_state() {
	local name=PROCESS_SERVICE_CHECK_RESULT object='db1;HTTP'
	[ "$1" = service ] || { name=PROCESS_HOST_CHECK_RESULT object=db1; }
	echo "[$(date +%s)] $name;$object;$2;result" >rw/nagios.cmd
}

# has_logged PATTERN: nagios.log has it; shows the log if it does not come.
has_logged() {
	wait_until 30 grep -qE "$1" nagios.log || { cat nagios.log; return 1; }
}

# flaps_and_settles WHAT BAD MONITOR: the object fails and recovers until Nagios takes it for flapping, and then stays
# in the state that was not reported last. Nagios suppresses what it would report while an object flaps.
flaps_and_settles() {
	local i state=$2 last wanted
	: >nagios.log
	for i in {1..24}; do
		nagios_state "$1" "$state"
		sleep 1.1
		if grep -q ' FLAPPING ALERT: .*STARTED' nagios.log; then break; fi
		state=$(($2 - state))
	done
	has_logged ' FLAPPING ALERT: .*STARTED'
	sleep 1.1
	api GET "$list?monitor_id=$3&sort_by=started_at&per_page=10"
	last=$(jq -r '.data[0].status' "$answer")
	if [ "$last" = resolved ]; then state=$2 wanted=unresolved; else state=0 wanted=resolved; fi
	for i in {1..30}; do nagios_state "$1" "$state"; done
	has_logged ' FLAPPING ALERT: .*STOPPED'
	becomes "$3" "$wanted"
}

@test "Nagios itself reports through the example: CRITICAL, WARNING, UNKNOWN, OK, DOWN, UP" {
	start_nagios 0
	report_states "$PWD/rw/nagios.cmd" "$host_monitor" "$monitor"
}

@test "Nagios: what a service and a host are when they stop flapping is reported" {
	start_nagios 1
	flaps_and_settles service 2 "$monitor"
	flaps_and_settles service 2 "$monitor"
	flaps_and_settles host 1 "$host_monitor"
}

@test "Nagios: an outage that outlives a downtime is reported, and a downtime's end reports no other" {
	start_nagios 1
	# During a downtime Nagios reports nothing.
	now=$(date +%s)
	echo "[$now] SCHEDULE_SVC_DOWNTIME;db1;HTTP;$now;$((now + 5));1;0;5;admin;Upgrade" >rw/nagios.cmd
	has_logged 'SERVICE DOWNTIME ALERT: .*STARTED'
	sleep 1.1
	nagios_state service 2
	has_logged 'SERVICE ALERT: db1;HTTP;CRITICAL'
	api GET "$list?monitor_id=$monitor"
	[ "$(jq .meta.total "$answer")" = 0 ]
	has_logged 'SERVICE DOWNTIME ALERT: .*STOPPED'
	becomes "$monitor" unresolved
	now=$(date +%s)
	echo "[$now] SCHEDULE_SVC_DOWNTIME;db1;HTTP;$now;$((now + 4));1;0;4;admin;Upgrade" >rw/nagios.cmd
	sleep 1.1
	nagios_state service 0
	becomes "$monitor" resolved
	total resolved 1
}

@test "Icinga 2 itself reports through the example: CRITICAL, WARNING, UNKNOWN, OK, DOWN, UP" {
	top=$TOP
	. "$TOP/tools/lib/common.sh"
	icinga=$(find_icinga 2>/dev/null) && library=$(find_icinga_library 2>/dev/null) || skip "Icinga 2 is not installed"
	new_monitor && host_monitor=$monitor
	new_monitor
	cd "$BATS_TEST_TMPDIR"
	mkdir data log cache run spool
	own_paths icinga2.conf >daymark.conf
	cat >icinga2.conf <<-END
		include <itl>
		object IcingaApplication "app" { }
		object CheckerComponent "checker" { }
		object NotificationComponent "notification" { }
		object ExternalCommandListener "command" { command_path = "$PWD/command" }
		object User "icingaadmin" { }
		object Host "db1" {
		  check_command = "dummy"
		  enable_active_checks = false
		  max_check_attempts = 1
		  vars.daymark = "$host_monitor"
		}
		object Service "HTTP" {
		  host_name = "db1"
		  check_command = "dummy"
		  enable_active_checks = false
		  max_check_attempts = 1
		  vars.daymark = "$monitor"
		}
		include "$PWD/daymark.conf"
	END
	"$icinga" daemon -c "$PWD/icinga2.conf" -I "$library" -D "DataDir=$PWD/data" -D "LogDir=$PWD/log" \
		-D "CacheDir=$PWD/cache" -D "InitRunDir=$PWD/run" -D "SpoolDir=$PWD/spool" -D NodeName=test \
		-D "RunAsUser=$(id -un)" -D "RunAsGroup=$(id -gn)" >stdout.log 2>&1 3>&- &
	process=$!
	wait_until 60 test -p command
	report_states "$PWD/command" "$host_monitor" "$monitor"
}

@test "Icinga 2: Debian's own configuration takes the example" {
	top=$TOP
	. "$TOP/tools/lib/common.sh"
	icinga=$(find_icinga 2>/dev/null) && library=$(find_icinga_library 2>/dev/null) || skip "Icinga 2 is not installed"
	[ -d "${library%/usr/*}/etc/icinga2/conf.d" ] || skip "Icinga 2 is installed, with a configuration of its own"
	cd "$BATS_TEST_TMPDIR"
	mkdir data log cache run spool
	cp -r "${library%/usr/*}/etc/icinga2" etc
	own_paths icinga2.conf >etc/conf.d/daymark.conf
	printf '%s\n' 'object Host "web" { import "generic-host"; vars.daymark = "7" }' \
		'object Service "HTTP" { import "generic-service"; host_name = "web"; check_command = "dummy"; vars.daymark = "8" }' >etc/conf.d/web.conf
	"$icinga" daemon -C -c "$PWD/etc/icinga2.conf" -I "$library" -D "ConfigDir=$PWD/etc" -D "DataDir=$PWD/data" \
		-D "LogDir=$PWD/log" -D "CacheDir=$PWD/cache" -D "InitRunDir=$PWD/run" -D "SpoolDir=$PWD/spool" -D NodeName=test \
		-D "RunAsUser=$(id -un)" -D "RunAsGroup=$(id -gn)" >checked.log 2>&1 || { cat checked.log; return 1; }
	grep -F 'Finished validating the configuration file' checked.log
	grep 'Instantiated [0-9]* Notifications\?' checked.log
}

teardown() {
	[ -z "${process:-}" ] || kill "$process"
}

@test "daymark-probe opens when a URL fails and resolves when it answers" {
	new_monitor
	run daymark-probe "$monitor" "$base/nothing-here"
	[ "$status" = 1 ]
	total unresolved 1
	jq -e '.data[0].cause | contains("404")' "$answer"
	run daymark-probe "$monitor" "$base/nothing-here"
	[ "$status" = 1 ]
	daymark-probe "$monitor" "$base/healthz"
	total resolved 1
	daymark-probe "$monitor" "$base/healthz"
	run daymark-probe x
	[ "$status" = 2 ]
}

@test "daymark-probe runs in cron's environment, and says what is wrong while the target is up" {
	unshare -rm true 2>/dev/null || skip "no folder may be mounted here"
	new_monitor
	mkdir "$BATS_TEST_TMPDIR/bin"
	ln -s "$(realpath "$ctl")" "$TOP/conf/hooks/daymark-probe" "$BATS_TEST_TMPDIR/bin/"
	line=$(sed -n 's|.*daymark \(/usr/local/bin/daymark-probe .*\)|\1|p' "$TOP/conf/hooks/daymark-probe" |
		sed "s|7 https://www.example.org/|$monitor $base/nothing-here|")
	[ -n "$line" ]
	# As crontab(5) says: what a job of /etc/cron.d has.
	cron=(env -i HOME=/ LOGNAME="$(id -un)" SHELL=/bin/sh PATH=/usr/bin:/bin "DAYMARK_CONF=$conf"
		unshare -rm sh -c 'mount --bind "$0" /usr/local/bin && exec sh -c "$1"' "$BATS_TEST_TMPDIR/bin")
	run "${cron[@]}" "$line"
	[ "$status" = 1 ]
	total unresolved 1
	"${cron[@]}" "${line/nothing-here/healthz}"
	total resolved 1
	# Nothing is open, and that is no mistake; a wrong number and a missing program are.
	"${cron[@]}" "${line/nothing-here/healthz}"
	run "${cron[@]}" "/usr/local/bin/daymark-probe 999999999 $base/healthz"
	[ "$status" = 3 ]
	[[ "$output" == *'there is no monitor 999999999'* ]]
	rm "$BATS_TEST_TMPDIR/bin/daymarkctl"
	run -127 "${cron[@]}" "${line/nothing-here/healthz}"
	[[ "$output" == *'daymarkctl is not in '* ]]
}
