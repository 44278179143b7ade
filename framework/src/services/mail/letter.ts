import { InvalidArgumentException } from '../../base/errors.ts'

/** A message as it travels: finished bytes, and whom they go to. */
export interface Letter {
  /** Its Message-ID, without the angle brackets. */
  readonly id: string
  /** Where it is returned to. */
  readonly from: string
  /** Everybody who gets it, those of `bcc` included. */
  readonly to: readonly string[]
  readonly raw: Uint8Array
}

/** A letter as JSON; the bytes are characters up to 255. */
export interface PackedLetter {
  readonly id: string
  readonly from: string
  readonly to: readonly string[]
  readonly raw: string
}

/** Makes a letter fit for a queue. */
export function packLetter({ id, from, to, raw }: Letter): PackedLetter {
  return { id, from, to: [...to], raw: Buffer.from(raw).toString('latin1') }
}

/** @throws InvalidArgumentException for what is no packed letter; it is not shown. */
export function unpackLetter(packed: unknown): Letter {
  if (!isPacked(packed)) {
    throw new InvalidArgumentException(
      'E_INVALID_ARGUMENT',
      'a job of the mail queue holds no letter; only the mailer puts jobs there',
    )
  }
  return { ...packed, raw: Buffer.from(packed.raw, 'latin1') }
}

function isPacked(value: unknown): value is PackedLetter {
  if (typeof value !== 'object' || value === null) return false
  if (!('id' in value && 'from' in value && 'to' in value && 'raw' in value)) return false
  const { id, from, to, raw } = value
  const texts = [id, from, raw].every((part) => typeof part === 'string')
  return texts && Array.isArray(to) && to.every((one) => typeof one === 'string')
}
