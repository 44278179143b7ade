import { InvalidArgumentException } from '../../base/errors.ts'

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

/** Most bytes the values of a session may take as JSON. */
const maxBytes = 64 * 1024

/** @throws InvalidArgumentException when it takes more than 64 KiB. */
export function encodeData(data: SessionData): string {
  const text = JSON.stringify(data)
  const bytes = Buffer.byteLength(text)
  if (bytes > maxBytes) throw tooLarge(`the session, "${maxKey(data)}" foremost,`, bytes)
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

function maxKey({ values, flash }: SessionData): string {
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

/**
 * A frozen copy of a value as JSON gives it back, so that what is read later is what was set.
 * @throws InvalidArgumentException for what JSON would lose or change, or is larger than 64 KiB.
 */
export function sessionValue(key: string, value: unknown): unknown {
  const text = jsonText(key, value)
  const wrong = firstWrong(value, `"${key}"`)
  if (text === undefined || wrong !== null) throw invalidValue(wrong ?? `"${key}" is no JSON`)
  const bytes = Buffer.byteLength(text)
  if (bytes > maxBytes) throw tooLarge(`"${key}"`, bytes)
  return typeof value === 'object' ? frozen(JSON.parse(text)) : value
}

/** Freezes a JSON value, parts of parts included. */
export function frozen(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const part of partsOf(value)) frozen(part)
  return Object.freeze(value)
}

/** The error for what does not fit into a session. */
function tooLarge(what: string, bytes: number): InvalidArgumentException {
  return new InvalidArgumentException(
    'E_SESSION_SIZE',
    `${what} takes ${bytes} bytes of JSON, a session holds at most ${maxBytes}; keep large things in a table and their keys here`,
  )
}

// What stringify says of a value is its own affair: the text could hold a part of it.
function jsonText(key: string, value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    throw invalidValue(`"${key}" holds itself, or a bigint`)
  }
}

/** Says in words where the first part is that would not come back as it is; null when all would. */
function firstWrong(value: unknown, place: string): string | null {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return null
  if (typeof value === 'number') return Number.isFinite(value) ? null : `${place} is ${value}`
  if (typeof value !== 'object') return `${place} is ${nameOf(value)}`
  if (Array.isArray(value)) return firstWrongOf(Array.from(value).entries(), place)
  if (nameOf(value) !== 'Object' || 'toJSON' in value) return `${place} is ${nameOf(value)}`
  const kept = Object.entries(value).filter(([, part]) => part !== undefined)
  return firstWrongOf(kept, place)
}

function firstWrongOf(
  parts: Iterable<readonly [key: string | number, part: unknown]>,
  place: string,
): string | null {
  for (const [key, part] of parts) {
    const wrong = firstWrong(part, `${place}.${key}`)
    if (wrong !== null) return wrong
  }
  return null
}

/** `Object` for a plain object, `Date` for a date, and so on. */
function nameOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice('[object '.length, -1)
}

function partsOf(value: object): readonly unknown[] {
  return Object.values(value)
}

function invalidValue(reason: string): InvalidArgumentException {
  return new InvalidArgumentException(
    'E_SESSION_VALUE',
    `${reason}; a session keeps JSON values: texts, finite numbers, true, false, null, lists and plain objects of them`,
  )
}
