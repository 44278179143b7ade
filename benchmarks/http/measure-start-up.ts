import type { Entrant } from './contests.ts'
import { unpinned } from '../method/pinning.ts'
import { ServerProcess } from './server-process.ts'

/** The times from spawn to open port of one entrant, one for each spawn. */
export interface StartUp {
  readonly entrant: Entrant
  readonly timesMs: readonly number[]
}

/**
 * Starts and stops each server several times, taking turns and one at a time. The processes may
 * use all cores, as they would when an application starts.
 */
export async function measureStartUp(
  entrants: readonly Entrant[],
  spawns: number,
  serversFolder: string,
): Promise<readonly StartUp[]> {
  const times = entrants.map((entrant) => ({ entrant, timesMs: new Array<number>() }))
  // the first spawn of each fills the file cache and is not counted
  for (let spawn = 0; spawn <= spawns; spawn++) {
    console.error(`start-up: ${spawn} of ${spawns}`)
    for (const { entrant, timesMs } of times) {
      const server = await ServerProcess.start(entrant, serversFolder, unpinned)
      await server.stop()
      if (spawn > 0) timesMs.push(server.startUpMs)
    }
  }
  return times
}
