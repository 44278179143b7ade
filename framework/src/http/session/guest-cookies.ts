import { hash } from 'node:crypto'
import { messageOverhead } from '../../base/crypto/message-encrypter.ts'
import type { MessageEncrypter } from '../../base/crypto/message-encrypter.ts'
import { pooledRandomBytes } from '../../base/crypto/random-pool.ts'
import { RecentTexts } from '../../base/encoding/recent-texts.ts'
import { isPlainRecord } from '../../base/is-record.ts'
import type { ApplicationKey } from '../../settings/application-key.ts'
import { frozen, isData } from './session-data.ts'
import type { SessionData, KeyedValues } from './session-data.ts'
import { SessionKeys, csrfKey } from './session-keys.ts'

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
  readonly #opened = new RecentTexts<Guest>(maxOpened)

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
    if (guest === null) return null
    // Several requests share it, and nobody changes it.
    frozen(guest)
    return this.#opened.set(value, guest)
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

/**
 * The data without what does not fit into `maxBytes` of JSON. First go the largest fields of `old`, the
 * input of a form to show again; then `intended`, the other values, the `errors` at the fields and at
 * last the `message`. The CSRF token always stays.
 */
export function fitGuest(data: SessionData, maxBytes: number): SessionData {
  const bytes = Buffer.byteLength(JSON.stringify(data))
  if (bytes <= maxBytes) return data
  // The last entry of a record has no comma, which is counted all the same: in `values`, `flash`, `old`.
  let excess = bytes + 3 - maxBytes
  const drop = (from: Record<string, unknown>, keys: readonly string[]): void => {
    const sized = keys.map((key) => ({ key, size: sizeOf(key, from[key]) }))
    for (const { key, size } of sized.sort((one, other) => other.size - one.size)) {
      if (excess <= 0 || !Object.hasOwn(from, key)) continue
      excess -= size
      Reflect.deleteProperty(from, key)
    }
  }
  const values = { ...data.values }
  const flash: Record<string, unknown> = { ...data.flash }
  const { old } = flash
  if (isPlainRecord(old)) {
    const fields = { ...old }
    drop(fields, Object.keys(fields))
    if (Object.keys(fields).length > 0) flash['old'] = fields
    else delete flash['old']
  } else drop(flash, ['old'])
  drop(values, [SessionKeys.Intended])
  drop(values, keysBut(values, csrfKey))
  drop(flash, keysBut(flash, 'old', 'errors', 'message'))
  drop(flash, ['errors'])
  drop(flash, ['message'])
  return { values, flash }
}

/** Bytes of JSON with a comma. */
function sizeOf(key: string, value: unknown): number {
  return Buffer.byteLength(`${JSON.stringify(key)}:${JSON.stringify(value)},`)
}

function keysBut(values: KeyedValues, ...others: readonly string[]): readonly string[] {
  return Object.keys(values).filter((key) => !others.includes(key))
}
