import { InvalidArgumentException } from '../../base/errors.ts'

/** Most bytes the values of a session may take as JSON. */
export const mostSessionBytes: number = 64 * 1024

/**
 * A frozen copy of a value as JSON gives it back, so that what is read later is what was set.
 * @throws InvalidArgumentException for what JSON would lose or change, or is larger than 64 KiB.
 */
export function sessionValue(key: string, value: unknown): unknown {
  const text = jsonText(key, value)
  const wrong = firstWrong(value, `"${key}"`)
  if (text === undefined || wrong !== null) throw refused(wrong ?? `"${key}" is no JSON`)
  const bytes = Buffer.byteLength(text)
  if (bytes > mostSessionBytes) throw tooLarge(`"${key}"`, bytes)
  return typeof value === 'object' ? frozen(JSON.parse(text)) : value
}

/** Freezes a JSON value, parts of parts included. */
export function frozen(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const part of partsOf(value)) frozen(part)
  return Object.freeze(value)
}

/** The error for what does not fit into a session. */
export function tooLarge(what: string, bytes: number): InvalidArgumentException {
  return new InvalidArgumentException(
    'E_SESSION_SIZE',
    `${what} takes ${bytes} bytes of JSON, a session holds at most ${mostSessionBytes}; keep large things in a table and their keys here`,
  )
}

// What stringify says of a value is its own affair: the text could hold a part of it.
function jsonText(key: string, value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    throw refused(`"${key}" holds itself, or a bigint`)
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

function refused(reason: string): InvalidArgumentException {
  return new InvalidArgumentException(
    'E_SESSION_VALUE',
    `${reason}; a session keeps JSON values: texts, finite numbers, true, false, null, lists and plain objects of them`,
  )
}
