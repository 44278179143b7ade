import { clients, Contests } from './contests.ts'
import type { Works } from './clients/work.ts'
import { counterSeries, histogramSeries } from './workload.ts'

/** What the harness asks of a contestant: to do the work of a contest that often, or to prove it. */
export interface Order {
  readonly contest: Contests
  readonly times: number
}

/** Nanoseconds the work took altogether. */
export interface Took {
  readonly nanoseconds: number
}

const [given = ''] = process.argv.slice(2)
const works = await load(given)
const done = new Map<Contests, number>()

process.on('message', (order: Order) => void obey(order))
// a contestant never outlives the harness that started it
process.on('disconnect', () => process.exit())
process.send?.('ready')

async function obey({ contest, times }: Order): Promise<void> {
  const work = works[contest]
  if (work === undefined) throw new Error(`${given} takes no part in ${contest}`)
  const beganMs = performance.now()
  const pending = work.run(times)
  if (pending !== undefined) await pending
  const took: Took = { nanoseconds: (performance.now() - beganMs) * 1_000_000 }
  done.set(contest, (done.get(contest) ?? 0) + times)
  prove(contest, await work.result())
  process.send?.(took)
}

/** @throws Error when a library did not do what it was asked to. */
function prove(contest: Contests, result: number | string): void {
  if (typeof result === 'number') {
    const expected = done.get(contest)
    if (result !== expected) throw new Error(`${contest}: expected ${expected}, came ${result}`)
    return
  }
  const [name, count] =
    contest === Contests.ScrapeCounters
      ? ['http_requests_total', counterSeries]
      : ['http_request_duration_seconds_bucket', histogramSeries * 12]
  const lines = result.split('\n').filter((line) => line.startsWith(`${name}{`))
  if (lines.length !== count) throw new Error(`${contest}: ${lines.length} lines, not ${count}`)
}

async function load(name: string): Promise<Works> {
  switch (name) {
    case 'ours':
      return (await import('./clients/ours.ts')).works
    case 'prom-client': {
      const { promWorks } = await import('./clients/prometheus-clients.ts')
      return promWorks(await import('prom-client'))
    }
    case 'prometheus-io': {
      const { promWorks } = await import('./clients/prometheus-clients.ts')
      return promWorks(await import('@prometheus-io/client'))
    }
    case 'clock':
      return (await import('./clients/clock.ts')).works
    case 'otel':
      return (await import('./clients/otel.ts')).works
    default:
      throw new Error(`expected one of ${Object.keys(clients).join(', ')}, came ${name}`)
  }
}
