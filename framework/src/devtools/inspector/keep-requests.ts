import { performance } from 'node:perf_hooks'
import { toError } from '../../base/to-error.ts'
import type { ReportContext } from '../../errors/throwables/throwables.ts'
import type { Activity } from '../../activity/activity.ts'
import { ActivityKinds } from '../../activity/activity.ts'
import { CurrentWork } from '../../activity/current-work.ts'
import type { Step } from '../../activity/step.ts'
import { Steps } from '../../activity/steps.ts'
import { RequestEvents } from '../../http/request/request-events.ts'
import type { Request } from '../../http/request/request.ts'
import type { Router } from '../../http/router/router.ts'
import type { ServerHost } from '../../http/server/server-host.ts'
import { incidentOf } from '../../incidents/incident.ts'
import type { ActivityRecord } from './activity-record.ts'
import { isToolPath } from '../tools.ts'
import { declareRecords } from './inspector-routes.ts'
import type { RecordsContext } from './inspector-routes.ts'
import { maxKept, maxOfRoute, RecordFile } from './record-file.ts'
import { RecordWriter } from './record-writer.ts'
import { recordFetches, Recorder } from './recorder.ts'
import { Recording } from './recording.ts'

/** Of one record, so that the file stays below 40 MB. */
const maxCharacters = 40_000
const maxSteps = 200
const maxLines = 50
const maxReports = 3
/** Finding the line that caused a step takes longer than most steps: in a second so many are found. */
const callerMs = 10
const maxCallers = 20
const callers = { left: maxCallers, untilMs: 0 }
/** Records are made a few at a time, because each takes up to a millisecond. */
const writing = { pauseMs: 2_000, maxWaiting: 20 } as const
const hourMs = 3_600_000
/** How often a failed request of a route is kept, by each worker. */
const failedMs = 10_000

/** What happened during a request so far. It only refers to it: nearly all requests are forgotten. */
class Trail {
  readonly steps: Step[] = []
  readonly lines: string[] = []
  readonly reports: { thrown: unknown; context: ReportContext; at: number }[] = []
  readonly dropped = { steps: 0, lines: 0, incidents: 0 }

  step(step: Step): void {
    if (this.steps.length >= maxSteps) return void (this.dropped.steps += 1)
    // Later nobody could find its line.
    if ((step.failure !== null || step.durationMs >= callerMs) && takeCaller()) void step.caller
    this.steps.push(step)
  }

  line(json: string): void {
    if (this.lines.length < maxLines) this.lines.push(json)
    else this.dropped.lines += 1
  }

  report(thrown: unknown, context: ReportContext): void {
    const at = Date.now() / 1_000
    if (this.reports.length < maxReports) this.reports.push({ thrown, context, at })
    else this.dropped.incidents += 1
  }
}

function takeCaller(): boolean {
  const nowMs = performance.now()
  if (nowMs >= callers.untilMs) Object.assign(callers, { left: maxCallers, untilMs: nowMs + 1_000 })
  callers.left -= 1
  return callers.left >= 0
}

/** Options of `keepRequests`. */
export interface KeepRequestsOptions extends Pick<RecordsContext, 'root' | 'guard'> {
  /** The file of the records. */
  readonly path: string
}

/**
 * Keeps the slowest and the failed requests of a site in production, with their steps, in one file for all its
 * workers, while the server serves, and shows them on the pages of the inspector. Values are never kept: of a
 * path only the pattern of its route.
 */
