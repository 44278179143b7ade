import { InvalidArgumentException } from '../../base/errors.ts'
import type { JsonSchema } from '../../base/schema/json-schema.ts'
import type { Condition } from '../../database/sql/plan/condition.ts'
import { Matches, Operators } from '../../database/sql/plan/operators.ts'
import type { AnyEntity, EntityColumn } from '../../orm/entity/entity.ts'
import type { AnySelection, Scope } from '../../orm/selection.ts'
import type { FilterKind, FilterOptions, ListFilter } from './list-filter.ts'
import { parseSwitch, valueParser } from './parse-value.ts'
import type { ValueParser, RangeEnd } from './parse-value.ts'
import type { QueryReader, ParsedValue } from './query-reader.ts'

/** The parameters of a filter. */
interface FilterParameters {
  /** As JSON Schema, by name. */
  readonly parameters: Readonly<Record<string, JsonSchema>>
  /** Reads its value; what is invalid is noted by the reader. */
  read(reader: QueryReader): unknown
}

/** A filter of a list with its parameters. */
export interface BoundFilter<E extends AnyEntity> extends FilterParameters {
  /** Narrows a selection to the rows that its value asks for. */
  narrow(selection: AnySelection<E>, value: unknown): void
}

/** A filter that compares a column. */
interface ColumnFilter extends FilterParameters {
  /** Of the rows that its value asks for. */
  conditions(value: unknown): readonly Condition[]
}

const maxValues = 100

/**
 * Binds a filter to its parameter and its column.
 * @throws InvalidArgumentException (E_LIST, E_COLUMN) if the column does not suit it.
 */
export function bindFilter<E extends AnyEntity>(
  entity: E,
  name: string,
  filter: ListFilter | Scope<E>,
): BoundFilter<E> {
  if (typeof filter === 'function') return bindFlag(name, filter)
  const bound = bindColumn(entity, name, filter)
  return {
    parameters: bound.parameters,
    read: (reader) => bound.read(reader),
    narrow: (selection, value) => selection.extend({ conditions: bound.conditions(value) }),
  }
}

function bindColumn(entity: AnyEntity, name: string, filter: ListFilter): ColumnFilter {
  const column = entity.column(filter.column ?? name)
  const parser = valueParser(column)
  if (filter.kind === 'present') return bindPresent(name, column)
  if (parser === null) throw unsuited(entity, name, column, 'cannot be sent in an address')
  const isMatch = filter.kind === 'contains' || filter.kind === 'starts-with'
  if (isMatch && column.kind !== 'text') throw unsuited(entity, name, column, 'is not a text')
  return binders[filter.kind](name, { column, parser, options: filter.options })
}

interface FilterTarget {
  readonly column: EntityColumn
  readonly parser: ValueParser
  readonly options: FilterOptions
}

type Binder = (name: string, target: FilterTarget) => ColumnFilter

const binders: Readonly<Record<Exclude<FilterKind, 'present'>, Binder>> = {
  contains: (name, target) => bindMatch(name, target, Matches.Contains),
  'starts-with': (name, target) => bindMatch(name, target, Matches.StartsWith),
  equal: (name, target) => bindComparison(name, target, Operators.Equal),
  'at-least': (name, target) => bindComparison(name, target, Operators.GreaterOrEqual),
  'at-most': (name, target) => bindComparison(name, target, Operators.LessOrEqual),
  'one-of': bindOneOf,
  range: bindRange,
}

function bindMatch(
  name: string,
  { column, parser, options }: FilterTarget,
  match: Matches,
): ColumnFilter {
  const { maxLength = 100 } = options
  const chosen = new ChosenValues(column, parser, { ...options, maxLength })
  return {
    parameters: { [name]: chosen.schema },
    read: (reader) => reader.value(name, (text) => chosen.parse(text.trim())) ?? null,
    conditions: (text) =>
      typeof text === 'string' && text !== '' ? [{ type: 'matching', column, match, text }] : [],
  }
}

type Comparing = 'equal' | 'greater-or-equal' | 'less-or-equal'

function bindComparison(
  name: string,
  { column, parser, options }: FilterTarget,
  operator: Comparing,
): ColumnFilter {
  const chosen = new ChosenValues(column, parser, options)
  const end = operator === Operators.LessOrEqual ? 'end' : 'start'
  return {
    parameters: { [name]: chosen.schema },
    read: (reader) => reader.value(name, (text) => chosen.parse(text, end)) ?? null,
    conditions: (value) => (value === null ? [] : [compared(column, operator, value)]),
  }
}

