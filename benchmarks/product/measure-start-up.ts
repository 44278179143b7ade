import { setTimeout } from 'node:timers/promises'
import { freePort } from '../../framework/tests/support/free-port.ts'
import { AskedProcess } from '../method/asked-process.ts'
import { unpinned } from '../method/pinning.ts'
import { type Entrant, startFile } from './entrants.ts'
import { exchange } from './exchange.ts'
import { environmentOf } from './server-process.ts'
import type { PlantedDatabase, Stage } from './stage.ts'
import type { Task } from './tasks.ts'

/** The times from spawn to the first page in ms, by label. */
export type StartUps = ReadonlyMap<string, readonly number[]>

/** Starts and stops each server several times, taking turns and one at a time, on all cores. */
export async function measureStartUps(
  entrants: readonly Entrant[],
  task: Task,
  stage: Stage,
  { folder, spawns }: { readonly folder: string; readonly spawns: number },
): Promise<StartUps> {
  const database = await stage.newDatabase(task.database)
  const times = new Map<string, number[]>(entrants.map(({ label }) => [label, []]))
  // The first spawn of each fills the file cache and is not counted.
  for (let spawn = 0; spawn <= spawns; spawn++) {
    console.error(`start-up: ${spawn} of ${spawns}`)
    for (const entrant of entrants) {
      const tookMs = await startOnce(startFile(folder, entrant, 'js'), task, database, stage)
      if (spawn > 0) times.get(entrant.label)?.push(tookMs)
    }
  }
  return times
}

async function startOnce(
  script: string,
  task: Task,
  database: PlantedDatabase,
  stage: Stage,
): Promise<number> {
  const port = await freePort()
  const env = await environmentOf(task, database, stage)
  const url = `http://127.0.0.1:${port}${task.path}`
  const startMs = performance.now()
  const process = await AskedProcess.start(script, [String(port)], {
    label: script,
    pin: unpinned,
    env,
    silent: true,
  })
  try {
    const { status } = await exchange({ url })
    if (status !== 200) throw new Error(`${url} answers ${status}, expected 200`)
    return performance.now() - startMs
  } finally {
    await process.stop()
    // What the process left to the system should not slow the next one.
    await setTimeout(50)
  }
}
