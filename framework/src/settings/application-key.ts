import { randomBytes } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, dirname } from 'node:path'
import { Encrypter } from '../base/crypto/encrypter.ts'
import { MessageEncrypter } from '../base/crypto/message-encrypter.ts'
import { keyWeakness, parseKey, subkey } from '../base/crypto/secret-key.ts'
import { ConfigurationError, hasCode } from '../base/errors.ts'
import { unwritableReason } from '../base/files/explain-unwritable.ts'
import { privateFile, privateFolder, tighten } from '../base/files/private-files.ts'
import { Environments } from './environments.ts'
import type { KeyValues } from './key-settings.ts'

/** The project a key belongs to. The `Boot` of a project can be passed. */
export interface KeyContext {
  /** Folder of the project. */
  readonly root: string
  readonly environment: Environments
}

/** The key of an application and its previous keys. It cannot be read, printed or logged. */
export class ApplicationKey {
  readonly #current: KeyObject
  readonly #previous: readonly KeyObject[]

  constructor(current: KeyObject, previous: readonly KeyObject[] = []) {
    this.#current = current
    this.#previous = previous
  }

  /** Encrypts with the current key and decrypts with the previous ones too, for one purpose. */
  encrypter(purpose: string): Encrypter {
    return new Encrypter([this.#current, ...this.#previous], purpose)
  }

  /** Encrypts and decrypts many short messages, such as cookies, for one purpose. */
  messageEncrypter(purpose: string): MessageEncrypter {
    return new MessageEncrypter([this.#current, ...this.#previous], purpose)
  }

  /** Derives a key for one purpose from the current key: `key.derive('cursors')` signs cursors. */
  derive(purpose: string): KeyObject {
    return subkey(this.#current, `derived ${purpose}`)
  }

  /** The keys for one purpose, that of the current key first: what previous ones signed stays valid. */
  deriveAll(purpose: string): readonly KeyObject[] {
    return [this.#current, ...this.#previous].map((key) => subkey(key, `derived ${purpose}`))
  }
}

/**
 * The key of an application from the values of `keyScope`. In development and test a missing key is
 * generated and kept in `storage/app.key`.
 * @throws ConfigurationError E_APP_KEY when it is missing or weak in any other environment.
 */
export function applicationKey(
  { current, previous }: KeyValues,
  { root, environment }: KeyContext,
): ApplicationKey {
  const isLocal = environment === Environments.Development || environment === Environments.Test
  if (current === null) {
    // Commands run beside a development server are often started without naming the environment.
    if (!isLocal) {
      throw invalidKey(
        `APP_KEY is not set in the ${environment} environment; use --environment development on a development machine, or`,
      )
    }
    return new ApplicationKey(loadOrCreateKey(join(root, 'storage', 'app.key')), previous)
  }
  const weakness = isLocal ? null : keyWeakness(current)
  if (weakness !== null) throw invalidKey(`APP_KEY is easy to guess: ${weakness};`)
  return new ApplicationKey(current, previous)
}

function invalidKey(reason: string): ConfigurationError {
  return new ConfigurationError(
    'E_APP_KEY',
    `${reason} set it to 32 random bytes, as printed by \`openssl rand -hex 32\`, and keep it: ` +
      'data encrypted with it cannot be read without it',
  )
}

/**
 * Loads the key from a file that only its owner can read, or creates it. Processes that start
 * together get the same key.
 * @throws ConfigurationError E_APP_KEY when the file contains anything else or cannot be written.
 */
function loadOrCreateKey(path: string): KeyObject {
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
