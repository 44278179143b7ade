import { isSecretKey } from '../../base/is-secret-key.ts'
import { REDACTED, maskText } from '../../base/mask-text.ts'
import { redact } from '../../base/redact.ts'
import type { Emitter } from '../../events/emitter.ts'
import { shownPath } from '../../http/request/shown-path.ts'
import { RequestEvents } from '../../http/request/request-events.ts'
import type { Request } from '../../http/request/request.ts'
import type { Response } from '../../http/response/response.ts'
import type { ActivityOutcome, RecordedTable } from './activity-record.ts'
import { isToolPath } from '../tools.ts'
import { isInspectorPath } from './inspector-path.ts'
import type { Recorder } from './recorder.ts'
import type { RequestPhases } from './request-phases.ts'

const maxRows = 60
const maxValueLength = 2_000

/** Polled by machines, or styles of built-in pages. */
const dull = /^\/(?:health|ready|accounts\/assets\/.*)$/

/**
 * Records every request, except those of the inspector itself. Hidden are those of other tools, and those
 * for files and metrics during which nothing else happened. Returns a function that stops it.
 */
export function recordRequests(
  recorder: Recorder,
  emitter: Emitter,
  phases: RequestPhases,
): () => void {
  const stops = [
    emitter.listen(RequestEvents.Received, (request) => {
      const { activity, path } = request
      if (activity === null || isInspectorPath(path)) return
      // One reading: with two, a step could seem to begin after its phase.
      const nowMs = performance.now()
      recorder.begin(activity, nowMs)
      phases.received(request, nowMs)
    }),
    emitter.listen(RequestEvents.Handled, (request, response) => {
      const { activity } = request
      if (activity === null) return
      const hidden = isDull(request, response, recorder.isIdle(activity))
      recorder.end(activity, () => ({ ...factsOf(request, response, phases), hidden }))
    }),
  ]
  return () => stops.forEach((stop) => stop())
}

/**
 * Whether it would only bury what is worth a look: the styles and pictures of a page, which a middleware
 * sends without a route, what is polled, and the other tools.
 */
function isDull({ route, path }: Request, { code }: Response, isIdle: boolean): boolean {
  if (code >= 400) return false
  return isToolPath(path) || (isIdle && (route === null || dull.test(path)))
}

function factsOf(request: Request, response: Response, phases: RequestPhases): ActivityOutcome {
  const { gone, openedSession } = request
  return {
    subject: `${request.method} ${maskText(shownPath(request))}`,
    status: gone ? 'gone' : String(response.code),
    failed: response.code >= 500,
    phases: phases.of(request),
    tables: [
      table('Query string', Object.entries({ ...request.query })),
      table('Request headers', headersOf(request)),
      table('Response headers', [...response.headers]),
      names('Session keys', openedSession?.keys ?? []),
    ].filter(({ rows }) => rows.length > 0),
  }
}

function* headersOf({ headers }: Request): Generator<[string, string]> {
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) yield [name, typeof value === 'string' ? value : value.join(', ')]
  }
}

function table(title: string, entries: Iterable<readonly [string, string]>): RecordedTable {
  const rows = Iterator.from(entries)
    .take(maxRows)
    .map(([name, value]) => [maskText(name), masked(name, value)] as const)
    .toArray()
  return { title, rows }
}

/** Only the names: a session may hold anything. */
function names(title: string, keys: readonly string[]): RecordedTable {
  return { title, rows: keys.slice(0, maxRows).map((key) => [maskText(key), ''] as const) }
}

function masked(name: string, value: string): string {
  return isSecretKey(name) ? REDACTED : String(redact(value)).slice(0, maxValueLength)
}
