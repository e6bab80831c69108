#!/usr/bin/env bash
# Rows of pages through nginx, beside nginx's own file of the same size. Sourced.

# A row's requests: $path below a page, $options of wrk and curl, the reference's folder.
measure_view() {
	if [ "$1" = file ]; then
		wrk_rate 16 "$seconds" "${options[@]}" "$(reference_url file)/$folder$file"
	else
		serves_view "$1" && wrk_rate 16 "$seconds" "${options_of[$1]}" "${options[@]}" "$(base_of "$1")$path"
	fi
}

# serves_view LABEL: whether the response looks like a file of the page, and is not the password form.
serves_view() {
	curl -fsS "${options[@]}" "${options_of[$1]}" -o "$work/body" "$(base_of "$1")$path" &&
		[ "$(wc -c <"$work/body")" -ge 150 ] && ! grep -aq 'type="password"' "$work/body" && return
	say "$1 does not serve $path"
	return 1
}

# view WHAT PATH FILE GOAL [OPTION]...: FILE is in the page's folder of the files that are public.
view() {
	local what=$1 path=$2 file=$3 goal=$4 label folder='' options=("${@:5}")
	local -A options_of
	[[ "${options[*]}" != *gzip* ]] || folder=packed/
	[ "${#options[@]}" -gt 0 ] || options=(-H 'X-None: 1')
	cp "$work/${labels[-1]}/pages/public/s/view-public/$file"* "$work/ref/files/"
	for label in "${labels[@]}"; do
		options_of[$label]="-HCookie: ${cookie[$label]:-none=1}"
	done
	in_rounds "$rounds" measure_view "${labels[@]}" file
	for label in "${labels[@]}"; do
		row "$what" "$label" /s "$(figure_of "$label" rate)" "nginx's file" "$(figure_of file rate)" "$goal"
	done
}

row_views() {
	local label
	local -A cookie
	with_seed views
	start_file_reference
	view "a page of 20 monitors" /s/view-public/ index.html '>=0.9x'
	view "  compressed" /s/view-public/ index.html '>=0.9x' -H 'Accept-Encoding: gzip'
	view "  its badge" /s/view-public/badge.svg badge.svg '>=0.9x'
	view "  its feed" /s/view-public/feed.atom feed.atom '>=0.9x'
	view "  its JSON" /s/view-public/summary.json summary.json '>=0.9x'
	view "a noindex page" /s/view-noindex/ index.html '>=0.9x'
	for label in "${labels[@]}"; do
		cookie[$label]=$(curl -fsS -o /dev/null -D - "$(base_of "$label")/s/view-password/" -d password=bench |
			sed -n 's/^Set-Cookie: \([^;]*\);.*/\1/p')
	done
	view "a page with a password, with its cookie" /s/view-password/ index.html '>=0.4x'
}
