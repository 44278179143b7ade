import { randomBytes } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parseKey } from '../../../base/crypto/parse-key.ts'
import { ConfigurationError } from '../../../base/errors.ts'
import { hasCode } from '../../../base/files/has-code.ts'
import { unwritableReason } from '../../../base/files/explain-unwritable.ts'

/**
 * The key kept in a file that only its owner can read; it is made when there is none. Processes that
 * start at once get the same one.
 * @throws ConfigurationError E_APP_KEY when the file holds something else or cannot be written.
 */
export function keptKey(path: string): KeyObject {
  try {
    return readKey(path) ?? makeKey(path)
  } catch (error) {
    const reason = unwritableReason(error, dirname(path))
    if (reason === null) throw error
    const message = `the application key cannot be kept: ${reason}, or set APP_KEY`
    throw new ConfigurationError('E_APP_KEY', message, { cause: error })
  }
}

function readKey(path: string): KeyObject | null {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null
    throw error
  }
  const key = parseKey(text.trim())
  if (key !== undefined) return key
  throw new ConfigurationError(
    'E_APP_KEY',
    `${path} holds no key of 32 bytes; put the key back, or remove the file and what was encrypted with it`,
  )
}

function makeKey(path: string): KeyObject {
  mkdirSync(dirname(path), { recursive: true })
  const fresh = `${path}.${process.pid}`
  writeFileSync(fresh, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600 })
  try {
    // Unlike a rename it never replaces: whoever comes second takes the key of the first.
    linkSync(fresh, path)
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  } finally {
    rmSync(fresh, { force: true })
  }
  return readKey(path) ?? makeKey(path)
}
