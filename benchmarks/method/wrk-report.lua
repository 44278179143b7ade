-- Takes method and body from the arguments behind `--`, and prints the totals as JSON. Nothing is
-- defined that would run per request.
function init(args)
  wrk.method = args[1] or 'GET'
  wrk.body = args[2]
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
