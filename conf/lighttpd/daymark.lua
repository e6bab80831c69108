-- Finds the file of the pages folder for a request, and sets its headers. All other requests go
-- to the program. daymark.conf calls this script twice for each request: first with the original
-- URL, which the script may rewrite, then with the path of the file. The installation's own name
-- (below) has the API, and all pages under /s/; any other name is a page's own domain, with that
-- page at its root.
local pages = "/var/lib/daymark/pages"
local shared_host = "status.example.org"

local types = {
	html = "text/html; charset=utf-8",
	css = "text/css; charset=utf-8",
	js = "text/javascript; charset=utf-8",
	txt = "text/plain; charset=utf-8",
	json = "application/json",
	atom = "application/atom+xml; charset=utf-8",
	svg = "image/svg+xml; charset=utf-8",
	png = "image/png",
	jpg = "image/jpeg",
	gif = "image/gif",
	webp = "image/webp",
	ico = "image/x-icon",
}
local hashed = { logo = true, favicon = true, page = true, custom = true }

local path = lighty.env["uri.path"]
local query = lighty.env["uri.query"] or ""
-- The second call of a request that goes to the program.
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

-- Returns the file's path and its folder: /public, or /noindex for search engines; else nil.
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
-- ?plain=1 requests a page without its own CSS and script: the program serves it.
if file and not ("&" .. query):find("&plain=", 1, true) then
	file = file:match("^api/v2/([%a-]+%.json)$") or file:match("^api/v2/[%a-]+/([%a-]+%.json)$") or file
	if file:match("^[%w_-][%w._-]*$") then
		found, place = find(file)
	end
end
if not found then
	-- The program reads the original path from REQUEST_URI, which does not change.
	lighty.env["request.uri"] = query == "" and "/-" or "/-?" .. query
	return lighty.RESTART_REQUEST
end
-- A file accepts GET and HEAD only.
local method = lighty.env["request.method"]
if method ~= "GET" and method ~= "HEAD" then
	return 405
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
header["Content-Type"] = types[file:match("%.(%a+)$")] or "application/octet-stream"
header["X-Content-Type-Options"] = "nosniff"
header["Referrer-Policy"] = "no-referrer"
header["Access-Control-Allow-Origin"] = "*"
-- The name of these files contains a hash of their content.
if hashed[file:match("^(%a+)%-%x+%.%a+$") or ""] then
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
	header["Content-Security-Policy"] = "default-src 'none'; img-src 'self' data:; font-src 'self' data:; style-src 'self'; script-src 'self'; worker-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation"
else
	-- A page on its own domain needs no sandbox: no other page shares its origin.
	header["Content-Security-Policy"] = "default-src 'none'; img-src 'self' data:; font-src 'self' data:; style-src 'self'; script-src 'self'; worker-src 'none'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
end
lighty.env["physical.path"] = found
lighty.env["physical.rel-path"] = "/" .. file
return 0
