import { Counter, Exporters, Observability } from '../../../framework/dist/public/observability.js'
import { defineLanguages } from '../../../framework/dist/public/i18n.js'
import {
  createErrorTables,
  ErrorOrders,
  ErrorStates,
  SqlErrors,
} from '../../../framework/dist/public/errors.js'
import { sql } from '../../../framework/dist/public/database.js'
import { Server } from '../../../framework/dist/public/http.js'
import { microsOf, Shapes } from '../curve.ts'
import type { Case, Curve } from '../curve.ts'
import type { Ground } from '../ground.ts'

/** Routes of a project: half of them are fixed, half have a parameter. */
export async function routeCurves(sizes: readonly number[]): Promise<Curve[]> {
  const fixed = new Map<number, Case>()
  const pattern = new Map<number, Case>()
  for (const size of sizes) {
    const server = new Server().configure({ port: 0, host: '127.0.0.1' })
    for (let at = 0; at < size / 2; at += 1) {
      server.router.get(`/part${at}/page`, () => 'fixed')
      server.router.get(`/part${at}/items/:id`, ({ params }) => params.id)
    }
    const get = (path: string): Case => ({
      measure: () => microsOf(() => server.inject({ method: 'GET', url: path })),
    })
    const last = Math.ceil(size / 2) - 1
    fixed.set(size, get(`/part${last}/page`))
    pattern.set(size, get(`/part${last}/items/42`))
  }
  const curve = { group: 'Routes of a project', unit: 'µs', shape: Shapes.Constant } as const
  return [
    { ...curve, name: 'a request without a parameter', cases: fixed },
    { ...curve, name: 'a request with one', cases: pattern },
  ]
}

/** Series of a counter with a label. */
export function seriesCurves(sizes: readonly number[]): Curve[] {
  const counted = new Map<number, Case>()
  const scraped = new Map<number, Case>()
  for (const size of sizes) {
    const registry = new Observability(false)
    const counter = new Counter('visits_total', { cap: size })
    registry.metrics.push(counter)
    for (let at = 0; at < size; at += 1) counter.with({ route: `/part${at}` }).increment()
    const exporter = new Exporters.Prometheus()
    counted.set(size, {
      measure: () => microsOf((at) => counter.with({ route: `/part${at % size}` }).increment()),
    })
    scraped.set(size, { measure: () => microsOf(() => registry.export(exporter)) })
  }
  const curve = { group: 'Series of a metric', unit: 'µs' } as const
  return [
    { ...curve, name: 'counting one', shape: Shapes.Logarithmic, cases: counted },
    { ...curve, name: 'a scrape', shape: Shapes.Linear, cases: scraped },
  ]
}

/** Languages with two hundred messages each. */
export function languageCurves(sizes: readonly number[]): Curve[] {
  const read = new Map<number, Case>()
  const written = new Map<number, Case>()
  for (const size of sizes) {
    const texts = Object.fromEntries(
      Array.from({ length: 200 }, (_, at) => [
        `key${at}`,
        `{count, plural, one {# item} other {# items}} of ${at}`,
      ]),
    )
    const names = Array.from({ length: size }, (_, at) => tag(at))
    const messages: Record<string, Record<string, string>> = Object.fromEntries(
      names.map((name) => [name, texts]),
    )
    const define = () => defineLanguages({ default: tag(0), messages })
    const write = define().in(tag(size - 1))
    read.set(size, { measure: () => microsOf(define) })
    written.set(size, { measure: () => microsOf((at) => write(`key${at % 200}`, { count: at })) })
  }
  const curve = { group: 'Languages of a project', unit: 'µs' } as const
  return [
    { ...curve, name: 'reading the messages at the start', shape: Shapes.Linear, cases: read },
    { ...curve, name: 'writing one', shape: Shapes.Constant, cases: written },
  ]
}

/** `aa`, `ab`, …: a tag for each language, whether or not people speak it. */
function tag(at: number): string {
  return String.fromCharCode(97 + Math.floor(at / 26), 97 + (at % 26))
}

/** Groups of the error inbox, which keeps no more than some thousand. */
export async function inboxCurves(ground: Ground, sizes: readonly number[]): Promise<Curve[]> {
  const recorded = new Map<number, Case>()
  const listed = new Map<number, Case>()
  for (const size of sizes) {
    const nowMs = Date.now()
    const database = await ground.database(
      createErrorTables,
      sql`INSERT INTO error_groups (fingerprint, class, message, place, state, occurrences, first_ms, last_ms,
          first_release, last_release)
        SELECT lpad(to_hex(at), 32, '0'), 'TypeError', 'x is not a function', 'services/lend.ts:7', 'open', at,
          ${nowMs}::bigint - at, ${nowMs}::bigint - at, '1', '1' FROM generate_series(1, ${size}) AS at`,
    )
    const errors = new SqlErrors(database)
    const batch = {
      class: 'TypeError',
      message: 'x is not a function',
      code: null,
      place: 'services/lend.ts:7',
      count: 1,
      firstMs: nowMs,
      lastMs: nowMs,
      release: '1',
      accounts: ['7'],
      titles: ['GET /items'],
      sample: null,
    }
    recorded.set(size, {
      measure: () =>
        microsOf((at) => {
          const fingerprint = (1 + ((at * 7) % size)).toString(16).padStart(32, '0')
          return errors.record({ ...batch, fingerprint })
        }),
    })
    const query = { state: ErrorStates.Open, order: ErrorOrders.LastSeen, offset: 0, limit: 20 }
    listed.set(size, { measure: () => microsOf(() => errors.list({ ...query, search: '' })) })
  }
  const curve = { group: 'Groups in the error inbox', unit: 'µs' } as const
  return [
    { ...curve, name: 'one more occurrence', shape: Shapes.Logarithmic, cases: recorded },
    { ...curve, name: 'the list', shape: Shapes.Linear, cases: listed },
  ]
}
