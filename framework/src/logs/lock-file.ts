import { open, readFile, rm, stat } from 'node:fs/promises'
import { hasCode } from '../base/errors.ts'
import { isAlive } from '../base/is-alive.ts'

// Far longer than any work done while holding the lock.
const STALE_MS = 10_000

/**
 * Takes the lock and returns a function that releases it, or returns null when the lock is held. A
 * lock whose process is dead, or that is older than ten seconds, is taken over.
 */
export async function tryLock(path: string): Promise<(() => Promise<void>) | null> {
  const release = (): Promise<void> => rm(path, { force: true })
  if (await create(path)) return release
  if (!(await isStale(path))) return null
  // One takeover at a time: a second one would remove the new lock of the first.
  const guard = `${path}.takeover`
  if (!(await create(guard))) {
    if (await isStale(guard)) await rm(guard, { force: true })
    return null
  }
  try {
    if (await isStale(path)) await rm(path, { force: true })
    return (await create(path)) ? release : null
  } finally {
    await rm(guard, { force: true })
  }
}

async function create(path: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx')
    try {
      await file.writeFile(String(process.pid))
    } finally {
      await file.close()
    }
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw error
  }
}

async function isStale(path: string): Promise<boolean> {
  try {
    const { mtimeMs } = await stat(path)
    if (Date.now() - mtimeMs > STALE_MS) return true
    const holder = await readFile(path, 'utf8')
    return /^\d+$/.test(holder) && !isAlive(Number(holder))
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false
    throw error
  }
}
