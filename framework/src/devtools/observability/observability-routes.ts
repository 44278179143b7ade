import { Throwables } from '../../errors/throwables/throwables.ts'
import { Steps } from '../../activity/steps.ts'
import { workerFile } from '../../metrics/fleet-files.ts'
import { Counter } from '../../metrics/instruments/counter.ts'
import { Observability } from '../../metrics/observability.ts'
import { SlowestStatements } from '../../metrics/slowest-statements.ts'
import { StepMetrics } from '../../metrics/step-metrics.ts'
import { WorkerDump } from '../../metrics/worker-dump.ts'
import { HttpError } from '../../http/errors/http-error.ts'
import { Compression } from '../../http/middlewares/compression.ts'
import { preferredType } from '../../http/request/accept.ts'
import type { Request } from '../../http/request/request.ts'
import type { Response } from '../../http/response/response.ts'
import type { MiddlewareFunction } from '../../http/router/middleware.ts'
import type { Router } from '../../http/router/router.ts'
import { inFleet } from '../../http/server/fleet/workers.ts'
import type { ServerHost } from '../../http/server/server-host.ts'
import { Telemetry } from '../../http/observability/telemetry.ts'
import { metricsEvents } from '../metrics-page/metrics-events.ts'
import { declarePageFiles } from '../metrics-page/page-files.ts'
import { PageEvents } from '../page-events.ts'
import { allowModules } from '../page-modules.ts'
import { gate, toolFrame } from '../tools.ts'
import type { ToolFrame } from '../tools.ts'
import { FleetScrape, scrapeFormats } from './fleet-scrape.ts'
import { keepLastHour, lastHour, lastHourText } from './last-hour.ts'
import { MetricsAccess } from './metrics-access.ts'
import { ownFolder } from './supervise-observability.ts'

/** Formats by their name in a query: `/metrics?format=text`. */
const formatNames: ReadonlyMap<string, string> = new Map([
  ['text', 'text/plain'],
  ['json', 'application/json'],
  ['openmetrics', 'application/openmetrics-text'],
])
/** Seconds between two readings of the page. */
const refresh = 2
const offers = [...Object.keys(scrapeFormats), 'text/html']

/** Declares `/health`, and for those who may see them `/metrics` and `/ready`; starts measuring. */
export function declareObservability(router: Router, server: ServerHost): void {
  const registry = adoptRegistry(router, server)
  const fleet = keepDumping(registry, server)

  router.get('/health', (_request, response) =>
    response.header('Cache-Control', 'no-store').json({
      status: 'ok',
      pid: process.pid,
      uptime_seconds: process.uptime(),
      memory_bytes: process.memoryUsage.rss(),
      timestamp: Date.now() / 1000,
    }),
  )

  router.group('', (group) => declareMetrics(group, server, fleet), [metricsGate(server)])
}

function declareMetrics(router: Router, server: ServerHost, fleet: () => FleetScrape): void {
  const pages = new PageEvents(server)
  router.get(
    '/metrics',
    async (request, response) => {
      response.vary('Accept').header('Cache-Control', 'no-store')
      const { format: name, minutes } = request.query
      if (name !== undefined && !formatNames.has(name)) return refuseFormat(response)
      const preferred = preferredType(request.header('accept'), offers) ?? 'text/plain'
      const format = scrapeFormats[formatNames.get(name ?? '') ?? preferred]
      if (format === undefined) {
        const frame = toolFrame(router, request, response)
        return dashboard(response, frame, server.observability.folder, minutes)
      }
      const text = await fleet().text(format)
      return response.text(text).header('Content-Type', format.contentType)
    },
    { middlewares: [new Compression()] },
  )
  declarePageFiles(router)

  router.get('/metrics/events', (request, response) =>
    pages.send(request, response, (signal) =>
      metricsEvents(fleet(), () => lastHourText(server.observability.folder), refresh, signal),
    ),
  )

  router.get('/metrics/statements', async (_request, response) =>
    response.header('Cache-Control', 'no-store').json({ statements: await fleet().statements() }),
  )

  router.get('/ready', async (_request, response) => {
    const readiness = await server.readiness.ask()
    return response
      .status(readiness.status === 'ready' ? 200 : 503)
      .header('Cache-Control', 'no-store')
      .json(readiness)
  })
}

