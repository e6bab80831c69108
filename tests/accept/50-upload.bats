load lib

list=/api/v1/status-pages

# file_of URL: the file on disk behind a logo_url or favicon_url of a public page.
file_of() {
	printf '%s/public/s/%s' "$pages" "${1##*/s/}"
}

fetch() {
	status=$(curl -sS -o "$answer" -D "$BATS_TEST_TMPDIR/headers" -w '%{http_code}' "$1")
	headers=$BATS_TEST_TMPDIR/headers
}

setup_file() {
	dd if=/dev/zero of="$BATS_FILE_TMPDIR/zeros" bs=1M count=3 status=none
}

# bats test_tags=server
@test "a logo is on disk and served with its type, for ever" {
	png 8 8 >"$BATS_TEST_TMPDIR/x"
	new_page -F "logo=@$BATS_TEST_TMPDIR/x;filename=../../evil.php;type=text/html"
	url=$(jq -r .data.logo_url "$answer")
	[[ "$url" =~ ^$base/s/$slug/logo-[0-9a-f]{16}\.png$ ]]
	cmp "$(file_of "$url")" "$BATS_TEST_TMPDIR/x"
	fetch "$url"
	[ "$status" = 200 ]
	cmp "$answer" "$BATS_TEST_TMPDIR/x"
	[ "$(header Content-Type)" = image/png ]
	[ "$(header X-Content-Type-Options)" = nosniff ]
	[ "$(header Cache-Control)" = "public, max-age=31536000, immutable" ]
	[ -z "$(find "$dir" -name '*evil*')" ]
}

@test "a new picture replaces the old one, whose file goes with the last picture" {
	png 8 8 >"$BATS_TEST_TMPDIR/a"
	png 9 9 >"$BATS_TEST_TMPDIR/b"
	new_page -F "logo=@$BATS_TEST_TMPDIR/a" -F "favicon=@$BATS_TEST_TMPDIR/a"
	old=$(jq -r .data.logo_url "$answer") icon=$(jq -r .data.favicon_url "$answer")
	api PUT "$list/$page" -F "logo=@$BATS_TEST_TMPDIR/b"
	want 200 ".data.favicon_url == \"$icon\""
	new=$(jq -r .data.logo_url "$answer")
	[ "$new" != "$old" ]
	# For browsers that have read the former page.
	fetch "$old"
	cmp "$answer" "$BATS_TEST_TMPDIR/a"
	fetch "$new"
	cmp "$answer" "$BATS_TEST_TMPDIR/b"
	[ "$(find "$pages/public/s/$slug" -name 'logo-*' -o -name 'favicon-*' | wc -l)" = 3 ]
	[ "$(sql "SELECT COUNT(*) FROM status_page_files WHERE status_page_id = $page")" = 2 ]
	api PUT "$list/$page" -d remove_logo=1
	for file in "$old" "$new"; do
		fetch "$file"
		[ "$status" = 404 ]
	done
	[ "$(find "$pages/public/s/$slug" -name 'logo-*' -o -name 'favicon-*' | wc -l)" = 1 ]
}

@test "remove_logo and remove_favicon take the files away, an upload wins" {
	png 8 8 >"$BATS_TEST_TMPDIR/a"
	new_page -F "logo=@$BATS_TEST_TMPDIR/a" -F "favicon=@$BATS_TEST_TMPDIR/a"
	api POST "$list/$page" -F _method=PUT -F remove_logo=1
	want 200 '.data.logo_url == null' '.data.favicon_url != null'
	[ "$(sql "SELECT COUNT(bytes) FROM status_page_files WHERE status_page_id = $page")" = 1 ]
	api PUT "$list/$page" -d remove_favicon=true
	want 200 '.data.favicon_url == null'
	[ -z "$(find "$pages/public/s/$slug" -name 'logo-*' -o -name 'favicon-*')" ]
	api PUT "$list/$page" -F remove_logo=yes -F "logo=@$BATS_TEST_TMPDIR/a"
	want 200 '.data.logo_url != null'
	api PUT "$list/$page" -d remove_logo=0
	want 200 '.data.logo_url != null'
}