function bindOneOf(name: string, { column, parser, options }: FilterTarget): ColumnFilter {
  const chosen = new ChosenValues(column, parser, options)
  return {
    parameters: { [name]: { type: 'array', items: chosen.schema, maxItems: maxValues } },
    read: (reader) => reader.values(name, (text) => chosen.parse(text), maxValues),
    conditions(value) {
      if (!Array.isArray(value) || value.length === 0) return []
      return [{ type: 'comparison', column, operator: Operators.In, value }]
    },
  }
}

function bindRange(name: string, { column, parser, options }: FilterTarget): ColumnFilter {
  const chosen = new ChosenValues(column, parser, options)
  const [from, to] = [`${name}_min`, `${name}_max`]
  return {
    parameters: { [from]: chosen.schema, [to]: chosen.schema },
    read: (reader) => ({
      min: reader.value(from, (text) => chosen.parse(text)) ?? null,
      max: reader.value(to, (text) => chosen.parse(text, 'end')) ?? null,
    }),
    conditions(value) {
      const { min, max }: { min?: unknown; max?: unknown } = Object(value)
      const conditions: Condition[] = []
      if (min !== null) conditions.push(compared(column, Operators.GreaterOrEqual, min))
      if (max !== null) conditions.push(compared(column, Operators.LessOrEqual, max))
      return conditions
    },
  }
}

function bindPresent(name: string, column: EntityColumn): ColumnFilter {
  return {
    parameters: { [name]: { type: 'boolean' } },
    read: (reader) => reader.value(name, switched) ?? null,
    conditions(value) {
      if (typeof value !== 'boolean') return []
      const operator = value ? Operators.IsNotNull : Operators.IsNull
      return [{ type: 'comparison', column, operator, value: undefined }]
    },
  }
}

function bindFlag<E extends AnyEntity>(name: string, narrow: Scope<E>): BoundFilter<E> {
  return {
    parameters: { [name]: { type: 'boolean' } },
    read: (reader) => reader.value(name, switched) ?? false,
    narrow(selection, value) {
      if (value === true) narrow(selection)
    },
  }
}

function switched(text: string): { readonly value: boolean } | string {
  const value = parseSwitch(text)
  return value === null ? 'must be 1 or 0' : { value }
}

// A `Date` has milliseconds, the database may have microseconds: those of the last one are included.
function compared(column: EntityColumn, operator: Comparing, value: unknown): Condition {
  const isLast = operator === Operators.LessOrEqual && value instanceof Date
  if (!isLast) return { type: 'comparison', column, operator, value }
  const next = new Date(value.getTime() + 1)
  return { type: 'comparison', column, operator: Operators.Less, value: next }
}

/** The values that a filter accepts. */
class ChosenValues {
  readonly #column: EntityColumn
  readonly #parser: ValueParser
  readonly #choices: readonly string[] | null
  readonly #maxLength: number

  constructor(
    column: EntityColumn,
    parser: ValueParser,
    { choices, maxLength = 100 }: FilterOptions,
  ) {
    this.#column = column
    this.#parser = parser
    this.#choices = choices ?? null
    this.#maxLength = maxLength
  }

  get schema(): JsonSchema {
    const schema = this.#parser.schema(this.#column)
    if (this.#choices !== null) return { ...schema, enum: this.#choices }
    const isText = this.#column.kind === 'text'
    return isText ? { ...schema, maxLength: this.#maxLength } : schema
  }

  /** Reads a text. The error never repeats it. */
  parse(text: string, end: RangeEnd = 'start'): ParsedValue {
    if (text.length > this.#maxLength) return `must have at most ${this.#maxLength} characters`
    if (this.#choices !== null && !this.#choices.includes(text)) {
      return `must be one of ${this.#choices.join(', ')}`
    }
    const value = this.#parser.parse(text, this.#column, end)
    return value === undefined ? `must be ${this.#parser.expects(this.#column)}` : { value }
  }
}

function unsuited(
  { table }: AnyEntity,
  name: string,
  { property, kind }: EntityColumn,
  reason: string,
): InvalidArgumentException {
  return new InvalidArgumentException(
    'E_LIST',
    `the filter ${name} of a list of ${table} takes ${property}, which is ${kind} and ${reason}; use another column or another filter`,
  )
}
