import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { Snapshot } from '../../src/services/observability/snapshot.ts'
import { startServer } from './start-server.ts'
import type { StartedServer } from './start-server.ts'

/** The server that measures itself. */
export const metricsServer: string = join(import.meta.dirname, 'metrics-server.ts')

/** A fleet that measures itself, and the folder of its snapshots. */
export interface MetricsFleet extends StartedServer {
  readonly folder: string
  readonly origin: string
}

/** A new folder for snapshots; it is removed after the test. */
export function metricsFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'framework-fleet-'))
  // After the fleet was killed, which may be in the middle of a write.
  t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))
  return folder
}

/** Starts a fleet with these server options and a folder of its own. */
export async function startMetricsFleet(t: TestContext, options: object): Promise<MetricsFleet> {
  const folder = metricsFolder(t)
  const server = await startServer(t, metricsServer, {
    observability: { folder, interval: 1 },
    ...options,
  })
  return { ...server, folder, origin: `http://127.0.0.1:${server.port}` }
}

/** The values of a fleet, by whichever worker answers on a connection of its own. */
export async function scrape({ origin }: MetricsFleet): Promise<Snapshot> {
  const headers = { accept: 'application/json', connection: 'close' }
  // A worker that is stopped takes connections and answers none.
  const answer = await fetch(`${origin}/metrics`, { headers, signal: AbortSignal.timeout(5_000) })
  assert.equal(answer.status, 200)
  return Snapshot.import(await answer.json())
}

/** As `scrape`; null when the worker that was asked has just ended, or does not answer. */
export async function scrapeOrNull(fleet: MetricsFleet): Promise<Snapshot | null> {
  try {
    return await scrape(fleet)
  } catch {
    return null
  }
}

/** The sum of the series of a metric that have these labels. */
export function sum(
  { metrics }: Snapshot,
  name: string,
  labels: Record<string, string> = {},
): number {
  let total = 0
  for (const series of metrics[name]?.series ?? []) {
    const fits = Object.entries(labels).every(([key, value]) => series.labels[key] === value)
    if (fits) total += 'value' in series ? series.value : series.count
  }
  return total
}

/** Process ids of the workers that served, in the order they came up. */
export function workerPids({ lines }: Pick<StartedServer, 'lines'>): number[] {
  return lines.flatMap(({ worker }) => (typeof worker === 'number' ? [worker] : []))
}

/** Remembers every number of counters and histograms, and tells which ones fell. */
export class FallWatch {
  readonly fallen: string[] = []
  readonly #highest = new Map<string, number>()

  /** Looks at the next snapshot; series that bear the id of a process may go. */
  see(snapshot: Snapshot | null): void {
    for (const [key, value] of risingNumbers(snapshot)) {
      const before = this.#highest.get(key)
      if (before !== undefined && value < before) this.fallen.push(`${key}: ${before} to ${value}`)
      this.#highest.set(key, Math.max(value, before ?? value))
    }
    if (snapshot === null) return
    const keys = new Set(risingNumbers(snapshot).map(([key]) => key))
    for (const key of this.#highest.keys()) if (!keys.has(key)) this.fallen.push(`${key}: gone`)
  }
}

function risingNumbers(snapshot: Snapshot | null): [key: string, value: number][] {
  const numbers: [string, number][] = []
  for (const [name, { type, series }] of Object.entries(snapshot?.metrics ?? {})) {
    if (type === 'gauge') continue
    for (const one of series) {
      if ('pid' in one.labels) continue
      const key = `${name}${JSON.stringify(one.labels)}`
      if ('value' in one) numbers.push([key, one.value])
      else numbers.push([`${key} sum`, one.sum], [`${key} count`, one.count])
    }
  }
  return numbers
}
