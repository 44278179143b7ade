import { InvalidArgumentException } from '../base/errors.ts'

/** An encoded message and its envelope. */
export interface Letter {
  /** Its Message-ID, without the angle brackets. */
  readonly id: string
  /** Envelope sender, to which bounces are returned. */
  readonly from: string
  /** Envelope recipients, including `bcc`. */
  readonly to: readonly string[]
  readonly raw: Uint8Array
}

/** A letter as JSON; `raw` is a Latin-1 string. */
export interface PackedLetter {
  readonly id: string
  readonly from: string
  /** None for a rehearsal. */
  readonly to: readonly string[]
  /** Those of a rehearsal, who get nothing: they only keep its size. */
  readonly unsent: readonly string[]
  readonly raw: string
}

/** Converts a letter to JSON for a queue. */
export function packLetter({ id, from, to, raw }: Letter): PackedLetter {
  return { id, from, to: [...to], unsent: [], raw: Buffer.from(raw).toString('latin1') }
}

/** @throws InvalidArgumentException when it is not a packed letter; the value is not shown. */
export function unpackLetter(packed: unknown): Letter {
  if (!isPacked(packed)) {
    throw new InvalidArgumentException(
      'E_INVALID_ARGUMENT',
      'a job of the mail queue does not contain a letter; only the mailer may push jobs to it',
    )
  }
  const { id, from, to, raw } = packed
  return { id, from, to, raw: Buffer.from(raw, 'latin1') }
}

function isPacked(value: unknown): value is PackedLetter {
  if (typeof value !== 'object' || value === null) return false
  if (!('id' in value && 'from' in value && 'to' in value && 'raw' in value)) return false
  const { id, from, to, raw } = value
  const texts = [id, from, raw].every((part) => typeof part === 'string')
  return texts && Array.isArray(to) && to.every((one) => typeof one === 'string')
}