@test "no file chosen changes nothing" {
	png 8 8 >"$BATS_TEST_TMPDIR/a"
	new_page -F "logo=@$BATS_TEST_TMPDIR/a"
	printf -- '--B\r\nContent-Disposition: form-data; name="logo"; filename=""\r\nContent-Type: application/octet-stream\r\n\r\n\r\n--B--\r\n' >"$BATS_TEST_TMPDIR/body"
	api PUT "$list/$page" -H 'Content-Type: multipart/form-data; boundary=B' --data-binary "@$BATS_TEST_TMPDIR/body"
	want 200 '.data.logo_url != null'
}

@test "kinds are told by content, not by name or declared type" {
	new_page
	printf '<svg xmlns="http://www.w3.org/2000/svg"/>' >"$BATS_TEST_TMPDIR/x.png"
	printf '<html>' >"$BATS_TEST_TMPDIR/y.png"
	: >"$BATS_TEST_TMPDIR/z.png"
	png 8 8 | head -c 40 >"$BATS_TEST_TMPDIR/cut.png"
	for file in x y z cut; do
		for field in logo favicon; do
			api PUT "$list/$page" -F "$field=@$BATS_TEST_TMPDIR/$file.png;type=image/png"
			want_fault "$field" image
		done
	done
	printf 'GIF89a\x01\0\x01\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;' >"$BATS_TEST_TMPDIR/x.txt"
	api PUT "$list/$page" -F "logo=@$BATS_TEST_TMPDIR/x.txt" -F "favicon=@$BATS_TEST_TMPDIR/x.txt"
	want 200 '.data.logo_url | endswith(".gif")' '.data.favicon_url | endswith(".gif")'
	fetch "$(jq -r .data.favicon_url "$answer")"
	[ "$(header Content-Type)" = image/gif ]
}

@test "an ICO is a favicon and no logo, a JPEG the reverse" {
	printf '\0\0\1\0\1\0\x10\x10\0\0\1\0\x20\0\x28\0\0\0\x16\0\0\0\x28\0\0\0\x10\0\0\0\x20\0\0\0%028d' 0 >"$BATS_TEST_TMPDIR/i"
	printf '\xff\xd8\xff\xe0\0\x04xx\xff\xc0\0\x0b\x08\0\x02\0\x03\x01\x01\x11\0\xff\xda\0\x08\x01\x01\0\0\x3f\0data\xff\xd9' >"$BATS_TEST_TMPDIR/j"
	new_page
	api PUT "$list/$page" -F "logo=@$BATS_TEST_TMPDIR/i"
	want_fault logo
	api PUT "$list/$page" -F "favicon=@$BATS_TEST_TMPDIR/j"
	want_fault favicon
	api PUT "$list/$page" -F "favicon=@$BATS_TEST_TMPDIR/i" -F "logo=@$BATS_TEST_TMPDIR/j"
	want 200 '.data.favicon_url | endswith(".ico")' '.data.logo_url | endswith(".jpg")'
}

# bats test_tags=server
@test "sizes hold at the limit and not one beyond" {
	new_page
	for row in logo:2097152:4096 favicon:524288:1024; do
		IFS=: read -r field bytes side <<<"$row"
		# Bytes behind a PNG's end count, but are no fault of their own.
		png 8 8 | cat - "$BATS_FILE_TMPDIR/zeros" | head -c "$bytes" >"$BATS_TEST_TMPDIR/file"
		api PUT "$list/$page" -F "$field=@$BATS_TEST_TMPDIR/file"
		want 200 ".data.${field}_url != null"
		printf x >>"$BATS_TEST_TMPDIR/file"
		api PUT "$list/$page" -F "$field=@$BATS_TEST_TMPDIR/file"
		want_fault "$field" kilobytes
		png "$side" 2 >"$BATS_TEST_TMPDIR/file"
		api PUT "$list/$page" -F "$field=@$BATS_TEST_TMPDIR/file"
		want 200
		png 2 "$((side + 1))" >"$BATS_TEST_TMPDIR/file"
		api PUT "$list/$page" -F "$field=@$BATS_TEST_TMPDIR/file"
		want_fault "$field" pixels
	done
}

