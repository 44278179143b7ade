// Sends the metrics of all workers to an OTLP collector once and prints the HTTP status. Meant to be
// run on an interval, by cron or a timer: `node scripts/observability-ship.ts`. The variables
// OTEL_EXPORTER_OTLP_ENDPOINT, _HEADERS, _TIMEOUT, _COMPRESSION and OTEL_SERVICE_NAME configure it.
import { join } from 'node:path'
import 'framework/boot'
import { ShipResults, shipMetrics, shippingSettings } from 'framework/observability'

const project = join(import.meta.dirname, '..')
const { result, status, notice } = await shipMetrics(shippingSettings(project))

if (status !== null) process.stdout.write(`${status}\n`)
if (notice !== null) process.stderr.write(`${notice}\n`)
if (result !== ShipResults.Sent) process.exitCode = 1
