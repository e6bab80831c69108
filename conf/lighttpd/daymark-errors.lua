-- What lighttpd itself refuses below the API, in the program's form; all that the program
-- answers there is JSON. A request that cannot be read may have no address.
local r = lighty.r
local uri = r.req_attr["request.orig-uri"] or r.req_attr["request.uri"]
if not (r.resp_header["Content-Type"] or ""):find("^text/html") or
		(uri and uri ~= "" and not uri:find("^/api/")) then
	return 0
end
local status = r.req_item["http_status"]
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
	[503] = "The service is away for a moment. Nothing was changed, unless the request had reached it.",
	[504] = "The service did not answer in time. Whether the change was made is unknown.",
	[505] = "This version of HTTP is not supported.",
}
r.resp_header["Content-Type"] = "application/json"
if status == 503 then
	r.resp_header["Retry-After"] = "5"
end
r.resp_body.set({ ('{"message":"%s","status":%d}'):format(messages[status] or "Refused.", status) })
return status
