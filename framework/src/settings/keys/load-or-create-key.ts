import { randomBytes } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parseKey } from '../../base/crypto/parse-key.ts'
import { ConfigurationError } from '../../base/errors.ts'
import { hasCode } from '../../base/files/has-code.ts'
import { privateFile, privateFolder, tighten } from '../../base/files/private-files.ts'
import { unwritableReason } from '../../base/files/explain-unwritable.ts'

/**
 * Loads the key from a file that only its owner can read, or creates it. Processes that start
 * together get the same key.
 * @throws ConfigurationError E_APP_KEY when the file contains anything else or cannot be written.
 */
export function loadOrCreateKey(path: string): KeyObject {
  try {
    return readKey(path) ?? createKey(path)
  } catch (error) {
    const reason = unwritableReason(error, dirname(path))
    if (reason === null) throw error
    const message = `the application key cannot be stored: ${reason}, or set APP_KEY`
    throw new ConfigurationError('E_APP_KEY', message, { cause: error })
  }
}

function readKey(path: string): KeyObject | null {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
    tighten(path, privateFile)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null
    throw error
  }
  const key = parseKey(text.trim())
  if (key !== undefined) return key
  throw new ConfigurationError(
    'E_APP_KEY',
    `${path} does not contain a key of 32 bytes; restore it, or remove it together with the data encrypted with it`,
  )
}

function createKey(path: string): KeyObject {
  mkdirSync(dirname(path), { recursive: true, mode: privateFolder })
  const fresh = `${path}.${process.pid}`
  writeFileSync(fresh, `${randomBytes(32).toString('hex')}\n`, { mode: privateFile })
  try {
    // Unlike a rename, a link never replaces: the second process uses the key of the first.
    linkSync(fresh, path)
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  } finally {
    rmSync(fresh, { force: true })
  }
  return readKey(path) ?? createKey(path)
}