@test "a file field sent as text is refused" {
	new_page
	api PUT "$list/$page" -d logo=x
	want_fault logo file
	api PUT "$list/$page" -F name=@/etc/hostname
	want_fault name file
}

# bats test_tags=server
@test "files of a private or password page are not to be had" {
	png 8 8 >"$BATS_TEST_TMPDIR/a"
	new_page -F "logo=@$BATS_TEST_TMPDIR/a"
	url=$(jq -r .data.logo_url "$answer") name=${url##*/}
	fetch "$url"
	[ "$status" = 200 ]
	api PUT "$list/$page" -d privacy=1
	want 200
	fetch "$url"
	[ "$status" = 404 ]
	[ ! -e "$pages/public/s/$slug" ]
	[ -f "$pages/private/$slug/$name" ]
	[ "$(stat -c %a "$pages/private")" = 700 ]
	[ "$(stat -c %a "$pages/private/$slug")" = 700 ]
	for path in "/private/$slug/$name" "/s/../private/$slug/$name" "/s/%2e%2e/private/$slug/$name" \
		"/s/..%2f..%2fprivate/$slug/$name" "/s//$slug/$name" "/s/$slug/../../../private/$slug/$name"; do
		anyone GET "$path" --path-as-is
		[ "$status" = 404 ] || [ "$status" = 400 ] || show
	done
	api PUT "$list/$page" -d privacy=2 -d password=x
	fetch "$url"
	[ "$status" = 404 ]
	api PUT "$list/$page" -d privacy=0
	want 200
	fetch "$url"
	[ "$status" = 200 ]
	[ ! -e "$pages/private/$slug" ]
}

@test "a new slug takes the files along, and the old address leads there" {
	png 8 8 >"$BATS_TEST_TMPDIR/a"
	new_page -F "logo=@$BATS_TEST_TMPDIR/a"
	old=$(jq -r .data.logo_url "$answer") old_slug=$slug
	slug=$(new_slug)
	api PUT "$list/$page" -d "slug=$slug"
	new=$(jq -r .data.logo_url "$answer")
	fetch "$old"
	[ "$status" = 301 ]
	[ ! -e "$pages/public/s/$old_slug" ]
	fetch "$new"
	[ "$status" = 200 ]
	api DELETE "$list/$page"
	fetch "$new"
	[ "$status" = 404 ]
	[ ! -e "$pages/public/s/$slug" ]
}

# bats test_tags=server
@test "folders are not listed, and publishing removes what does not belong, links too, without following them" {
	png 8 8 >"$BATS_TEST_TMPDIR/a"
	new_page -F "logo=@$BATS_TEST_TMPDIR/a"
	folder=$pages/public/s/$slug
	for path in /s/ /s "/s/$slug/../" "/s/%2e%2e/" "/s/$slug/%2e%2e/%2e%2e/secret"; do
		anyone GET "$path" --path-as-is
		[[ "$status" =~ ^(400|403|404)$ ]] || show
	done
	echo mine >"$dir/mine"
	cp "$BATS_TEST_TMPDIR/a" "$folder/.hidden.png"
	ln -s "$dir/mine" "$folder/logo-0.png"
	ln -sf "$dir/mine" "$folder/badge.svg"
	api PUT "$list/$page" -d name=x
	[ ! -e "$folder/.hidden.png" ]
	[ ! -L "$folder/logo-0.png" ]
	[ ! -L "$folder/badge.svg" ]
	[ "$(cat "$dir/mine")" = mine ]
	# A folder that is a link is no page's.
	mv "$folder" "$dir/moved"
	ln -s "$dir/moved" "$folder"
	before=$(stat -c %i "$dir/moved/index.html")
	api PUT "$list/$page" -d name=y
	want 200
	[ "$(header X-Daymark-Published)" = no ]
	[ "$(stat -c %i "$dir/moved/index.html")" = "$before" ]
	rm "$folder" && "$ctl" publish
}

@test "what a crash has left unfinished is swept" {
	touch "$pages/new/new-0123456789abcdef"
	"$ctl" publish
	[ ! -e "$pages/new/new-0123456789abcdef" ]
}

@test "a lost disk is rebuilt by one command" {
	png 8 8 >"$BATS_TEST_TMPDIR/a"
	new_page -F "logo=@$BATS_TEST_TMPDIR/a"
	url=$(jq -r .data.logo_url "$answer")
	rm -rf "$pages/public/s" "$pages/private"
	fetch "$url"
	[ "$status" = 404 ]
	"$ctl" publish --all
	fetch "$url"
	[ "$status" = 200 ]
	cmp "$answer" "$BATS_TEST_TMPDIR/a"
}

@test "publishing removes folders of no page" {
	mkdir -p "$pages/public/s/stranger" "$pages/private/stranger"
	echo x >"$pages/public/s/stranger/logo-1.png"
	chown -R --reference="$pages" "$pages/public/s/stranger" "$pages/private/stranger"
	[ "$("$ctl" publish --json | jq .removed)" -ge 1 ]
	[ ! -e "$pages/public/s/stranger" ]
	[ ! -e "$pages/private/stranger" ]
}

@test "a page that goes while leftovers are swept leaves no files without its note" {
	needs_root
	new_page
	"$ctl" publish
	# The sweep comes to this one behind the public pages, and waits for the lock.
	mkdir "$pages/public/d/left-over.example"
	exec 7>>"$pages/lock/all"
	flock 7
	"$ctl" publish 3>&- 7>&- &
	sweeping=$!
	# (A container has no list of locks; what a process waits for is there.)
	for i in $(seq 100); do as_root grep -q lock "/proc/$sweeping/wchan" && break; sleep 0.1; done
	as_root grep -q lock "/proc/$sweeping/wchan"
	# Whoever deletes it comes for its files next, and goes by its note there.
	sql "DELETE FROM status_pages WHERE id = $page"
	exec 7>&-
	wait "$sweeping"
	[ ! -e "$pages/public/d/left-over.example" ]
	[ ! -e "$pages/public/s/$slug" ]
	[ ! -e "$pages/state/$page" ]
}

@test "nothing is seen at an address before the disk's notes have it" {
	new_page
	# Where the note of the next page would be, there is something else.
	next=$((page + 1))
	: >"$pages/state/$next"
	new_page
	[ "$page" = "$next" ]
	[ "$(header X-Daymark-Published)" = no ]
	anyone GET "/s/$slug/"
	[ "$status" = 404 ] || show
	rm "$pages/state/$next"
	"$ctl" publish
	anyone GET "/s/$slug/"
	[ "$status" = 200 ] || show
}

@test "a full or read-only disk loses no write, and the next publish mends it" {
	png 8 8 >"$BATS_TEST_TMPDIR/a"
	new_page
	# A file where the folder must be: it fails for root, too.
	rm -r "$pages/public/s/$slug"
	echo x >"$pages/public/s/$slug"
	api PUT "$list/$page" -F "logo=@$BATS_TEST_TMPDIR/a" -F name=Saved
	want 200 '.data.name == "Saved"'
	[ "$(header X-Daymark-Published)" = no ]
	sleep 1
	anyone GET /readyz
	want 200 '.oldest_unpublished_s >= 1'
	rm "$pages/public/s/$slug"
	"$ctl" publish
	api GET "$list/$page"
	fetch "$(jq -r .data.logo_url "$answer")"
	[ "$status" = 200 ]
	anyone GET /readyz
	want 200 '.oldest_unpublished_s == 0'
}
