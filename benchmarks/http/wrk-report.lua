-- Prints the totals as JSON. Only `done` is defined, so nothing runs per request.
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
