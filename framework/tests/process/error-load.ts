import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { Throwables } from '../../src/base/throwables/throwables.ts'
import { Activity, ActivityKinds } from '../../src/services/activity/activity.ts'
import { Scopes } from '../../src/services/activity/scopes.ts'
import { assembleProject } from '../../src/web/projects/assemble-project.ts'
import { defineProject } from '../../src/web/projects/project.ts'
import { routeSet } from '../../src/web/router/route-set.ts'

// A project in a process of its own that reports errors as fast as it is told: `<seconds> <errors a
// second>`. It measures itself and sends the result to its parent.

/** What a load did to a process. */
export interface LoadResult {
  readonly errors: number
  readonly seconds: number
  /** Bytes on the heap after a collection: at the first look, and at the end. */
  readonly heap: readonly [before: number, after: number]
  readonly rss: readonly [before: number, after: number]
  /** The longest time for which nothing else could run. */
  readonly blockedMs: number
  /** Times of plain requests meanwhile. */
  readonly plain: Times
  /** Times of plain requests while the same errors are made, but reported to nobody. */
  readonly alone: Times
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
  // As many different lines as there are errors.
  (message) => {
    const error = new Error(message)
    error.stack = `Error: ${message}\n    at sell (/shop/${message.replaceAll(' ', '-')}.ts:1:1)`
    return error
  },
]

const Plain = routeSet('Plain', (router) => {
  router.get('/', () => 'fine')
})

// Everything that a project has for errors is installed by this: the log, the exports, and whatever
// else listens. Rows that it writes are counted by the test, in the project's own folder.
const { server, logs } = await assembleProject({
  root: process.cwd(),
  project: defineProject({ name: 'load', routes: [Plain] }),
  environment: 'production',
})
await server.listen({ signals: false })

const [seconds = 1, rate = 10_000] = process.argv.slice(2).map(Number)
const { times: alone, cpuMicros: aloneMicros } = await load(0.3, false)
await load(0.3, true)
const before = await memory()
const { errors, blockedMs, took, times: plain, cpuMicros } = await load(seconds, true)
const after = await memory()
await server.close()
const result: LoadResult = {
  errors,
  seconds: took,
  heap: [before.heap, after.heap],
  rss: [before.rss, after.rss],
  blockedMs,
  plain,
  alone,
  cpuMicros: [aloneMicros, cpuMicros],
}
process.send?.(result)
process.disconnect?.()

/** Reports errors evenly, a few every few milliseconds, with a plain request each time. */
async function load(forSeconds: number, isReported: boolean) {
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const times: number[] = []
  const startMs = performance.now()
  const startCpu = process.cpuUsage()
  const total = forSeconds * rate
  let errors = 0
  while (errors < total) {
    const due = Math.min(total, Math.floor(((performance.now() - startMs) / 1_000) * rate))
    // A machine that is too slow for the rate gets it in portions, not all at once.
    for (const end = Math.min(due, errors + rate / 50); errors < end; errors += 1) {
      fail(errors, isReported)
    }
    const askedMs = performance.now()
    await server.inject({ url: '/' })
    times.push(performance.now() - askedMs)
    await sleep(1)
  }
  delay.disable()
  const took = (performance.now() - startMs) / 1_000
  const { user, system } = process.cpuUsage(startCpu)
  const cpuMicros = (user + system) / errors
  return { errors, took, cpuMicros, blockedMs: delay.max / 1e6, times: timesOf(times) }
}

/** Errors of different classes, lines, messages and sizes. */
function fail(number: number, isReported: boolean): void {
  const cause = new RangeError(`row ${number} is gone`)
  const error = makers[number % makers.length]?.(`order ${number} failed`, cause) ?? cause
  const context = { interface: 'WPI', method: 'GET', URI: `/orders/${number}`, request: 'r1' }
  if (!isReported) return void error.stack
  Scopes.runActivity(new Work(), () => Throwables.notify(error, context))
}

function timesOf(times: readonly number[]): Times {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0
  return { p50Ms: at(0.5), p99Ms: at(0.99) }
}

async function memory(): Promise<{ readonly heap: number; readonly rss: number }> {
  await Throwables.settled(10_000)
  // Lines that wait for the disk are bounded by the log itself.
  await logs.flush()
  globalThis.gc?.()
  await sleep(10)
  globalThis.gc?.()
  return { heap: process.memoryUsage().heapUsed, rss: process.memoryUsage.rss() }
}
