import { createCipheriv, createDecipheriv, createSecretKey, randomBytes } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { FrameworkError, invalidArgument } from '../errors.ts'
import { derive, subkey } from './secret-key.ts'

const algorithm = 'aes-256-gcm'
const version = 1
const idLength = 8
const saltLength = 32
const headerLength = 1 + idLength + saltLength
const keyLength = 32
const nonceLength = 12
const tagLength = 16

/** A key and the short id that marks what it encrypted. */
interface NamedKey {
  readonly id: Buffer
  readonly key: KeyObject
}

/**
 * Encrypts with AES-256-GCM. The first key encrypts, all of them decrypt, so a key can be replaced
 * while data encrypted with the old one still exists. The layout is version, key id, salt,
 * ciphertext, tag.
 */
export class Encrypter {
  readonly #first: NamedKey
  readonly #keys: readonly NamedKey[]

  /**
   * Data encrypted for one `purpose` cannot be decrypted for another, even with the same keys.
   * @throws InvalidArgumentException when there is no key or one is not 32 bytes long.
   */
  constructor(keys: readonly KeyObject[], purpose: string) {
    this.#keys = keys.map((key) => named(key, purpose))
    const [first] = this.#keys
    if (first === undefined) {
      throw invalidArgument('an encrypter needs at least one key')
    }
    this.#first = first
  }

  /**
   * Encrypts bytes so that only the same key and the same `context` can decrypt them. The context
   * says where they belong (a column, a row), so they cannot be moved elsewhere.
   */
  encrypt(plain: Uint8Array, context: string): Buffer {
    const { id, key } = this.#first
    // Each message gets its own key and nonce: random 96-bit nonces under one key start to repeat
    // after some billions of messages, and a repeated nonce reveals both messages.
    const header = Buffer.concat([Buffer.of(version), id, randomBytes(saltLength)])
    const cipher = createCipheriv(algorithm, ...messageKey(key, header)).setAAD(
      boundTo(header, context),
    )
    return Buffer.concat([header, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
  }

  /** @throws FrameworkError E_DECRYPT when the key is unknown or any byte was changed. */
  decrypt(sealed: Uint8Array, context: string): Buffer {
    const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
    if (bytes.length < headerLength + tagLength || bytes[0] !== version) {
      throw unreadable('they were not encrypted by this framework')
    }
    const header = bytes.subarray(0, headerLength)
    const decipher = createDecipheriv(algorithm, ...messageKey(this.#keyOf(header), header), {
      authTagLength: tagLength,
    })
      .setAAD(boundTo(header, context))
      .setAuthTag(bytes.subarray(-tagLength))
    try {
      const plain = decipher.update(bytes.subarray(headerLength, -tagLength))
      return Buffer.concat([plain, decipher.final()])
    } catch {
      throw unreadable('they were changed, or encrypted for another context')
    }
  }

  #keyOf(header: Buffer): KeyObject {
    const id = header.subarray(1, 1 + idLength)
    const found = this.#keys.find((candidate) => candidate.id.equals(id))
    if (found !== undefined) return found.key
    throw unreadable(
      'their key is neither the current key nor one of the previous keys; add it to the previous keys',
    )
  }
}

function named(key: KeyObject, purpose: string): NamedKey {
  if (key.type !== 'secret' || key.symmetricKeySize !== keyLength) {
    throw invalidArgument(
      `an encryption key must be a secret of ${keyLength} bytes, got ${key.type} of ${key.symmetricKeySize ?? 'no'} bytes`,
    )
  }
  const own = subkey(key, `encryption ${purpose}`)
  return { id: derive(own, '', 'key id', idLength), key: own }
}

function messageKey(key: KeyObject, header: Buffer): [key: KeyObject, nonce: Buffer] {
  const salt = header.subarray(1 + idLength)
  const bytes = derive(key, salt, 'message', keyLength + nonceLength)
  // As a key object: a cipher takes three times as long to set up with the bytes themselves.
  return [createSecretKey(bytes.subarray(0, keyLength)), bytes.subarray(keyLength)]
}

// The header has a fixed length, so no two pairs of header and context concatenate to the same bytes.
function boundTo(header: Buffer, context: string): Buffer {
  return Buffer.concat([header, Buffer.from(context)])
}

function unreadable(reason: string): FrameworkError {
  return new FrameworkError('E_DECRYPT', `encrypted bytes cannot be read: ${reason}`)
}
