import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { listName } from './fleet-files.ts'
import { isFolderLocked } from './folder-lock.ts'
import { replaceFileSync } from './write-snapshot-file.ts'

/**
 * Writes the list of workers whose snapshots count, by the names of their files. A worker is on it from
 * its start until its totals are in the `retired` snapshot. Written synchronously: a new worker can only
 * serve once the primary is ready again, so it is always on the list before it counts anything.
 */
export function writeFleetList(folder: string, names: Iterable<string>): void {
  replaceFileSync(join(folder, listName), `${JSON.stringify([...names])}\n`)
}

/** File names of the live workers; null when unknown, and then the age of the files decides. */
export type FleetMembers = () => Promise<ReadonlySet<string> | null>

/** The members for the worker with this file; a list without that worker belongs to another fleet. */
export function membersBeside(file: string): FleetMembers {
  return async () => {
    const members = await readList(join(file, '..'))
    return members?.has(basename(file)) ? members : null
  }
}

/** The members for any other process; the list is only valid while its server is alive. */
export function membersIn(folder: string): FleetMembers {
  return async () => (isFolderLocked(folder) ? readList(folder) : null)
}

async function readList(folder: string): Promise<ReadonlySet<string> | null> {
  try {
    const names: unknown = JSON.parse(await readFile(join(folder, listName), 'utf8'))
    return Array.isArray(names) ? new Set(names.map(String)) : null
  } catch {
    return null
  }
}
