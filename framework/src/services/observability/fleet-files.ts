import { readdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'

/** Who left a snapshot: a place in the fleet and a process. */
export interface SnapshotOwner {
  readonly slot: number
  readonly pid: number
}

/** Name of the file with what dead workers had counted. */
export const retiredName = 'retired.json'

/** Name of the file that lists whose snapshots count. */
export const listName = 'fleet.list'

/** How the name of a file ends that is still being written. */
export const temporary = '.tmp'

const ours = /^(?:(?:worker-\d+-\d+|retired)\.json|fleet\.list)(?:\..*\.tmp)?$/
const workerName = /^worker-\d+-\d+\.json$/

/** The file a worker leaves its snapshot in. */
export function workerFile(folder: string, { slot, pid }: SnapshotOwner): string {
  return join(folder, `worker-${slot}-${pid}.json`)
}

/** Whether a file of that name belongs to a fleet: the snapshot of a worker, or of the retired. */
export function isFleetFile(name: string): boolean {
  return name === retiredName || workerName.test(name)
}

/** What matches every snapshot in the folder, also when its name holds signs of a pattern. */
export function snapshotPattern(folder: string): string {
  // Node's patterns have no escape; a set of one sign is that sign, and braces are left open.
  const name = folder.replaceAll(/[{}\\]/g, '?').replaceAll(/[*[\]()]/g, '[$&]')
  return join(name, '*.json')
}

/** Removes what an earlier fleet left in the folder, and nothing else. */
export async function clearFolder(folder: string): Promise<void> {
  const names = await readdir(folder).catch((): string[] => [])
  const left = names.filter((name) => ours.test(name))
  await Promise.all(left.map((name) => rm(join(folder, name), { force: true })))
}

/** Removes a worker's file and what it may have been writing when it died. */
export async function removeWorkerFile(folder: string, owner: SnapshotOwner): Promise<void> {
  const name = basename(workerFile(folder, owner))
  const names = await readdir(folder).catch((): string[] => [])
  const left = names.filter((found) => found === name || found.startsWith(`${name}.`))
  await Promise.all(left.map((found) => rm(join(folder, found), { force: true })))
}