/** The middleware in front of them: whoever may not see them finds nothing, as at a path without a route. */
function metricsGate(server: ServerHost): MiddlewareFunction {
  let access: MetricsAccess | null = null
  const allows = (request: Request): boolean => {
    // Created on first use: options may still change until the server starts.
    access ??= new MetricsAccess({
      environment: server.environment,
      token: server.observability.token,
      url: server.url,
    })
    return access.allows(request)
  }
  return gate(function metricsGate(request, _response, next) {
    if (!allows(request)) throw new HttpError(404)
    return next()
  }, allows)
}

// Uses the project's own registry if it has created one.
function adoptRegistry(router: Router, server: ServerHost): Observability {
  const { emitter, throwables } = server
  const own = Observability.Instance === null
  const registry = Observability.Instance ?? new Observability(true, { throwables })
  Observability.Instance = registry
  countIn(registry, server)
  registry.metrics.push(
    new Counter('http_bytes_read_total', {
      help: 'Bytes that came in on the sockets.',
      observe: () => server.traffic.read,
    }),
    new Counter('http_bytes_written_total', {
      help: 'Bytes that went out on the sockets.',
      observe: () => server.traffic.written,
    }),
  )
  const telemetry = new Telemetry(registry, { emitter, routes: () => router.routes() })
  telemetry.boot()
  const unwatch = StepMetrics.watch(registry)
  server.onClose(() => {
    telemetry.stop()
    unwatch()
    if (!own) return
    registry.close()
    Observability.Instance = null
  })
  return registry
}

/** Writes snapshots for the other workers while the server serves; returns what reads those of all. */
function keepDumping(registry: Observability, server: ServerHost): () => FleetScrape {
  const slow = new SlowestStatements()
  server.onClose(Steps.Instance.watch(slow))
  // On first use: options may still change until the server starts.
  const dump = once(() => {
    const { folder, interval } = server.observability
    const file = workerFile(folder, server.worker)
    // In a fleet the primary does.
    const written = inFleet() ? {} : { written: keepLastHour(server.observability) }
    return new WorkerDump(registry, { file, interval, statements: slow, ...written })
  })
  server.onServe(async () => {
    // A single process has no workers whose counts could be lost, but the folder may hold old files.
    if (!inFleet()) (await ownFolder(server)).admit(server.worker)
    await dump().start()
    server.onClose(() => dump().stop())
    server.onClose(reportUncaught(server))
  })
  return once(() => new FleetScrape(dump(), slow, server.observability))
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null
  return () => (made ??= { value: make() }).value
}

// An uncaught throwable must be counted like any other; the process handlers report it too.
function reportUncaught({ throwables }: ServerHost): () => void {
  const report = (error: Error): void => {
    if (process.listenerCount('uncaughtException') > 0) return
    throwables.notify(error, { origin: 'exception' })
  }
  process.on('uncaughtExceptionMonitor', report)
  return () => process.off('uncaughtExceptionMonitor', report)
}

// The shared `Throwables` counts by itself; for the server's own a reporter is added.
function countIn(registry: Observability, { throwables, onClose }: ServerHost): void {
  const { exceptions } = registry
  if (throwables !== Throwables) onClose(throwables.add(() => exceptions.increment()))
}

function refuseFormat(response: Response): Response {
  return response.status(400).text(`format is one of ${[...formatNames.keys()].join(', ')}\n`)
}

async function dashboard(
  response: Response,
  frame: ToolFrame,
  folder: string,
  minutes: string | undefined,
): Promise<Response> {
  const { metricsDashboard } = await import('../metrics-page/metrics-dashboard.ts')
  const past = await lastHour(folder)
  const options = { ...frame, refresh, past, minutes: Number(minutes) }
  return allowModules(response).html(metricsDashboard(options))
}
