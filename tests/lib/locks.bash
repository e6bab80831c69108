# Keeps a lock of the pages folder, like a publisher that is slow or stopped.
# shellcheck shell=bash

# keep_locked -s|-x NAME: shares or locks a file of lock/ until unlock().
keep_locked() {
	exec 9>>"$pages/lock/$2"
	flock "$1" 9
}

unlock() {
	[ ! -e /proc/self/fd/9 ] || flock -u 9
	exec 9>&-
}
