import { open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { hasCode } from '../base/errors.ts'
import { tryLock } from './lock-file.ts'

// A process that checked the file just before its rotation may still write to it just after. Files
// are deleted only after this grace period.
const GRACE_MS = 10_000

/** What to rotate, and how many rotated files to keep. */
export interface Rotation {
  readonly path: string
  /** The full file; when `path` has another inode, the file was already rotated. */
  readonly inode: bigint
  /** Day the file belongs to, `YYYY-MM-DD`, for its new name. */
  readonly day: string
  /** How many rotated files are kept. */
  readonly keep: number
  readonly nowMs: number
}

/**
 * Renames the file to `<path>.<day>.<n>` and deletes the oldest files beyond `keep`. Returns false
 * when another process is rotating: the caller keeps writing and finds the new file later.
 */
export async function rotate(rotation: Rotation): Promise<boolean> {
  const { path, inode, day } = rotation
  const release = await tryLock(`${path}.lock`)
  if (release === null) return false
  try {
    const found = await stat(path, { bigint: true }).catch(() => null)
    if (found?.ino === inode) await moveTo(await reserveName(path, day), path)
    await prune(rotation)
    return true
  } finally {
    await release()
  }
}

interface Rotated {
  readonly name: string
  readonly day: string
  readonly number: number
}

/** The rotated files of a log, oldest first. */
async function rotated(path: string): Promise<Rotated[]> {
  const start = `${basename(path)}.`
  const names = await readdir(dirname(path))
  return names
    .flatMap((name) => {
      const parts = name.startsWith(start)
        ? /^(\d{4}-\d\d-\d\d)\.(\d+)$/.exec(name.slice(start.length))
        : null
      const [, day, number] = parts ?? []
      return day === undefined ? [] : [{ name, day, number: Number(number) }]
    })
    .sort((a, b) => (a.day === b.day ? a.number - b.number : a.day < b.day ? -1 : 1))
}

/** Reserves the next free name of the day by creating the file, so that no rename overwrites lines. */
export async function reserveName(path: string, day: string): Promise<string> {
  const last = (await rotated(path)).findLast((file) => file.day === day)
  for (let number = (last?.number ?? 0) + 1; ; number++) {
    const target = `${path}.${day}.${number}`
    try {
      await (await open(target, 'wx')).close()
      return target
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error
    }
  }
}

async function moveTo(reserved: string, path: string): Promise<void> {
  try {
    await rename(path, reserved)
  } catch (error) {
    await rm(reserved, { force: true })
    if (!hasCode(error, 'ENOENT')) throw error
  }
}

async function prune({ path, keep, nowMs }: Rotation): Promise<void> {
  const files = await rotated(path)
  for (const { name } of files.slice(0, Math.max(0, files.length - keep))) {
    const file = join(dirname(path), name)
    const found = await stat(file).catch(() => null)
    if (found !== null && nowMs - found.ctimeMs > GRACE_MS) await rm(file, { force: true })
  }
}
