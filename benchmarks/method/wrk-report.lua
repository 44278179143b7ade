-- Takes method, body and the file of a body from the arguments behind `--`, and prints the totals as
-- JSON. Nothing is defined that would run per request.
function init(args)
  wrk.method = args[1] or 'GET'
  if args[2] ~= '' then wrk.body = args[2] end
  if args[3] then
    local file = assert(io.open(args[3], 'rb'))
    wrk.body = file:read('*a')
    file:close()
  end
end

function done(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format(
    '{"requests":%d,"durationMicros":%d,"badStatus":%d,"socketErrors":%d}\n',
    summary.requests,
    summary.duration,
    errors.status,
    errors.connect + errors.read + errors.write + errors.timeout
  ))
end
