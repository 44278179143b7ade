import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { FrameworkError, InvalidArgumentException } from '../errors.ts'
import { derive, subkey } from './subkey.ts'

const algorithm = 'aes-256-gcm'
const version = 1
const idLength = 8
const saltLength = 32
const headerLength = 1 + idLength + saltLength
const keyLength = 32
const nonceLength = 12
const tagLength = 16

/** One key and the short name under which what it encrypted is found again. */
interface NamedKey {
  readonly id: Buffer
  readonly key: KeyObject
}

/**
 * Encrypts with AES-256-GCM. The first key encrypts, all of them decrypt, so that a key can be
 * replaced while bytes of the old one are still around. The layout is version, key id, salt,
 * ciphertext, tag.
 */
export class Encrypter {
  readonly #first: NamedKey
  readonly #keys: readonly NamedKey[]

  /**
   * `purpose` keeps the bytes of one use apart from those of another use of the same keys.
   * @throws InvalidArgumentException without a key, or for one that has not 32 bytes.
   */
  constructor(keys: readonly KeyObject[], purpose: string) {
    this.#keys = keys.map((key) => named(key, purpose))
    const [first] = this.#keys
    if (first === undefined) {
      throw new InvalidArgumentException('E_INVALID_ARGUMENT', 'an encrypter needs a key or more')
    }
    this.#first = first
  }

  /**
   * The bytes, readable only with the key and the same `context`: the place they belong to, so that
   * nobody can move them to another.
   */
  encrypt(plain: Uint8Array, context: string): Buffer {
    const { id, key } = this.#first
    // A key and a nonce of their own for each message: random nonces of 96 bits under one key would
    // begin to repeat after some billions of messages, and a repeated one gives both away.
    const header = Buffer.concat([Buffer.of(version), id, randomBytes(saltLength)])
    const cipher = createCipheriv(algorithm, ...messageKey(key, header)).setAAD(
      boundTo(header, context),
    )
    return Buffer.concat([header, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
  }

  /** @throws FrameworkError E_DECRYPT when a key is unknown, or when anything of it was changed. */
  decrypt(sealed: Uint8Array, context: string): Buffer {
    const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
    if (bytes.length < headerLength + tagLength || bytes[0] !== version) {
      throw unreadable('they are not what this framework encrypts')
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
      throw unreadable('they were changed, or belong to another place')
    }
  }

  #keyOf(header: Buffer): KeyObject {
    const id = header.subarray(1, 1 + idLength)
    const found = this.#keys.find((candidate) => candidate.id.equals(id))
    if (found !== undefined) return found.key
    throw unreadable(
      'their key is neither the current one nor among the previous ones; give it back as a previous key',
    )
  }
}

function named(key: KeyObject, purpose: string): NamedKey {
  if (key.type !== 'secret' || key.symmetricKeySize !== keyLength) {
    throw new InvalidArgumentException(
      'E_INVALID_ARGUMENT',
      `a key to encrypt with is a secret of ${keyLength} bytes, got ${key.type} of ${key.symmetricKeySize ?? 'no'} bytes`,
    )
  }
  const own = subkey(key, `encryption ${purpose}`)
  return { id: derive(own, '', 'key id', idLength), key: own }
}

function messageKey(key: KeyObject, header: Buffer): [key: Buffer, nonce: Buffer] {
  const salt = header.subarray(1 + idLength)
  const bytes = derive(key, salt, 'message', keyLength + nonceLength)
  return [bytes.subarray(0, keyLength), bytes.subarray(keyLength)]
}

// The header has a fixed length, so that no two pairs of header and context run together.
function boundTo(header: Buffer, context: string): Buffer {
  return Buffer.concat([header, Buffer.from(context)])
}

function unreadable(reason: string): FrameworkError {
  return new FrameworkError('E_DECRYPT', `encrypted bytes cannot be read: ${reason}`)
}
