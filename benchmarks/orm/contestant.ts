import { median } from '../method/statistics.ts'
import type { Contests } from './contests.ts'
import { loadLibrary } from './libraries.ts'
import { pageSize } from './posts.ts'
import { type ShownPage, showPages } from './shown-pages.ts'
import { type Work, worksOf } from './work.ts'

/** What the harness asks of a contestant: that many pages of a contest, or those to be checked. */
export type Order = 'show' | { readonly contest: Contests; readonly pages: number }

/** What one page took, over a burst. */
export interface Sample {
  /** The median of all pages, from the call until its objects are there. */
  readonly latencyMicros: number
  /** User and system time of all threads of the process, for each page. */
  readonly cpuMicros: number
}

/** What a contestant answers: that it is connected, a sample, or the pages to be checked. */
export type Answer = 'ready' | Sample | readonly ShownPage[]

const [database = '', client = '', rows = ''] = process.argv.slice(2)
const open = await loadLibrary(database, client)
const library = await open(process.env['ORM_BENCHMARK_URL'] ?? '')
const works = worksOf(library, Number(rows))

process.on('message', (order: Order) => void obey(order))
// A contestant never outlives the harness that started it.
process.on('disconnect', () => process.exit())
answer('ready')

async function obey(order: Order): Promise<void> {
  if (order === 'show') answer(await showPages(library, Number(rows)))
  else answer(await measure(works[order.contest], order.pages))
}

function answer(message: Answer): void {
  process.send?.(message)
}

async function measure(work: Work, pages: number): Promise<Sample> {
  const latencies = new Float64Array(pages)
  const before = process.cpuUsage()
  for (let page = 0; page < pages; page++) {
    const began = performance.now()
    const pending = work()
    // Synchronous libraries are not made to wait.
    const { items } = pending instanceof Promise ? await pending : pending
    latencies[page] = (performance.now() - began) * 1_000
    if (items.length !== pageSize)
      throw new Error(`a page of ${items.length} rows, not ${pageSize}`)
  }
  const { user, system } = process.cpuUsage(before)
  return { latencyMicros: median([...latencies]), cpuMicros: (user + system) / pages }
}
