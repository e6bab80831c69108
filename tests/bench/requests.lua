-- The requests of a measurement, for wrk: wrk ... URL -- [FILE [METHOD]]
-- FILE has a line "KEY PATH" for each request; each request is one of them at random. Without FILE
-- it is always the request of the command line. METHOD PUT changes the title of incidents:
-- an incident has a bounded number of comments.
-- The last line of the output is "RATE P50-IN-US FAILED": FAILED counts errors and other statuses.
local lines, method, turn, threads = {}, "GET", 0, 0

function setup(thread)
	threads = threads + 1
	thread:set("number", threads)
end

function init(args)
	-- Threads with the same numbers would send the same changes, and every second would change nothing.
	math.randomseed(os.time() * 10 + number)
	method = args[2] or "GET"
	if args[1] then
		for line in io.lines(args[1]) do
			local key, path = line:match("^(%S+) (%S+)$")
			local headers = { Authorization = "Bearer " .. key }
			if method == "GET" then
				lines[#lines + 1] = wrk.format("GET", path, headers)
			else
				headers["Content-Type"] = "application/x-www-form-urlencoded"
				lines[#lines + 1] = { path, headers }
			end
		end
	end
	turn = number * 1000000 + math.random(1000000)
	if #lines == 0 then
		request = nil
	end
end

function request()
	local line = lines[math.random(#lines)]
	if method == "GET" then
		return line
	end
	turn = turn + 1
	return wrk.format(method, line[1], line[2], "title=Change+" .. turn)
end

function done(summary, latency)
	local errors = summary.errors
	io.write(string.format("%d %d %d\n", 1e6 * summary.requests / summary.duration, latency:percentile(50),
		errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
