import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../framework/tests/support/free-port.ts'
import { AskedProcess } from '../method/asked-process.ts'
import type { Pin } from '../method/pinning.ts'

/** What the servers of a run share. */
export interface Stage {
  /** Where a server with this name sends its spans. */
  endpoint(name: string): string
  /** How many spans a server with this name has sent. */
  spansOf(name: string): Promise<number>
  /** A folder for what a server writes. */
  newFolder(): Promise<string>
  /** Ends the sink and removes everything. */
  close(): Promise<void>
}

/** Starts the sink beside the load. */
export async function openStage(pin: Pin): Promise<Stage> {
  const port = await freePort()
  const label = 'the sink'
  const sink = await AskedProcess.start(`${import.meta.dirname}/sink.ts`, [String(port)], {
    label,
    pin,
  })
  const folder = await mkdtemp(join(tmpdir(), 'framework-observability-'))
  const endpoint = (name: string): string => `http://127.0.0.1:${port}/${name}`
  let folders = 0
  return {
    endpoint,
    async spansOf(name) {
      const counts: unknown = await (await fetch(endpoint(name))).json()
      const isCounts = typeof counts === 'object' && counts !== null && 'spans' in counts
      return isCounts ? Number(counts.spans) : Number.NaN
    },
    async newFolder() {
      const made = join(folder, String((folders += 1)))
      await mkdir(made)
      return made
    },
    async close() {
      await sink.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
