-- Finds the file of the pages folder for a request, and sets its headers. All other requests go
-- to the program. daymark.conf calls this script twice for each request: first with the original
-- URL, which the script may rewrite, then with the path of the file. The installation's own name
-- (below) has the API, and all pages under /s/; any other name is a page's own domain, with that
-- page at its root.
local pages = "/var/lib/daymark/pages"
local shared_host = "status.example.org"

-- The extensions of the files that lighttpd serves. The program serves a file with any other
-- extension, so that a copy of this file needs no change when a new version publishes a new kind
-- of file.
local types = {
	atom = "application/atom+xml; charset=utf-8",
	avif = "image/avif",
	css = "text/css; charset=utf-8",
	csv = "text/csv; charset=utf-8",
	gif = "image/gif",
	html = "text/html; charset=utf-8",
	ico = "image/x-icon",
	ics = "text/calendar; charset=utf-8",
	jpg = "image/jpeg",
	js = "text/javascript; charset=utf-8",
	json = "application/json",
	pdf = "application/pdf",
	png = "image/png",
	rss = "application/rss+xml; charset=utf-8",
	svg = "image/svg+xml; charset=utf-8",
	txt = "text/plain; charset=utf-8",
	webmanifest = "application/manifest+json",
	webp = "image/webp",
	woff2 = "font/woff2",
	xml = "application/xml; charset=utf-8",
	xsl = "text/xsl; charset=utf-8",
}

-- For the access log: no query, since links and passes there open pages that are not public, and no
-- token of a heartbeat or of a link to the console.
local r = lighty.r
r.req_env["DAYMARK_PATH"] = (r.req_attr["request.orig-uri"] or ""):gsub("%?.*", ""):gsub("^/hb/.*", "/hb/-")
	:gsub("^/console/.*", "/console/-")
if r.req_header["Referer"] then
	r.req_header["Referer"] = r.req_header["Referer"]:gsub("%?.*", "")
end

local path = lighty.env["uri.path"]
local query = lighty.env["uri.query"] or ""
-- This request was led to the program already.
if path == "/-" then
	return 0
end

local host = (lighty.request["Host"] or ""):lower():gsub(":%d*$", "")
local is_shared = host == shared_host
-- For a proxy on this machine that gets certificates on demand.
if path:match("^/internal/") and lighty.env["request.remote-addr"] ~= "127.0.0.1" then
	return 403
end
local folder, file
if is_shared then
	folder, file = path:match("^(/s/[%w_-]+)/(.*)$")
elseif host:match("^[%w.-]+$") and not host:find("..", 1, true) then
	folder, file = "/d/" .. host, path:sub(2)
end
if file == "" then
	file = "index.html"
end

-- The path of the file and the folder it is in; nil if there is none.
local function find(name)
	for _, place in ipairs({ "/public", "/noindex" }) do
		local whole = pages .. place .. folder .. "/" .. name
		local status = lighty.stat(whole)
		if status and status.is_file then
			return whole, place
		end
	end
end

local found, place
-- For ?plain=1 the program serves the page without the page's own style and script. It also shows what
-- is wrong with an address or a method, by the error page: error pages are at no address of their own.
local method = lighty.env["request.method"]
if file and not file:match("^40[04]%.html$") and file ~= "503.html" and (method == "GET" or method == "HEAD") and not ("&" .. query):find("&plain=", 1, true) then
	file = file:match("^api/v2/([%a-]+%.json)$") or file:match("^api/v2/[%a-]+/([%a-]+%.json)$") or file
	file = file == "history.atom" and "feed.atom" or file
	file = file:gsub("^incidents/([1-9]%d*)$", "incident-%1.html"):gsub("^incidents/([1-9]%d*)%.html$", "incident-%1.html")
	if file:match("^[%w_-][%w._-]*$") and types[file:match("%.(%w+)$") or ""] then
		found, place = find(file)
	end
end
if not found then
	-- The program reads the original path from REQUEST_URI, which does not change.
	lighty.env["request.uri"] = query == "" and "/-" or "/-?" .. query
	return lighty.RESTART_REQUEST
end
if not lighty.env["physical.path"] then
	return 0
end

local header = lighty.header
local packed = lighty.stat(found .. ".gz")
if packed and packed.is_file then
	header["Vary"] = "Accept-Encoding"
	if (lighty.request["Accept-Encoding"] or ""):find("gzip", 1, true) then
		found = found .. ".gz"
		header["Content-Encoding"] = "gzip"
	end
end
header["Content-Type"] = types[file:match("%.(%w+)$")]
header["X-Content-Type-Options"] = "nosniff"
header["Referrer-Policy"] = "no-referrer"
header["Access-Control-Allow-Origin"] = "*"
-- A name with a hash changes with the content, so that caches may keep the file.
local hash = file:match("^%l+%-([0-9a-f]+)%.[%l%d]+$")
if hash and #hash >= 12 then
	header["Cache-Control"] = "public, max-age=31536000, immutable"
else
	header["Cache-Control"] = "public, max-age=0, s-maxage=5, stale-while-revalidate=30, stale-if-error=86400"
end
if place == "/noindex" then
	header["X-Robots-Tag"] = "noindex"
end
if is_shared then
	-- A page on the shared host runs in an origin of its own: its tenant's script can access
	-- neither the host's cookies nor another page.
	header["Content-Security-Policy"] = "default-src 'none'; img-src 'self' data:; font-src 'self' data:; style-src 'self'; script-src 'self'; worker-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; sandbox allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation"
else
	-- A page on its own domain needs no sandbox: no other page shares its origin.
	header["Content-Security-Policy"] = "default-src 'none'; img-src 'self' data:; font-src 'self' data:; style-src 'self'; script-src 'self'; worker-src 'none'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
end
if file:match("widget%.html$") then
	-- Other sites may show this file in a frame. It has no script.
	header["Content-Security-Policy"] = "default-src 'none'; img-src 'self' data:; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors *; sandbox allow-popups allow-popups-to-escape-sandbox"
end
lighty.env["physical.path"] = found
lighty.env["physical.rel-path"] = "/" .. file
return 0
