import { createCipheriv, createDecipheriv, createSecretKey, randomBytes } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { RecentTexts } from '../encoding/recent-texts.ts'
import { derive, subkey } from './secret-key.ts'

const algorithm = 'aes-256-gcm'
const idLength = 8
const saltLength = 16
const counterLength = 6
const headerLength = idLength + saltLength + counterLength
const keyLength = 32
const nonceLength = 12
const tagLength = 16

/** What the encryption adds to a message, in bytes. */
export const messageOverhead: number = headerLength + tagLength

/** Messages of one derived key, and how long it is used. */
const maxMessages = 2 ** 32
const maxAgeMs = 600_000

/** Derived keys that are remembered: those of a day of a fleet. */
const maxKeys = 4096

/** A derived key in use: its messages are numbered, so a nonce never comes twice. */
interface Batch {
  readonly header: Buffer
  readonly key: KeyObject
  readonly startedMs: number
  count: number
}

/**
 * Encrypts many short messages with AES-256-GCM, such as a cookie with each response. Unlike `Encrypter`
 * it derives a key for ten minutes of messages rather than for each: deriving takes longer than the
 * rest. The layout is key id, salt, number, ciphertext, tag.
 */
export class MessageEncrypter {
  readonly #keys: readonly (readonly [id: Buffer, key: KeyObject])[]
  readonly #derived = new RecentTexts<KeyObject>(maxKeys)
  #batch: Batch | null = null

  /** The first key encrypts, all of them decrypt; what was encrypted for one purpose serves no other. */
  constructor(keys: readonly KeyObject[], purpose: string) {
    this.#keys = keys.map((key) => {
      const own = subkey(key, `messages ${purpose}`)
      return [derive(own, '', 'key id', idLength), own]
    })
  }

  encrypt(plain: Uint8Array): Buffer {
    const { header, key, count } = this.#next()
    const sealed = Buffer.allocUnsafe(headerLength + plain.length + tagLength)
    header.copy(sealed)
    sealed.writeUIntBE(count, headerLength - counterLength, counterLength)
    const cipher = createCipheriv(algorithm, key, nonceOf(sealed))
    cipher.update(plain).copy(sealed, headerLength)
    cipher.final()
    cipher.getAuthTag().copy(sealed, headerLength + plain.length)
    return sealed
  }

  /** Null for bytes that it did not encrypt, or that were changed. */
  decrypt(sealed: Buffer): Buffer | null {
    if (sealed.length < messageOverhead) return null
    const name = sealed.toString('latin1', 0, idLength + saltLength)
    const known = this.#derived.get(name)
    const key = known ?? this.#derive(sealed)
    if (key === null) return null
    const decipher = createDecipheriv(algorithm, key, nonceOf(sealed), { authTagLength: tagLength })
    decipher.setAuthTag(sealed.subarray(-tagLength))
    const plain = decipher.update(sealed.subarray(headerLength, -tagLength))
    try {
      decipher.final()
    } catch {
      return null
    }
    // Only now: made-up salts must not take the place of others.
    if (known === undefined) this.#derived.set(name, key)
    return plain
  }

  #next(): Batch {
    const batch = this.#batch
    const nowMs = performance.now()
    if (batch !== null && batch.count < maxMessages && nowMs - batch.startedMs < maxAgeMs) {
      batch.count += 1
      return batch
    }
    const header = Buffer.alloc(headerLength)
    this.#keys[0]?.[0].copy(header)
    randomBytes(saltLength).copy(header, idLength)
    const key = this.#derive(header) ?? createSecretKey(randomBytes(keyLength))
    this.#batch = { header, key, startedMs: nowMs, count: 0 }
    return this.#batch
  }

  #derive(header: Buffer): KeyObject | null {
    const id = header.subarray(0, idLength)
    const found = this.#keys.find(([known]) => known.equals(id))
    if (found === undefined) return null
    const salt = header.subarray(idLength, idLength + saltLength)
    return createSecretKey(derive(found[1], salt, 'batch', keyLength))
  }
}

/** The number of the message, as long as a nonce. */
function nonceOf(sealed: Buffer): Buffer {
  const nonce = Buffer.alloc(nonceLength)
  sealed.copy(nonce, nonceLength - counterLength, headerLength - counterLength, headerLength)
  return nonce
}
