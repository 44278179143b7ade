import { readdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'

/** The worker that wrote a snapshot: its slot in the fleet and its process id. */
export interface SnapshotOwner {
  readonly slot: number
  readonly pid: number
}

/** Name of the file with the totals of dead workers. */
export const retiredName = 'retired.json'

/** Name of the file that lists the live workers. */
export const listName = 'fleet.list'

/** Suffix of files that are still being written. */
export const temporarySuffix = '.tmp'

const fleetFile =
  /^(?:worker-\d+-\d+\.json|retired\.json|fleet\.list)(?:\..*\.tmp)?$|\.past\..*\.tmp$/
const workerName = /^worker-\d+-\d+\.json$/

/** The snapshot file of a worker. */
export function workerFile(folder: string, { slot, pid }: SnapshotOwner): string {
  return join(folder, `worker-${slot}-${pid}.json`)
}

/** Whether this is the name of a snapshot file: of a worker, or of the retired ones. */
export function isFleetFile(name: string): boolean {
  return name === retiredName || workerName.test(name)
}

/** A glob for all snapshots in the folder, even if its path contains glob characters. */
export function snapshotPattern(folder: string): string {
  // Node's globs have no escape: a set with one character matches it, and `?` stands for braces.
  const name = folder.replaceAll(/[{}\\]/g, '?').replaceAll(/[*[\]()]/g, '[$&]')
  return join(name, '*.json')
}

/** Removes the files of an earlier fleet from the folder, and no others; what it kept of the last hour stays. */
export async function clearFolder(folder: string): Promise<void> {
  await removeFiles(folder, (name) => fleetFile.test(name))
}

/** Removes a worker's files, including a partial one it was writing when it died. */
export async function removeWorkerFile(folder: string, owner: SnapshotOwner): Promise<void> {
  const start = basename(workerFile(folder, owner)).replace(/json$/, '')
  await removeFiles(folder, (name) => name.startsWith(start))
}

async function removeFiles(folder: string, holds: (name: string) => boolean): Promise<void> {
  const names = await readdir(folder).catch((): string[] => [])
  await Promise.all(names.filter(holds).map((name) => rm(join(folder, name), { force: true })))
}
