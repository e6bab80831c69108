-- Errors of lighttpd itself: JSON below the API; elsewhere HTML: below a page that everybody may see in
-- the page's design, else in the design of the program's error pages. A response of the program has an X-Request-Id. An invalid request may have no
-- address.
local pages = "/var/lib/daymark/pages"
local r = lighty.r
local status = r.req_item["http_status"]
if status < 400 or r.resp_header["X-Request-Id"] then
	return 0
end
local uri = r.req_attr["request.orig-uri"] or r.req_attr["request.uri"] or ""
local first = uri:match("^/([^/?]*)")
-- Paths below /api/v2/ are files of a page's own domain.
local is_for_programs = not first or (first == "api" and not uri:find("^/api/v2/")) or
	first == "hooks" or first == "hb" or first == "internal" or first == "healthz" or first == "readyz"
if status == 503 then
	r.resp_header["Retry-After"] = "5"
end
-- The page's own file for the error; nil if there is none.
local function of_page()
	local host = (r.req_header["Host"] or ""):lower():gsub(":%d*$", "")
	local name = (status == 500 or status >= 502 and status <= 504) and "/503.html" or "/400.html"
	local folders = { uri:match("^/s/[%w_-]+") or "/s/-/-" }
	if host:match("^[%w.-]+$") and not host:find("..", 1, true) then
		table.insert(folders, 1, "/d/" .. host)
	end
	for _, folder in ipairs(folders) do
		for _, place in ipairs({ "/public", "/noindex" }) do
			local file = io.open(pages .. place .. folder .. name, "rb")
			if file then
				local text = file:read("*a")
				file:close()
				return text
			end
		end
	end
end

if not is_for_programs then
	local page = of_page()
	local words = {
		[400] = { "This request cannot be read", "The address may be mistyped." },
		[403] = { "This is not open to you", "The address may be mistyped." },
		[404] = { "There is no such page", "The address may be mistyped, or the page may have moved." },
		[405] = { "This cannot be done here", "This address can be read, and not changed." },
		[408] = { "The request took too long", "Nothing was changed. Please try again." },
		[411] = { "This request cannot be read", "Its body needs a length." },
		[412] = { "This has changed", "It is not as the request wanted it." },
		[413] = { "This is too large", "Nothing was changed." },
		[414] = { "This request cannot be read", "The address is too long." },
		[417] = { "This cannot be done here", "The request expects what is not supported." },
		[429] = { "Too many requests", "Please wait a moment, and try again." },
		[431] = { "This request cannot be read", "Its headers are too large." },
		[500] = { "Something went wrong here", "Please try again later." },
		[501] = { "This cannot be done here", "The request is of a kind that is not supported." },
		[503] = { "Away for a moment", "Please try again in a moment." },
		[504] = { "Away for a moment", "Please try again in a moment." },
		[505] = { "This request cannot be read", "This version of HTTP is not supported." },
	}
	local said = words[status] or words[400]
	r.resp_header["Content-Type"] = "text/html; charset=utf-8"
	r.resp_header["Content-Encoding"] = nil
	r.resp_header["Cache-Control"] = "private, no-cache"
	r.resp_header["Content-Security-Policy"] = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
	if page then
		-- A page with a domain has its style there.
		r.resp_header["Content-Security-Policy"] = "default-src 'none'; img-src * data:; font-src * data:; style-src *; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation"
	end
	r.resp_header["Referrer-Policy"] = "no-referrer"
	r.resp_header["X-Content-Type-Options"] = "nosniff"
	r.resp_header["X-Robots-Tag"] = "noindex"
	if status == 405 and not r.resp_header["Allow"] then
		r.resp_header["Allow"] = "GET, HEAD"
	end
	if page then
		r.resp_body.set(page)
		return status
	end
	r.resp_body.set({
		"<!DOCTYPE html><html lang='en'><head><meta charset='utf-8'><meta name='viewport' content='width=device-width, initial-scale=1'><meta name='robots' content='noindex'><title>", said[1], "</title><link rel='icon' href='data:,'><style>:root{color-scheme:light dark;--bg:#fff;--text:#1c2430}@media(prefers-color-scheme:dark){:root{--bg:#0f141a;--text:#e6edf3}}body{background:var(--bg);color:var(--text);font:16px/1.5 system-ui,-apple-system,Segoe UI,Roboto,sans-serif;max-width:24rem;margin:16vh auto 0;padding:0 1.25rem}h1{font-size:1.375rem;line-height:1.3;margin:0 0 1.25rem}</style></head><body><main><h1>",
		said[1], "</h1><p>", said[2], "</p></main></body></html>",
	})
	return status
end
local messages = {
	[400] = "The request cannot be decoded.",
	[404] = "Not found.",
	[405] = "This method is not supported here.",
	[408] = "The request did not come in time. Nothing was changed.",
	[411] = "The body needs a length.",
	[413] = "The body is too large.",
	[414] = "The address is too long.",
	[416] = "There is no such range.",
	[417] = "This Expect is not supported.",
	[431] = "The headers are too large.",
	[500] = "Server error.",
	[501] = "This is not supported.",
	[503] = "The service is temporarily unavailable. If the request reached it, the outcome is unknown.",
	[504] = "The service did not answer in time. Whether the change was made is unknown.",
	[505] = "This version of HTTP is not supported.",
}
r.resp_header["Content-Type"] = "application/json"
r.resp_body.set({ ('{"message":"%s","status":%d}'):format(messages[status] or "Refused.", status) })
return status