export function keepRequests(
  router: Router,
  server: ServerHost,
  { path, root, guard }: KeepRequestsOptions,
): void {
  const { emitter, throwables, onServe, onClose } = server
  const file = new RecordFile(path)
  declareRecords(router, server, { file, root, databases: [], guard, areKept: true })
  onServe(() => {
    const writer = new RecordWriter(new RecordFile(path, maxKept, 'worst'), writing)
    const worst = new WorstRequests(writer)
    const takeLine = (json: string): void => trailOf(CurrentWork.context().activity)?.line(json)
    Recorder.takeLine = takeLine
    const stops = [
      Steps.Instance.watch({
        wantsSpans: true,
        ended: (step) => trailOf(step.context.activity)?.step(step),
      }),
      recordFetches(Steps.Instance),
      CurrentWork.follow(),
      throwables.add((thrown, context) =>
        trailOf(CurrentWork.context().activity)?.report(thrown, context),
      ),
      emitter.listen(RequestEvents.Received, (request) => {
        if (request.receivedMs === 0) request.receivedMs = performance.now()
      }),
      emitter.listen(RequestEvents.Handled, (request, { code }) => {
        if (request.handledMs === 0) request.handledMs = performance.now()
        worst.add(request, code)
      }),
    ]
    onClose(() => {
      for (const stop of stops) stop()
      if (Recorder.takeLine === takeLine) Recorder.takeLine = null
      return writer.close()
    })
  })
}

/** The trail of a request; null for any other work. */
function trailOf(activity: Activity | null): Trail | null {
  if (activity === null || activity.kind !== ActivityKinds.Request) return null
  const { trail } = activity
  if (trail instanceof Trail) return trail
  const fresh = new Trail()
  activity.trail = fresh
  return fresh
}

/** A place among the worst requests of a route; its record is made later, from the last that took it. */
interface Slot {
  ms: number
}

/** Keeps the requests that are worth it, as far as this worker knows. */
class WorstRequests {
  readonly #writer: RecordWriter
  readonly #routes = new Map<string, { readonly slowest: Slot[]; readonly failed: Slot }>()
  #endMs = 0

  constructor(writer: RecordWriter) {
    this.#writer = writer
  }

  add(request: Request, code: number): void {
    const { activity, route, method, receivedMs, handledMs } = request
    const hasFailed = code >= 500
    // Files, and paths that do not exist.
    if (activity === null || (route === null && !hasFailed)) return
    if (handledMs >= this.#endMs) {
      this.#routes.clear()
      this.#endMs = handledMs + hourMs
    }
    const title = `${method} ${route}`
    const known = this.#routes.get(title) ?? { slowest: [], failed: { ms: -Infinity } }
    const { slowest, failed } = known
    const isFull = slowest.length === maxOfRoute
    const ms = hasFailed ? handledMs : handledMs - receivedMs
    const slot = hasFailed ? failed : ((isFull ? slowest[0] : null) ?? { ms: -Infinity })
    if (ms <= slot.ms + (hasFailed ? failedMs : 0) || isToolPath(route ?? '')) return
    // Later every connection is gone.
    const outcome = { code, status: request.gone ? 'gone' : String(code) }
    if (!this.#writer.keep(slot, () => recordOf(activity, request, outcome))) return
    slot.ms = ms
    if (!hasFailed && !isFull) slowest.push(slot)
    slowest.sort((one, other) => one.ms - other.ms)
    this.#routes.set(title, known)
  }
}

function recordOf(
  activity: Activity,
  request: Request,
  { code, status }: { readonly code: number; readonly status: string },
): ActivityRecord {
  const { receivedMs: startMs, handledMs } = request
  const { steps, lines, reports, dropped } = trailOf(activity) ?? new Trail()
  const recording = new Recording(activity, 0, startMs, maxCharacters)
  Object.assign(recording.dropped, dropped)
  for (const { thrown, context, at } of reports) {
    // What a visitor sent.
    const { URI: _path, peer: _peer, ...kept } = context
    const incident = CurrentWork.runActivity(activity, () => incidentOf(toError(thrown), kept, at))
    recording.incident(incident)
  }
  // Of errors there is more in the reports; their lines have the path.
  for (const line of lines) if (!line.includes('"channel":"exceptions"')) recording.line(line)
  for (const step of steps) recording.step(step)
  const about = { subject: activity.title, status, failed: code >= 500, phases: [], tables: [] }
  recording.end(about, handledMs)
  return recording.record(about)
}
