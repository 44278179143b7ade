import type { ColumnReference } from '../plan/column-reference.ts'
import { Operators } from '../plan/operators.ts'
import { millisecondOf } from '../values/moment.ts'
import type { Millisecond } from '../values/moment.ts'
import type { Draft } from './draft.ts'

/**
 * Compares a timestamp column with a `Date`, which stands for its whole millisecond: databases store
 * microseconds, and the `Date` that was read from a row must find it again. Null for values and
 * operators that mean nothing special here.
 */
export function writeMillisecond(
  column: ColumnReference,
  operator: Operators,
  value: unknown,
  draft: Draft,
): string | null {
  if (operator === Operators.Between) return writeRange(column, value, draft)
  if (operator === Operators.In) return writeAny(column, value, draft)
  const found = millisecond(value)
  const write = writers[operator]
  return found === null || write === undefined ? null : write(new Bounds(column, draft), found)
}

type Writer = (bounds: Bounds, { start, end }: Millisecond) => string

const writers: Readonly<Partial<Record<Operators, Writer>>> = {
  [Operators.Equal]: (bounds, found) => bounds.within(found, found),
  [Operators.Unequal]: (bounds, { start, end }) =>
    `(${bounds.before(start)} OR ${bounds.from(end)})`,
  [Operators.Greater]: (bounds, { end }) => bounds.from(end),
  [Operators.GreaterOrEqual]: (bounds, { start }) => bounds.from(start),
  [Operators.Less]: (bounds, { start }) => bounds.before(start),
  [Operators.LessOrEqual]: (bounds, { end }) => bounds.before(end),
}

function writeRange(column: ColumnReference, range: unknown, draft: Draft): string | null {
  if (!Array.isArray(range) || range.length !== 2) return null
  const first = millisecond(range[0])
  const last = millisecond(range[1])
  return first === null || last === null ? null : new Bounds(column, draft).within(first, last)
}

function writeAny(column: ColumnReference, values: unknown, draft: Draft): string | null {
  if (!Array.isArray(values) || values.length === 0) return null
  const found = values.map(millisecond).filter((one) => one !== null)
  if (found.length < values.length) return null
  const bounds = new Bounds(column, draft)
  return anyOf(found.map((one) => bounds.within(one, one)))
}

// In groups, because a database may limit how deep an expression is, and each OR is one deeper.
function anyOf(conditions: readonly string[]): string {
  if (conditions.length <= maxAlternatives) return `(${conditions.join(' OR ')})`
  const groups: string[] = []
  for (let at = 0; at < conditions.length; at += maxAlternatives) {
    groups.push(anyOf(conditions.slice(at, at + maxAlternatives)))
  }
  return anyOf(groups)
}

const maxAlternatives = 500

function millisecond(value: unknown): Millisecond | null {
  return value instanceof Date ? millisecondOf(value) : null
}

/** Writes the bounds of a column; null is the end of all times. */
class Bounds {
  readonly #column: ColumnReference
  readonly #draft: Draft

  constructor(column: ColumnReference, draft: Draft) {
    this.#column = column
    this.#draft = draft
  }

  from(start: string | null): string {
    return start === null ? '1 = 0' : `${this.#name} >= ${this.#bound(start)}`
  }

  before(end: string | null): string {
    return end === null ? `${this.#name} IS NOT NULL` : `${this.#name} < ${this.#bound(end)}`
  }

  within({ start }: Millisecond, { end }: Millisecond): string {
    return `(${this.from(start)} AND ${this.before(end)})`
  }

  get #name(): string {
    return this.#draft.name(this.#column)
  }

  #bound(text: string): string {
    return this.#draft.comparand(this.#column, text)
  }
}
