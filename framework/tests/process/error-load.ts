import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorInboxFrom } from '../../src/inbox/inbox-settings.ts'
import { createErrorTables } from '../../src/inbox/error-tables.ts'
import { Throwables } from '../../src/errors/throwables/throwables.ts'
import { connect } from '../../src/database/connect.ts'
import { Schema } from '../../src/migrations/schema.ts'
import { Activity, ActivityKinds } from '../../src/activity/activity.ts'
import { CurrentWork } from '../../src/activity/current-work.ts'
import type { ErrorInbox } from '../../src/inbox/error-inbox.ts'
import { Observability } from '../../src/metrics/observability.ts'
import { assembleProject } from '../../src/project/start/assemble-project.ts'
import { defineProject } from '../../src/project/project.ts'
import { routeSet } from '../../src/http/router/route-set.ts'
import { ObservabilityRoutes } from '../../src/devtools/observability/observability.ts'

// A project in a process of its own that reports errors as fast as it is told: `<seconds> <errors a
// second>`. It measures itself and sends the result to its parent.

/** What a load did to a process. */
export interface LoadResult {
  /** Errors that were reported, without those of the warm-up. */
  readonly errors: number
  /** All of them. */
  readonly reported: number
  /** `exceptions_total` at the end. */
  readonly counted: number
  /** What the inbox could not count in a group. */
  readonly lost: number
  readonly seconds: number
  /** Bytes on the heap after a collection: before the load, and after it. */
  readonly heap: readonly [before: number, after: number]
  /** The largest size of the process in either half of the load. */
  readonly rss: readonly [first: number, second: number]
  /** The longest time for which nothing else could run. */
  readonly blockedMs: number
  /** Times of plain requests meanwhile. */
  readonly plain: Times
  /** Times of plain requests beside work that costs as much, and reports nothing. */
  readonly beside: Times
  /** CPU for each error: reported to nobody, and reported. */
  readonly cpuMicros: readonly [alone: number, reported: number]
}

interface Times {
  readonly p50Ms: number
  readonly p99Ms: number
}

class Work extends Activity {
  readonly kind: ActivityKinds = ActivityKinds.Request
  readonly id = 'r1'
  readonly title = 'GET /orders/:id'
  readonly account = '7'
}

const makers: readonly ((message: string, cause: Error) => Error)[] = [
  (message) => new Error(message),
  (message, cause) => new TypeError(message, { cause }),
  (message, cause) => new AggregateError([cause, cause], message),
  (message) => Object.assign(new Error(message.repeat(500)), { code: 'E_LONG', order: message }),
  // As many different lines, and groups of the inbox, as there are errors.
  (message) => {
    const error = new Error(message)
    error.stack = `Error: ${message}\n    at sell (/shop/${message.replaceAll(' ', '-')}.ts:1:1)`
    return error
  },
]

const Plain = routeSet('Plain', (router) => {
  router.get('/', () => 'fine')
})

// Everything that a project has for errors: the log, the exports, the metrics and the inbox.
let inbox: ErrorInbox | null = null
const project = defineProject({
  name: 'load',
  services: async (boot) => {
    const database = await connect(`sqlite:${join(boot.root, 'errors.sqlite')}`)
    await database.transaction((transaction) => createErrorTables(new Schema(transaction)))
    inbox = errorInboxFrom(boot, { database })
    return { database, inbox }
  },
  routes: [Plain, ObservabilityRoutes],
})
const { server, logs } = await assembleProject({
  root: process.cwd(),
  project,
  environment: 'production',
})
await server.listen({ signals: false })

const [seconds = 1, rate = 10_000] = process.argv.slice(2).map(Number)
const warmUp = 0.3
const report = each((number) => notify(fail(number), number))
const alone = await load(
  warmUp,
  each((number) => void fail(number).stack),
)
await load(warmUp, report)
const before = await heap()
const under = await load(seconds, report)
const after = await heap()
const secondsEach = under.cpuMicros / 1e6
const beside = await load(Math.min(seconds, 10) / 2, (from, end) =>
  spin((end - from) * secondsEach),
)
const counted = Observability.Instance?.exceptions.read().value ?? 0
await server.close()
const result: LoadResult = {
  errors: under.done,
  reported: under.done + warmUp * rate,
  counted,
  lost: inboxOf().lost,
  seconds: under.took,
  heap: [before, after],
  rss: under.rss,
  blockedMs: under.blockedMs,
  plain: under.times,
  beside: beside.times,
  cpuMicros: [alone.cpuMicros, under.cpuMicros],
}
process.send?.(result)
process.disconnect?.()

function inboxOf(): ErrorInbox {
  if (inbox === null) throw new Error('the project has no inbox')
  return inbox
}

/**
 * Does the work of so many errors evenly, a few every few milliseconds, with a plain request each time.
 * `work` does those from one number up to another.
 */
async function load(forSeconds: number, work: (from: number, end: number) => void) {
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const times: number[] = []
  const rss: [number, number] = [0, 0]
  const startMs = performance.now()
  const startCpu = process.cpuUsage()
  const total = forSeconds * rate
  let done = 0
  while (done < total) {
    const due = Math.min(total, Math.floor(((performance.now() - startMs) / 1_000) * rate))
    // A machine that is too slow for the rate gets it in portions, not all at once.
    const end = Math.min(due, done + rate / 50)
    work(done, end)
    done = end
    const askedMs = performance.now()
    await server.inject({ url: '/' })
    times.push(performance.now() - askedMs)
    const half = done * 2 < total ? 0 : 1
    rss[half] = Math.max(rss[half], process.memoryUsage.rss())
    await sleep(1)
  }
  delay.disable()
  const took = (performance.now() - startMs) / 1_000
  const { user, system } = process.cpuUsage(startCpu)
  const cpuMicros = (user + system) / done
  return { done, took, rss, cpuMicros, blockedMs: delay.max / 1e6, times: timesOf(times) }
}

function each(work: (number: number) => void): (from: number, end: number) => void {
  return (from, end) => {
    for (let number = from; number < end; number += 1) work(number)
  }
}

function notify(error: Error, number: number): void {
  const context = { interface: 'WPI', method: 'GET', URI: `/orders/${number}`, request: 'r1' }
  CurrentWork.runActivity(new Work(), () => Throwables.notify(error, context))
}

/** Errors of different classes, lines, messages and sizes. */
function fail(number: number): Error {
  const cause = new RangeError(`row ${number} is gone`)
  return makers[number % makers.length]?.(`order ${number} failed`, cause) ?? cause
}

function spin(forSeconds: number): void {
  const endMs = performance.now() + forSeconds * 1_000
  while (performance.now() < endMs);
}

function timesOf(times: readonly number[]): Times {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0
  return { p50Ms: at(0.5), p99Ms: at(0.99) }
}

async function heap(): Promise<number> {
  await Throwables.settled(10_000)
  // Lines that wait for the disk are bounded by the log itself.
  await logs.flush()
  await inboxOf().flush()
  globalThis.gc?.()
  await sleep(10)
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}
