import type { KeyObject } from 'node:crypto'
import { join } from 'node:path'
import { Encrypter } from '../../../base/crypto/encrypter.ts'
import { subkey } from '../../../base/crypto/subkey.ts'
import { keyWeakness } from '../../../base/crypto/key-weakness.ts'
import { ConfigurationError } from '../../../base/errors.ts'
import type { KeyValues } from '../../config/key-scope.ts'
import { Environments } from '../../environments/environments.ts'
import { keptKey } from './kept-key.ts'

/** Where an application runs, as far as its key depends on it: a `Boot` is such a place. */
export interface KeyPlace {
  /** Folder of the project. */
  readonly root: string
  readonly environment: Environments
}

/** The secret of an application and its former ones. It cannot be read out, printed or logged. */
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

  /** A key for one purpose, made of the current one: `key.derive('cursors')` signs cursors. */
  derive(purpose: string): KeyObject {
    return subkey(this.#current, `derived ${purpose}`)
  }
}

/**
 * The key of an application from the values of `keyScope`. In development and test a missing one is
 * made and kept in `storage/app.key`.
 * @throws ConfigurationError E_APP_KEY when it is missing or easy to guess where people depend on it.
 */
export function applicationKey(
  { current, previous }: KeyValues,
  { root, environment }: KeyPlace,
): ApplicationKey {
  const isLocal = environment === Environments.Development || environment === Environments.Test
  if (current === null) {
    // Commands beside a server in development are often run without naming that.
    if (!isLocal) {
      throw invalidKey(
        `APP_KEY is not set, and this is ${environment}; say --environment development if it is not, else`,
      )
    }
    return new ApplicationKey(keptKey(join(root, 'storage', 'app.key')), previous)
  }
  const weakness = isLocal ? null : keyWeakness(current)
  if (weakness !== null) throw invalidKey(`APP_KEY is easy to guess: ${weakness};`)
  return new ApplicationKey(current, previous)
}

function invalidKey(reason: string): ConfigurationError {
  return new ConfigurationError(
    'E_APP_KEY',
    `${reason} set it to 32 random bytes, such as \`openssl rand -hex 32\` prints, and keep it: ` +
      'what was encrypted with it is lost without it',
  )
}
