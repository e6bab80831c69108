# A real mail server for tests: Exim as an ordinary process of the user, with all its files in one folder.
# shellcheck shell=bash

# exim_start FOLDER PORT CERTIFICATE KEY: starts it, and sets $exim. It takes mail for example.org after STARTTLS:
# that for ops, and for status and addresses such as status+x, becomes files of FOLDER/mail/new. Any other
# address gets a report of delivery, as a server behind the first one would send it.
exim_start() {
	local folder=$1 around=() uid=$UID
	mkdir -p "$folder"/{spool,log,mail}
	# Without the rights of an installed one.
	cp "$(top=$TOP && . "$TOP/tools/lib/common.sh" && find_test_program exim4-daemon-light)" "$folder/exim4" || return 1
	# Exim as root would change to a user who may not enter the folder: root is the owner of a user namespace
	# that calls it by another number.
	if [ "$UID" = 0 ]; then
		uid=1000
		around=(unshare -U "--map-user=$uid" "--map-group=$uid")
	fi
	# The name is compiled in.
	echo "Debian-exim:x:$uid:$uid::$folder:/bin/false" >"$folder/passwd"
	echo "Debian-exim:x:$uid:" >"$folder/group"
	cat >"$folder/exim.conf" <<-END
		exim_path = $folder/exim4
		spool_directory = $folder/spool
		log_file_path = $folder/log/%slog
		pid_file_path = $folder/pid
		keep_environment = LD_PRELOAD : NSS_WRAPPER_PASSWD : NSS_WRAPPER_GROUP
		primary_hostname = mx.example.org
		local_interfaces = 127.0.0.1
		daemon_smtp_ports = $2
		tls_certificate = $3
		tls_privatekey = $4
		acl_smtp_rcpt = rcpt
		deliver_drop_privilege
		begin acl
		rcpt:
		  deny ! encrypted = *
		  accept
		begin routers
		box:
		  driver = accept
		  domains = example.org
		  local_parts = ops : status
		  local_part_suffix = +*
		  local_part_suffix_optional
		  transport = box
		begin transports
		box:
		  driver = appendfile
		  maildir_format
		  directory = $folder/mail
		  envelope_to_add
		  return_path_add
	END
	LD_PRELOAD=libnss_wrapper.so NSS_WRAPPER_PASSWD=$folder/passwd NSS_WRAPPER_GROUP=$folder/group \
		"${around[@]}" "$folder/exim4" -C "$folder/exim.conf" -bdf >"$folder/log/out" 2>&1 3>&- &
	exim=$!
	disown
	soon bash -c "exec 9<>/dev/tcp/127.0.0.1/$2"
}
