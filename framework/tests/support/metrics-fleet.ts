import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { Snapshot } from '../../src/metrics/snapshot.ts'
import { startServer } from './start-server.ts'
import type { StartedServer } from './start-server.ts'

/** The script of a server with metrics. */
export const metricsServer: string = join(import.meta.dirname, 'metrics-server.ts')

/** A fleet with metrics, and the folder of its snapshots. */
export interface MetricsFleet extends StartedServer {
  readonly folder: string
  readonly origin: string
}

/** A new folder for snapshots, removed after the test. */
export function metricsFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'framework-fleet-'))
  // After the fleet was killed, possibly during a write.
  t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))
  return folder
}

/** Starts a fleet with these server options and its own folder. */
export async function startMetricsFleet(t: TestContext, options: object): Promise<MetricsFleet> {
  const folder = metricsFolder(t)
  const server = await startServer(t, metricsServer, {
    observability: { folder, interval: 1 },
    ...options,
  })
  return { ...server, folder, origin: `http://127.0.0.1:${server.port}` }
}

/** Scrapes the fleet over a new connection, from whichever worker responds. */
export async function scrape({ origin }: MetricsFleet): Promise<Snapshot> {
  const headers = { accept: 'application/json', connection: 'close' }
  // A stopped worker accepts connections but does not respond.
  const answer = await fetch(`${origin}/metrics`, { headers, signal: AbortSignal.timeout(5_000) })
  assert.equal(answer.status, 200)
  return Snapshot.import(await answer.json())
}

/** Like `scrape`; null if the worker has just ended or does not respond. */
export async function scrapeOrNull(fleet: MetricsFleet): Promise<Snapshot | null> {
  try {
    return await scrape(fleet)
  } catch {
    return null
  }
}

/** The sum of a metric's series with these labels. */
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

/** Process ids of the workers that served, in the order they started. */
export function workerPids({ lines }: Pick<StartedServer, 'lines'>): number[] {
  return lines.flatMap(({ worker }) => (typeof worker === 'number' ? [worker] : []))
}

/** Remembers all counter and histogram values, and reports those that fell. */
export class FallWatch {
  readonly fallen: string[] = []
  readonly #highest = new Map<string, number>()

  /** Checks the next snapshot; series labelled with a process id may disappear. */
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
