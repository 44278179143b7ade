import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { hasCode } from '../../src/base/errors.ts'
import { waitFor } from './wait-for.ts'

/** Only ends what hangs. */
const seconds = 280

/**
 * A folder that `make` fills once for all processes of a test run: the first one that asks, while the
 * others wait. Nobody may change what is in it. Without the runner each process fills its own.
 */
export async function madeOnce(
  name: string,
  make: (folder: string) => Promise<unknown>,
): Promise<string> {
  const shared = process.env['FRAMEWORK_TEST_SHARED'] ?? ''
  if (shared === '') return madeHere(name, make)
  const folder = join(shared, name)
  const [done, failed] = [`${folder}.done`, `${folder}.failed`]
  if (await isNew(folder)) {
    try {
      await make(folder)
      await writeFile(done, '')
    } catch (error) {
      await writeFile(failed, String(error))
      throw error
    }
    return folder
  }
  await waitFor(`${name} of another process`, () => existsSync(done) || existsSync(failed), seconds)
  if (existsSync(failed)) throw new Error(await readFile(failed, 'utf8'))
  return folder
}

/**
 * Fills the folder `to`, which does not exist yet: with `make` in the first process of a test run that asks,
 * with a copy of what that made in the others. Owners stay the same.
 */
export async function copyOnce(
  name: string,
  to: string,
  make: (to: string) => Promise<unknown>,
): Promise<void> {
  if ((process.env['FRAMEWORK_TEST_SHARED'] ?? '') === '') {
    await make(to)
    return
  }
  const kept = await madeOnce(name, async (folder) => {
    await make(to)
    await copy(to, join(folder, 'copy'))
  })
  if (!existsSync(to)) await copy(join(kept, 'copy'), to)
}

async function copy(from: string, to: string): Promise<void> {
  await promisify(execFile)('cp', ['-a', from, to])
}

async function madeHere(name: string, make: (folder: string) => Promise<unknown>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), `framework-${name}-`))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  await make(folder)
  return folder
}

async function isNew(folder: string): Promise<boolean> {
  try {
    await mkdir(folder)
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw error
  }
}
