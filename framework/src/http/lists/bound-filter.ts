import { InvalidArgumentException } from '../../base/errors.ts'
import type { JsonSchema } from '../../base/schema/json-schema.ts'
import type { Condition } from '../../database/sql/plan/condition.ts'
import { Matches, Operators } from '../../database/sql/plan/operators.ts'
import type { AnyEntity, EntityColumn } from '../../orm/entity/entity.ts'
import type { AnySelection, Scope } from '../../orm/selection.ts'
import type { CustomFilter, FilterKind, FilterOptions, ListFilter } from './list-filter.ts'
import { isDayText } from '../../database/sql/values/moment.ts'
import { parseSwitch, valueParser } from './parse-value.ts'
import type { ParseContext, ValueParser } from './parse-value.ts'
import type { QueryReader, ParsedValue, ValueRefusal } from './query-reader.ts'

/** A filter with its parameters. */
interface ReadFilter<Target> {
  /** As JSON Schema, by name. */
  readonly parameters: Readonly<Record<string, JsonSchema>>
  /** Reads what a request asks of it; what is invalid is noted by the reader. */
  read(reader: QueryReader): FilterReading<Target>
}

interface FilterReading<Target> {
  readonly value: unknown
  /** Narrows a selection to the rows that the value asks for. */
  narrow(selection: Target): unknown
}

/** A filter of a list. */
export type BoundFilter<E extends AnyEntity> = ReadFilter<AnySelection<E>>

const maxValues = 100

/**
 * Binds a filter to its parameter and its column.
 * @throws InvalidArgumentException (E_LIST, E_COLUMN) if the column does not suit it.
 */
export function bindFilter<E extends AnyEntity>(
  entity: E,
  name: string,
  filter: ListFilter | CustomFilter<E> | Scope<E>,
): BoundFilter<E> {
  if (typeof filter === 'function') return bindFlag(name, filter)
  if (filter.kind === 'custom') return bindCustom(entity, name, filter)
  return bindColumn(entity, name, filter)
}

/** A filter that compares a column: it narrows any selection by conditions. */
type ColumnFilter = ReadFilter<Restrictable>

interface Restrictable {
  extend(more: { readonly conditions: readonly Condition[] }): unknown
}

