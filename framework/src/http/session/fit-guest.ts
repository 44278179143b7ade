import { SessionKeys, csrfKey } from './session-keys.ts'
import type { KeyedValues, SessionData } from './session-data.ts'

/** A key, its value, and their bytes of JSON with a comma. */
type Entry = readonly [key: string, value: unknown, size: number]

/**
 * The data without what does not fit into `maxBytes` of JSON. First go the largest fields of `old`, the
 * input of a form to show again; then `intended`, the other values, the `errors` at the fields and at
 * last the `message`. The CSRF token always stays.
 */
export function fitGuest(data: SessionData, maxBytes: number): SessionData {
  const bytes = Buffer.byteLength(JSON.stringify(data))
  if (bytes <= maxBytes) return data
  // The last entry of a record has no comma, which is counted all the same: in `values`, `flash`, `old`.
  let excess = bytes + 3 - maxBytes
  const keep = (entries: readonly Entry[]): Entry[] =>
    entries.filter(([, , size]) => {
      if (excess <= 0) return true
      excess -= size
      return false
    })
  const { old, errors, message, ...flashed } = data.flash
  const { [csrfKey]: csrf, [SessionKeys.Intended]: intended, ...others } = data.values
  const fields = isFields(old) ? keep(largestFirst(old)) : []
  const shown = fields.length > 0 ? present('old', recordOf(fields)) : []
  const other = isFields(old) ? [] : keep(present('old', old))
  const values = [...keep(present(SessionKeys.Intended, intended)), ...keep(largestFirst(others))]
  const flash = [
    ...keep(largestFirst(flashed)),
    ...keep(present('errors', errors)),
    ...keep(present('message', message)),
  ]
  return {
    values: recordOf([...present(csrfKey, csrf), ...values]),
    flash: recordOf([...shown, ...other, ...flash]),
  }
}

function isFields(value: unknown): value is KeyedValues {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function present(key: string, value: unknown): readonly Entry[] {
  return value === undefined ? [] : [entry(key, value)]
}

function largestFirst(values: KeyedValues): readonly Entry[] {
  const entries = Object.entries(values).map(([key, value]) => entry(key, value))
  return entries.sort(([, , one], [, , other]) => other - one)
}

function entry(key: string, value: unknown): Entry {
  return [key, value, Buffer.byteLength(`${JSON.stringify(key)}:${JSON.stringify(value)},`)]
}

// Not by assignment: a key may be called __proto__.
function recordOf(entries: readonly Entry[]): KeyedValues {
  return Object.fromEntries(entries.map(([key, value]) => [key, value]))
}
