import { hash } from 'node:crypto'
import { messageOverhead } from '../../base/crypto/message-encrypter.ts'
import type { MessageEncrypter } from '../../base/crypto/message-encrypter.ts'
import { pooledRandomBytes } from '../../base/crypto/random-pool.ts'
import type { ApplicationKey } from '../../settings/keys/application-key.ts'
import { fitGuest } from './fit-guest.ts'
import { frozen, isData } from './session-data.ts'
import type { SessionData } from './session-data.ts'

/** The session of a visitor who has not signed in, as its cookie holds it. */
export interface Guest {
  /** Random; tells the requests of one guest from those of others. */
  readonly id: string
  /** Epoch seconds. */
  readonly created: number
  readonly data: SessionData
}

/** Marks a value as sealed data; an id has no dot. */
const version = '1.'

/** Of the cookie's value: browsers drop cookies of more than 4,096 bytes, name and flags included. */
export const maxGuestCookie = 3584

/** Bytes of JSON that fit into the cookie. */
const maxJson = Math.floor(((maxGuestCookie - version.length) * 3) / 4) - messageOverhead

/** Cookies whose content is remembered, so that the next page of the same guest need not decrypt it. */
const maxOpened = 500

const idBytes = 16
const idFormat = /^[\w-]{22}$/

/**
 * Seals the session of a guest into its cookie, encrypted and authenticated with the application key.
 * So a visitor who has not signed in costs the store nothing.
 */
export class GuestCookies {
  readonly #encrypter: MessageEncrypter
  readonly #opened = new Map<string, Guest>()

  constructor(key: ApplicationKey) {
    this.#encrypter = key.messageEncrypter('guest session')
  }

  /** The cookie's value. Data that does not fit is left out, see `fitGuest`. */
  seal({ id, created, data }: Guest): string {
    let plain = Buffer.from(JSON.stringify([id, created, data]))
    if (plain.length > maxJson) {
      const head = JSON.stringify([id, created, 0]).length
      plain = Buffer.from(JSON.stringify([id, created, fitGuest(data, maxJson - head)]))
    }
    return version + this.#encrypter.encrypt(plain).toString('base64url')
  }

  /** Null for a value that this application did not seal. */
  open(value: string): Guest | null {
    const known = this.#opened.get(value)
    if (known !== undefined) return known
    if (value.length > maxGuestCookie) return null
    const sealed = Buffer.from(value.slice(version.length), 'base64url')
    const plain = this.#encrypter.decrypt(sealed)
    if (plain === null) return null
    // The decryption is authenticated: it is JSON of `seal`.
    const guest = guestIn(JSON.parse(plain.toString()))
    if (guest !== null) this.#remember(value, guest)
    return guest
  }

  // Several requests share it, and nobody changes it.
  #remember(value: string, guest: Guest): void {
    if (this.#opened.size >= maxOpened) this.#opened.clear()
    frozen(guest)
    this.#opened.set(value, guest)
  }
}

/** Whether a cookie's value may be sealed data. */
export function isSealedGuest(value: string | undefined): value is string {
  return value?.startsWith(version) ?? false
}

export function newGuestId(): string {
  return pooledRandomBytes(idBytes).toString('base64url')
}

/** Stands for the guest where a session has the digest of its id; no id has this digest. */
export function guestDigest(id: string): string {
  return hash('sha256', `guest ${id}`, 'hex')
}

function guestIn(parts: unknown): Guest | null {
  const [id, created, data]: readonly unknown[] = Array.isArray(parts) ? parts : []
  if (typeof id !== 'string' || !idFormat.test(id) || !Number.isSafeInteger(created)) return null
  return isData(data) ? { id, created: Number(created), data } : null
}
