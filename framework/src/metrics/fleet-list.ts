import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { privateFile } from '../base/files/private-files.ts'
import { listName, temporarySuffix, workerFile } from './fleet-files.ts'
import type { SnapshotOwner } from './fleet-files.ts'
import { isFolderLocked } from './folder-lock.ts'

/**
 * The list of workers whose snapshots count, written by the primary. A worker is on it from its
 * start until its totals are in the `retired` snapshot.
 */
export class FleetList {
  readonly #folder: string
  readonly #names = new Set<string>()

  constructor(folder: string) {
    this.#folder = folder
  }

  /**
   * Adds a worker. Written synchronously: a new worker can only serve once the primary is ready
   * again, so it is always on the list before it counts anything.
   */
  add(owner: SnapshotOwner): void {
    this.#names.add(this.#nameOf(owner))
    this.#write()
  }

  remove(owner: SnapshotOwner): void {
    if (this.#names.delete(this.#nameOf(owner))) this.#write()
  }

  #nameOf(owner: SnapshotOwner): string {
    return basename(workerFile(this.#folder, owner))
  }

  #write(): void {
    const path = join(this.#folder, listName)
    const fresh = `${path}.${process.pid}${temporarySuffix}`
    try {
      writeFileSync(fresh, `${JSON.stringify([...this.#names])}\n`, { mode: privateFile })
      renameSync(fresh, path)
    } catch (error) {
      rmSync(fresh, { force: true })
      throw error
    }
  }
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
