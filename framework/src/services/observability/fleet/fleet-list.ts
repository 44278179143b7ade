import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { listName, temporary, workerFile } from '../fleet-files.ts'
import type { SnapshotOwner } from '../fleet-files.ts'
import { isFolderLocked } from './folder-lock.ts'

/**
 * The list of those whose snapshots count, written by the one who knows: the primary. A worker is on
 * it from its birth until what it counted is among the retired.
 */
export class FleetList {
  readonly #folder: string
  readonly #names = new Set<string>()

  constructor(folder: string) {
    this.#folder = folder
  }

  /**
   * Writes somebody down, before this returns: a new worker needs the primary in order to serve, so
   * nobody meets its counts who does not find it on the list.
   */
  add(owner: SnapshotOwner): void {
    this.#names.add(this.#nameOf(owner))
    this.#write()
  }

  /** Strikes somebody off. */
  remove(owner: SnapshotOwner): void {
    if (this.#names.delete(this.#nameOf(owner))) this.#write()
  }

  #nameOf(owner: SnapshotOwner): string {
    return basename(workerFile(this.#folder, owner))
  }

  #write(): void {
    const path = join(this.#folder, listName)
    const fresh = `${path}.${process.pid}${temporary}`
    try {
      writeFileSync(fresh, `${JSON.stringify([...this.#names])}\n`)
      renameSync(fresh, path)
    } catch (error) {
      rmSync(fresh, { force: true })
      throw error
    }
  }
}

/** Names of the workers' files that count; null when nobody says, and the age of files decides. */
export type FleetMembers = () => Promise<ReadonlySet<string> | null>

/** The members as the worker with this file knows them: on a list without it stand others. */
export function membersBeside(file: string): FleetMembers {
  return async () => {
    const members = await readList(join(file, '..'))
    return members?.has(basename(file)) ? members : null
  }
}

/** The members as any other process knows them: a list is worth something while its server lives. */
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
