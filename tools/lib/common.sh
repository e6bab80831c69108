# Functions of tools/quickstart and tools/check. Sourced by bash; needs $top.
# shellcheck shell=bash

# An ordinary user's PATH lacks the folders of mariadbd and others.
PATH=$PATH:/usr/sbin:/sbin

say() {
	printf '%s\n' "$*" >&2
}

fail() {
	printf '%s: %s\n' "${0##*/}" "$*" >&2
	exit 1
}

# step WHAT COMMAND...: runs the command with its output in the log; on failure shows the end of the log.
step() {
	local what=$1 log=${step_log:-/dev/null} began=$SECONDS
	shift
	printf '%s... ' "$what" >&2
	if "$@" >>"$log" 2>&1; then
		printf 'done (%d s)\n' $((SECONDS - began)) >&2
		return 0
	fi
	printf 'FAILED\n' >&2
	tail -n 30 "$log" >&2
	say "The whole log: $log"
	return 1
}

as_root() {
	if [ "$(id -u)" -eq 0 ]; then
		"$@"
	else
		sudo "$@"
	fi
}

# Call it before as_root in a step: in the step, sudo's question would go to the log.
need_root_for() {
	[ "$(id -u)" -eq 0 ] && return
	command -v sudo >/dev/null || fail "$1: run this as root, or install sudo"
	# Without a question, if no password is needed: `sudo -v` asks for the password of a user whom only one of
	# several rules exempts, as on cloud images. Else it asks while the terminal can show the question.
	sudo -n true 2>/dev/null || sudo -v || fail "$1: run this as root, or as a user who may use sudo"
}

packages_of() {
	awk -v kinds=" $* " '!/^#/ && index(kinds, " " $1 " ") { print $2, $3 }' "$top/tools/packages"
}

apt_update_once() {
	[ -n "${apt_is_updated:-}" ] && return
	need_root_for "the package lists must be read"
	step "Reading the package lists" as_root apt-get update
	apt_is_updated=yes
}

# install_packages KIND...: installs missing packages; needs root only if a package is missing.
install_packages() {
	local package command unknown=() installed missing=()
	command -v dpkg-query >/dev/null || fail "this program needs Debian 12, or another system with apt"
	while read -r package command; do
		if [ -z "$command" ] || ! command -v "$command" >/dev/null; then unknown+=("$package"); fi
	done < <(packages_of "$@")
	[ "${#unknown[@]}" -gt 0 ] || return 0
	installed=$(dpkg-query -W -f='${Package} ${db:Status-Status}\n' "${unknown[@]}" 2>/dev/null)
	for package in "${unknown[@]}"; do
		[[ $'\n'$installed$'\n' == *$'\n'"$package installed"$'\n'* ]] || missing+=("$package")
	done
	[ "${#missing[@]}" -gt 0 ] || return 0
	need_root_for "packages are missing (${missing[*]})"
	apt_update_once
	step "Installing ${#missing[@]} packages (${missing[*]})" \
		as_root env DEBIAN_FRONTEND=noninteractive \
		apt-get install -y --no-install-recommends "${missing[@]}" ||
		fail "cannot install the packages; run apt-get install ${missing[*]} to see why"
}

# unpack_packages PACKAGE...: each into its folder of .tools/, since installing it would start a service. One
# download for all of them: apt-get reads its lists each time.
unpack_packages() {
	local scratch file package
	scratch=$(mktemp -d)
	chmod 0755 "$scratch"
	(cd "$scratch" && apt-get download "$@") &&
		for file in "$scratch"/*.deb; do
			package=${file##*/}
			mkdir -p "$top/.tools/${package%%_*}" && dpkg -x "$file" "$top/.tools/${package%%_*}" || break
		done
	local status=$?
	rm -rf "$scratch"
	return $status
}