function reading(value: unknown, conditions: readonly Condition[]): FilterReading<Restrictable> {
  return { value, narrow: (selection) => selection.extend({ conditions }) }
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

function bindMatch(name: string, target: FilterTarget, match: Matches): ColumnFilter {
  const { column } = target
  const chosen = new ChosenValues(target)
  return {
    parameters: { [name]: chosen.schema },
    read(reader) {
      const value = reader.value(name, (text) => chosen.parse(text.trim(), reader)) ?? null
      const isText = typeof value === 'string' && value !== ''
      return reading(value, isText ? [{ type: 'matching', column, match, text: value }] : [])
    },
  }
}

type Comparing = 'equal' | 'greater-or-equal' | 'less-or-equal'

function bindComparison(name: string, target: FilterTarget, operator: Comparing): ColumnFilter {
  const { column } = target
  const chosen = new ChosenValues(target)
  const end = operator === Operators.LessOrEqual ? 'end' : 'start'
  const isMoment = column.kind === 'timestamp' || column.kind === 'exact-timestamp'
  return {
    parameters: { [name]: chosen.schema },
    read(reader) {
      const value = chosen.read(reader, name, end)
      // A day is all of its moments.
      return isMoment && operator === Operators.Equal && isDayText(reader.fields[name])
        ? reading(value, between(column, value, chosen.read(reader, name, 'end')))
        : reading(value, value === null ? [] : [compared(column, operator, value)])
    },
  }
}

function bindOneOf(name: string, target: FilterTarget): ColumnFilter {
  const { column } = target
  const chosen = new ChosenValues(target)
  return {
    parameters: { [name]: { type: 'array', items: chosen.schema, maxItems: maxValues } },
    read(reader) {
      const value = reader.values(name, (text) => chosen.parse(text, reader), maxValues)
      if (value.length === 0) return reading(value, [])
      return reading(value, [{ type: 'comparison', column, operator: Operators.In, value }])
    },
  }
}

function bindRange(name: string, target: FilterTarget): ColumnFilter {
  const { column } = target
  const chosen = new ChosenValues(target)
  const [from, to] = [`${name}_min`, `${name}_max`]
  return {
    parameters: { [from]: chosen.schema, [to]: chosen.schema },
    read(reader) {
      const min = chosen.read(reader, from, 'start')
      const max = chosen.read(reader, to, 'end')
      return reading({ min, max }, between(column, min, max))
    },
  }
}

function between(column: EntityColumn, min: unknown, max: unknown): readonly Condition[] {
  return [
    ...(min === null ? [] : [compared(column, Operators.GreaterOrEqual, min)]),
    ...(max === null ? [] : [compared(column, Operators.LessOrEqual, max)]),
  ]
}

function bindPresent(name: string, column: EntityColumn): ColumnFilter {
  return {
    parameters: { [name]: { type: 'boolean' } },
    read(reader) {
      const value = reader.value(name, switched) ?? null
      if (value === null) return reading(value, [])
      const operator = value === true ? Operators.IsNotNull : Operators.IsNull
      return reading(value, [{ type: 'comparison', column, operator, value: undefined }])
    },
  }
}

function bindFlag<E extends AnyEntity>(name: string, narrow: Scope<E>): BoundFilter<E> {
  return {
    parameters: { [name]: { type: 'boolean' } },
    read(reader) {
      const value = reader.value(name, switched) ?? false
      return { value, narrow: (selection) => value === true && narrow(selection) }
    },
  }
}

function bindCustom<E extends AnyEntity>(
  entity: E,
  name: string,
  { value: { kind, options: own }, narrow, options }: CustomFilter<E>,
): BoundFilter<E> {
  const column = { ...own, kind, property: name, name }
  const parser = valueParser(column)
  if (parser === null) throw unsuited(entity, name, column, 'cannot be sent in an address')
  const chosen = new ChosenValues({ column, parser, options })
  return {
    parameters: { [name]: chosen.schema },
    read(reader) {
      const found = reader.value(name, (text) => chosen.parse(text, reader)) ?? null
      return {
        value: found,
        narrow: (selection) => found !== null && narrow(selection, found),
      }
    },
  }
}

function switched(text: string): { readonly value: boolean } | ValueRefusal {
  const value = parseSwitch(text)
  return value === null ? { text: 'must be 1 or 0.' } : { value }
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
  readonly #target: FilterTarget
  readonly #maxLength: number

  constructor(target: FilterTarget) {
    this.#target = target
    this.#maxLength = target.options.maxLength ?? 100
  }

  get schema(): JsonSchema {
    const { column, parser, options } = this.#target
    const schema = parser.schema(column)
    if (options.choices !== undefined) return { ...schema, enum: options.choices }
    return column.kind === 'text' ? { ...schema, maxLength: this.#maxLength } : schema
  }

  /** Reads a parameter; null if it is missing, empty or invalid. */
  read(reader: QueryReader, name: string, end: ParseContext['end']): unknown {
    return reader.value(name, (text) => this.parse(text, reader, end)) ?? null
  }

  /** Reads a text. The error never repeats it. */
  parse(
    text: string,
    { timeZone }: Pick<ParseContext, 'timeZone'>,
    end: ParseContext['end'] = 'start',
  ): ParsedValue {
    if (text.length > this.#maxLength) {
      return { text: 'must have at most {max} characters.', values: { max: this.#maxLength } }
    }
    const { column, parser, options } = this.#target
    if (options.choices?.includes(text) === false) {
      return { text: 'must be one of {choices}.', values: { choices: options.choices.join(', ') } }
    }
    const value = parser.parse(text, column, { end, timeZone })
    return value === undefined ? parser.refusal(column) : { value }
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
