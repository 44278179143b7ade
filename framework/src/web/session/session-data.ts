import { InvalidArgumentException } from '../../base/errors.ts'
import { mostSessionBytes, tooLarge } from './session-value.ts'

/** Values by key. */
export type KeyedValues = Readonly<Record<string, unknown>>

/** What a session holds: values that stay, and those that are taken when they are read. */
export interface SessionData {
  readonly values: KeyedValues
  readonly flash: KeyedValues
}

/** What a new session holds. */
export const emptyData: SessionData = Object.freeze({
  values: Object.freeze({}),
  flash: Object.freeze({}),
})

/** Longest identity that is indexed, in characters. */
const longestIdentity = 255

const deviceForm = /^[\w-]{1,64}$/

/** @throws InvalidArgumentException when it takes more than 64 KiB. */
export function encodeData(data: SessionData): string {
  const text = JSON.stringify(data)
  const bytes = Buffer.byteLength(text)
  if (bytes > mostSessionBytes)
    throw tooLarge(`the session, "${largestKey(data)}" foremost,`, bytes)
  return text
}

/**
 * Null for a text that is no session. The failure itself is not told: it would quote what somebody
 * keeps in the session.
 */
export function decodeData(text: string): SessionData | null {
  try {
    const data: unknown = JSON.parse(text)
    return isData(data) ? data : null
  } catch {
    return null
  }
}

/** Whether nothing is in it. */
export function isEmpty({ values, flash }: SessionData): boolean {
  return Object.keys(values).length === 0 && Object.keys(flash).length === 0
}

/**
 * Whose session it is, by the value a guard keeps in it: an id, or an object that has one.
 * @throws InvalidArgumentException for an id that cannot be indexed.
 */
export function identityOf(value: unknown): string | null {
  const id: unknown =
    typeof value === 'object' && value !== null && 'id' in value ? value.id : value
  if (typeof id !== 'string' && typeof id !== 'number') return null
  const text = String(id)
  if (text.length <= longestIdentity && text.isWellFormed() && !text.includes('\0')) {
    return text === '' ? null : text
  }
  throw new InvalidArgumentException(
    'E_SESSION_VALUE',
    `the id of an identity is a text of at most ${longestIdentity} characters without NUL`,
  )
}

/** Which device a session belongs to, by what stands under the key `device`; null for none. */
export function deviceOf(value: unknown): string | null {
  return typeof value === 'string' && deviceForm.test(value) ? value : null
}

function largestKey({ values, flash }: SessionData): string {
  const sizes = [...Object.entries(values), ...Object.entries(flash)].map(([key, value]) => ({
    key,
    size: JSON.stringify(value).length,
  }))
  return sizes.sort((one, other) => other.size - one.size)[0]?.key ?? ''
}

function isData(data: unknown): data is SessionData {
  return isRecord(data) && isRecord(data['values']) && isRecord(data['flash'])
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