# has_program PACKAGE PATH: prints the path of a program or module, if there is one: the machine's own, or
# one in .tools/.
has_program() {
	local package=$1 path=$2 candidate
	for candidate in "$(command -v "${path##*/}")" "$path" "$top/.tools/$package$path"; do
		if [ -f "$candidate" ]; then
			printf '%s\n' "$candidate"
			return
		fi
	done
	return 1
}

# find_program PACKAGE PATH: prints the path of a program or module, and unpacks it if it is missing.
find_program() {
	local package=$1 path=$2
	has_program "$package" "$path" && return
	[ -z "${DAYMARK_NO_DOWNLOAD:-}" ] || fail "$package is not installed"
	apt_update_once
	step "Unpacking $package into .tools/" unpack_packages "$package" ||
		fail "cannot download the package $package"
	printf '%s\n' "$top/.tools/$package$path"
}

find_nginx() {
	find_program nginx /usr/sbin/nginx
}

# What tests use of packages. Icinga's /usr/sbin/icinga2 is a script with the paths of an installed package.
test_programs() {
	cat <<-END
		prometheus /usr/bin/promtool
		prometheus-alertmanager /usr/bin/prometheus-alertmanager
		nagios4-core /usr/sbin/nagios4
		nagios4-common /etc/nagios4/objects/templates.cfg
		icinga2-bin /usr/lib/$(gcc -print-multiarch)/icinga2/sbin/icinga2
		icinga2-common /usr/share/icinga2/include/itl
		nginx-common /etc/nginx/nginx.conf
		apache2 /etc/apache2/apache2.conf
		libapache2-mod-fcgid /usr/lib/apache2/modules/mod_fcgid.so
		libapache2-mod-auth-openidc /usr/lib/apache2/modules/mod_auth_openidc.so
		lighttpd /usr/sbin/lighttpd
		lighttpd-modules-lua /usr/lib/lighttpd/mod_magnet.so
		caddy /usr/bin/caddy
		galera-4 /usr/lib/galera/libgalera_smm.so
		logrotate /usr/sbin/logrotate
		sudo /usr/bin/sudo
		exim4-daemon-light /usr/sbin/exim4
	END
}

# find_test_program PACKAGE: the same as find_program for one of those.
find_test_program() {
	find_program "$1" "$(test_programs | sed -n "s/^$1 //p")"
}

find_alertmanager() {
	find_test_program prometheus-alertmanager
}

find_nagios() {
	find_test_program nagios4-core
}

find_icinga() {
	find_test_program icinga2-bin
}

# The folder of Icinga's template library.
find_icinga_library() {
	dirname "$(find_test_program icinga2-common)"
}

# Unpacks the packages of which tests use files. Call it before the tests: no test downloads.
find_test_programs() {
	local package path missing=()
	while read -r package path; do
		has_program "$package" "$path" >/dev/null || missing+=("$package")
	done < <(test_programs)
	[ "${#missing[@]}" -gt 0 ] || return 0
	apt_update_once
	step "Unpacking ${#missing[@]} packages into .tools/ (${missing[*]})" unpack_packages "${missing[@]}" ||
		fail "cannot download the packages"
}

fetch_page_tools() {
	rm -rf "$top/.tools/page"
	mkdir -p "$top/.tools/page"
	cp "$top/tests/page/package.json" "$top/.tools/page/" || return 1
	(cd "$top/.tools/page" && npm install --ignore-scripts --no-package-lock --no-audit --no-fund) &&
		cp "$top/tests/page/package.json" "$top/.tools/page/fetched.json"
}

# Whether .tools/page has the npm packages of the browser tests.
have_page_tools() {
	cmp -s "$top/tests/page/package.json" "$top/.tools/page/fetched.json"
}

# Fetches the npm packages of the browser tests into .tools/page, once.
find_page_tools() {
	have_page_tools ||
		step "Fetching the npm packages of the browser tests into .tools/page" fetch_page_tools ||
		fail "npm cannot fetch the packages in tests/page/package.json"
}

# check_path WHAT DIR: make and the paths of sockets in configuration files take no path with a space.
check_path() {
	[[ $2 != *[[:space:]]* ]] || fail "the path of $1 contains a space: $2; choose a path without spaces"
}

# configured_build DIR OPTION...: configures DIR if needed, then builds. First what the array build_first names, with
# its variables, if the caller has set it.
configured_build() {
	local dir=$1
	shift
	if [ ! -x "$top/configure" ] || [ "$top/configure.ac" -nt "$top/configure" ] ||
		[ "$top/Makefile.am" -nt "$top/configure" ] ||
		! "$top/tools/list-tests" | cmp -s - "$top/tests/programs.am"; then
		"$top/autogen.sh" || return 1
	fi
	mkdir -p "$dir"
	if [ ! -f "$dir/Makefile" ] || [ "$top/configure" -nt "$dir/Makefile" ]; then
		if [ "$dir" != "$top" ] && [ -f "$top/config.status" ]; then
			say "$top was built in place, and takes no second build. Use that build, with DAYMARK_BUILD=$top, or run make distclean in $top."
			return 1
		fi
		# Objects built by other rules may lack the list of the headers that they depend on.
		[ ! -f "$dir/Makefile" ] || make -s -C "$dir" clean || return 1
		# dash, where it is /bin/sh, starts in half of bash's time, which configure would choose for make.
		(cd "$dir" && CONFIG_SHELL=/bin/sh "$top/configure" --quiet "$@") || return 1
	fi
	[ -z "${build_first[*]:-}" ] || make -C "$dir" -j"$(nproc)" "${build_first[@]}" || return 1
	make -C "$dir" -j"$(nproc)"
}

# is_ours PID TEXT: the process runs and its command line contains TEXT, since pids are reused.
is_ours() {
	[ -n "$1" ] && [ -r "/proc/$1/cmdline" ] && tr '\0' ' ' <"/proc/$1/cmdline" | grep -qF -- "$2"
}

# wait_until SECONDS COMMAND...
wait_until() {
	local deadline=$((SECONDS + $1))
	shift
	until "$@" >/dev/null 2>&1; do
		[ "$SECONDS" -lt "$deadline" ] || return 1
		sleep 0.05
	done
}

# stop_process PIDFILE TEXT SIGNAL: ends the process if is_ours, after 35 seconds with SIGKILL.
stop_process() {
	local pid
	pid=$(cat "$1" 2>/dev/null) || return 0
	if is_ours "$pid" "$2"; then
		kill -s "$3" "$pid" 2>/dev/null
		wait_until 35 process_is_gone "$pid" || kill -s KILL "$pid" 2>/dev/null
		wait_until 5 process_is_gone "$pid" || say "process $pid does not stop"
	fi
	rm -f "$1"
}

process_is_gone() {
	[ ! -e "/proc/$1" ] || grep -q '^State:.Z' "/proc/$1/status" 2>/dev/null
}

port_is_free() {
	! (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null
}

# free_port FROM: prints the first free port from FROM that is not reserved, and reserves it: the caller may not
# listen on it yet. For a minute; $DAYMARK_PORT_RESERVED_S seconds for tests, whose services stop and start again
# on their port.
free_port() {
	# One folder for all checkouts of this user, which may run tests at the same time.
	local port=$1 given inner outer now ends
	# A user namespace has another $UID for the same user, such as 0.
	read -r inner outer _ </proc/self/uid_map
	given=/tmp/daymark-ports-$((UID - inner + outer))
	mkdir -p "$given"
	[ -O "$given" ] || fail "$given belongs to another user"
	exec 8>"$given/lock"
	flock 8
	printf -v now '%(%s)T' -1
	while :; do
		ends=0
		{ read -r ends <"$given/$port"; } 2>/dev/null
		# A time far ahead was set before the clock was set back.
		[ "$((ends <= now || ends > now + 7200))" = 1 ] && port_is_free "$port" && break
		port=$((port + 1))
	done
	echo $((now + ${DAYMARK_PORT_RESERVED_S:-60})) >"$given/$port"
	exec 8>&-
	printf '%s\n' "$port"
}
