import { InvalidArgumentException } from '../../base/errors.ts'
import { isPlainRecord } from '../../base/is-record.ts'
import { SessionKeys } from './session-keys.ts'

export type KeyedValues = Readonly<Record<string, unknown>>

/** Contents of a session. Flash values are removed when they are read. */
export interface SessionData {
  readonly values: KeyedValues
  readonly flash: KeyedValues
}

export const emptyData: SessionData = Object.freeze({
  values: Object.freeze({}),
  flash: Object.freeze({}),
})

interface Change {
  readonly present: boolean
  readonly value: unknown
}

const deleted: Change = { present: false, value: null }

/**
 * The changes a request made to keyed values. They are recorded apart from the values, so they can be
 * reapplied to what another request has saved in the meantime.
 */
export class KeyChanges {
  #changes: Map<string, Change> | null = null
  #cleared = false

  get isEmpty(): boolean {
    return this.#changes === null && !this.#cleared
  }

  set(key: string, value: unknown): void {
    this.#record(key, { present: true, value })
  }

  delete(key: string): void {
    this.#record(key, deleted)
  }

  /** Deletes every key, including those that have not been read yet. */
  clear(): void {
    this.#changes = null
    this.#cleared = true
  }

  /** The change to a key; null if it is unchanged. */
  find(key: string): Change | null {
    return this.#changes?.get(key) ?? (this.#cleared ? deleted : null)
  }

  /** The values with the changes applied; the same object if nothing differs. */
  apply(before: KeyedValues): KeyedValues {
    const after = new Map(this.#cleared ? [] : Object.entries(before))
    let differs = this.#cleared && Object.keys(before).length > 0
    for (const [key, { present, value }] of this.#changes ?? []) {
      if (present) after.set(key, value)
      differs = present || after.delete(key) || differs
    }
    // Not by assignment: a key may be called __proto__.
    return differs ? Object.fromEntries(after) : before
  }

  #record(key: string, change: Change): void {
    this.#changes ??= new Map()
    this.#changes.set(key, change)
  }
}

/** Of the contents as JSON. */
const maxBytes = 64 * 1024

/** @throws InvalidArgumentException above 64 KiB. */
export function encodeData(data: SessionData): string {
  const text = JSON.stringify(data)
  const bytes = Buffer.byteLength(text)
  if (bytes > maxBytes) throw tooLarge(`the session (most of it "${largestKey(data)}")`, bytes)
  return text
}

/**
 * Null for a text that is not session data. The parse error is dropped, because its message would
 * quote the contents.
 */
export function decodeData(text: string): SessionData | null {
  try {
    const data: unknown = JSON.parse(text)
    return isData(data) ? data : null
  } catch {
    return null
  }
}

/** Whether these are the data of a sign-in that waits for a factor: nobody is signed in by it. */
export function holdsPending(text: string): boolean {
  const pending = decodeData(text)?.values[SessionKeys.Pending] ?? null
  return pending !== null
}

export function isEmpty({ values, flash }: SessionData): boolean {
  return Object.keys(values).length === 0 && Object.keys(flash).length === 0
}

function largestKey({ values, flash }: SessionData): string {
  const sizes = [...Object.entries(values), ...Object.entries(flash)].map(([key, value]) => ({
    key,
    size: JSON.stringify(value).length,
  }))
  return sizes.sort((one, other) => other.size - one.size)[0]?.key ?? ''
}

/** Whether a parsed JSON text is session data. */
export function isData(data: unknown): data is SessionData {
  return isPlainRecord(data) && isPlainRecord(data['values']) && isPlainRecord(data['flash'])
}

/**
 * A frozen copy of a value after a JSON round trip.
 * @throws InvalidArgumentException for a value that JSON would lose or change, or above 64 KiB.
 */
export function sessionValue(key: string, value: unknown): unknown {
  const text = jsonText(key, value)
  const problem = findProblem(value, `"${key}"`)
  if (text === undefined || problem !== null) {
    throw invalidValue(problem ?? `"${key}" is not a JSON value`)
  }
  const bytes = Buffer.byteLength(text)
  if (bytes > maxBytes) throw tooLarge(`"${key}"`, bytes)
  return typeof value === 'object' ? frozen(JSON.parse(text)) : value
}

/** Freezes a JSON value deeply. */
export function frozen(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const part of Object.values(value)) frozen(part)
  return Object.freeze(value)
}

function tooLarge(what: string, bytes: number): InvalidArgumentException {
  return new InvalidArgumentException(
    'E_SESSION_SIZE',
    `${what} takes ${bytes} bytes of JSON, but a session holds at most ${maxBytes}; keep large values in a table and only their keys here`,
  )
}

// The message of the original error is dropped: it could quote part of the value.
function jsonText(key: string, value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    throw invalidValue(`"${key}" contains itself or a bigint`)
  }
}

/** Describes the first part that would not survive a JSON round trip; null if all would. */
function findProblem(value: unknown, path: string): string | null {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return null
  if (typeof value === 'number') return Number.isFinite(value) ? null : `${path} is ${value}`
  if (typeof value !== 'object') return `${path} is ${nameOf(value)}`
  if (Array.isArray(value)) return findProblemIn(Array.from(value).entries(), path)
  if (nameOf(value) !== 'Object' || 'toJSON' in value) return `${path} is ${nameOf(value)}`
  const kept = Object.entries(value).filter(([, part]) => part !== undefined)
  return findProblemIn(kept, path)
}

function findProblemIn(
  parts: Iterable<readonly [key: string | number, part: unknown]>,
  path: string,
): string | null {
  for (const [key, part] of parts) {
    const problem = findProblem(part, `${path}.${key}`)
    if (problem !== null) return problem
  }
  return null
}

/** `Object` for a plain object, `Date` for a date, and so on. */
function nameOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice('[object '.length, -1)
}

function invalidValue(reason: string): InvalidArgumentException {
  return new InvalidArgumentException(
    'E_SESSION_VALUE',
    `${reason}; a session holds JSON values only: strings, finite numbers, booleans, null, arrays and plain objects`,
  )
}
