import { isoText } from '../../base/time/iso-text.ts'

/**
 * A value as JSON. A `bigint` becomes a string, because many JSON parsers would round it; `undefined`
 * becomes null.
 */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(withQuickRows(value)) ?? 'null'
  } catch (thrown) {
    // A replacer is slow, so it is used only when the first attempt fails on a bigint.
    if (!(thrown instanceof TypeError)) throw thrown
    const replacer = (_key: string, part: unknown): unknown =>
      typeof part === 'bigint' ? String(part) : part
    return JSON.stringify(value, replacer) ?? 'null'
  }
}

/**
 * The same value, in which rows are as JSON has them. One date is enough for V8 to write everything five
 * times as slowly, and a bigint fails.
 */
function withQuickRows(value: unknown): unknown {
  let given = value
  if (!isOrdinary(value)) {
    const toJSON: unknown = Reflect.get(Object(value), 'toJSON')
    if (typeof toJSON === 'function') given = Reflect.apply(toJSON, value, [''])
  }
  if (Array.isArray(given)) return quickRows(given)
  if (!isOrdinary(given)) return value
  for (const name of Object.keys(given)) {
    const rows = given[name]
    if (!Array.isArray(rows)) continue
    const quick = quickRows(rows)
    return quick === rows ? given : { ...given, [name]: quick }
  }
  return given
}

// The first row tells which columns are dates: rows of a table are alike.
function quickRows(rows: readonly unknown[]): readonly unknown[] {
  const [first] = rows
  if (!isOrdinary(first)) return rows
  const names = Object.keys(first).filter((name) => textOf(first[name]) !== null)
  if (names.length === 0) return rows
  return rows.map((row) => {
    if (!isOrdinary(row)) return row
    const copy: Record<string, unknown> = { ...row }
    for (const name of names) copy[name] = textOf(row[name]) ?? row[name]
    return copy
  })
}

function textOf(value: unknown): string | null {
  if (typeof value === 'bigint') return String(value)
  const isDate = value instanceof Date && value.toJSON === Date.prototype.toJSON
  return isDate && Number.isFinite(value.getTime()) ? isoText(value) : null
}

// Anything else may have a form of its own, and a list has `Array.prototype`.
function isOrdinary(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.getPrototypeOf(value) === Object.prototype &&
    !Object.hasOwn(value, 'toJSON')
  )
}
