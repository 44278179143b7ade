import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** The command line, behind `taskset` where that keeps a process on one core. */
export type Pin = (command: readonly string[]) => readonly string[]

/** Keeps the server and the load generator from sharing a core. */
export interface Pinning {
  readonly server: Pin
  readonly load: Pin
  readonly description: string
}

/** Leaves a command where the system puts it. */
export const unpinned: Pin = (command) => command

/** Server on core 0, load on core 1; nothing is pinned where `taskset` or a second core is missing. */
export async function findPinning(): Promise<Pinning> {
  try {
    await promisify(execFile)('taskset', ['-c', '0', 'taskset', '-c', '1', 'true'])
  } catch {
    return { server: unpinned, load: unpinned, description: 'not pinned to cores' }
  }
  return {
    server: (command) => ['taskset', '-c', '0', ...command],
    load: (command) => ['taskset', '-c', '1', ...command],
    description: 'servers on core 0, load on core 1 (taskset)',
  }
}

/**
 * Moves this process to a core, and with it what it starts from now on. Returns whether that could
 * be done.
 */
export async function moveToCore(core: number): Promise<boolean> {
  try {
    await promisify(execFile)('taskset', ['-a', '-c', '-p', String(core), String(process.pid)])
    return true
  } catch {
    return false
  }
}
