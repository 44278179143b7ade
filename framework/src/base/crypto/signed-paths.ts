import type { KeyObject } from 'node:crypto'
import { InvalidArgumentException } from '../errors.ts'
import { epochSeconds } from '../time/epoch-seconds.ts'

/** What a signature says about a request. */
export type SignatureState = 'valid' | 'expired' | 'invalid'

const expiryName = 'expires'
const signatureName = 'signature'
// At the end: anything that was added after it, such as the mark of a mail program, is not signed.
const signed = /^(.+)([?&])signature=([\w-]{43})$/
const expiry = /[?&]expires=(\d{1,12})$/

/** Signs paths with their query, and checks them: nobody can change or guess one. */
export class SignedPaths {
  readonly #keys: readonly [KeyObject, ...KeyObject[]]
  readonly #clock: () => number

  /** @param key The application key, whose previous keys still verify. */
  constructor(
    key: { deriveAll(purpose: string): readonly KeyObject[] },
    clock: () => number = epochSeconds,
  ) {
    const [current, ...previous] = key.deriveAll('signed urls')
    if (current === undefined) throw invalid('the key of signed URLs derives no key')
    this.#keys = [current, ...previous]
    this.#clock = clock
  }

  /**
   * The path with a signature, valid for so many seconds; without them it has no end.
   * @throws InvalidArgumentException for an invalid lifetime, or a query that uses the names of the two.
   */
  sign(path: string, expires?: number): string {
    for (const reserved of [expiryName, signatureName]) {
      if (path.includes(`?${reserved}=`) || path.includes(`&${reserved}=`)) {
        throw invalid(`a signed URL has a "${reserved}" of its own`)
      }
    }
    const target =
      expires === undefined
        ? path
        : `${path}${markAfter(path)}${expiryName}=${this.#until(expires)}`
    return `${target}${markAfter(target)}${signatureName}=${sign(this.#keys[0], target)}`
  }

  /** What the signature of a path with its query says, in constant time. */
  check(target: string): SignatureState {
    const [, text = '', mark, signature = ''] = signed.exec(target) ?? []
    // After another mark the signature would be a part of the path.
    if (mark !== markAfter(text)) return 'invalid'
    // As texts: several of them have the same bytes.
    const given = Buffer.from(signature)
    const { timingSafeEqual } = process.getBuiltinModule('node:crypto')
    const isSigned = this.#keys.some((key) => timingSafeEqual(Buffer.from(sign(key, text)), given))
    if (!isSigned) return 'invalid'
    const until = expiry.exec(text)?.[1]
    return until === undefined || Number(until) > this.#clock() ? 'valid' : 'expired'
  }

  #until(seconds: number): number {
    if (!Number.isFinite(seconds) || seconds <= 0 || seconds > 1e10) {
      throw invalid(`"expires" is a number of seconds above 0, got ${seconds}`)
    }
    return Math.ceil(this.#clock() + seconds)
  }
}

function markAfter(target: string): string {
  return target.includes('?') ? '&' : '?'
}

function sign(key: KeyObject, text: string): string {
  const { createHmac } = process.getBuiltinModule('node:crypto')
  return createHmac('sha256', key).update(text).digest('base64url')
}

function invalid(reason: string): InvalidArgumentException {
  return new InvalidArgumentException('E_SIGNED_URL', reason)
}
