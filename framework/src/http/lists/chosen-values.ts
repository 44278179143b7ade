import type { JsonSchema } from '../../base/schema/json-schema.ts'
import type { EntityColumn } from '../../orm/entity/entity.ts'
import type { FilterOptions } from './list-filter.ts'
import type { RangeEnd, ValueParser } from './parse-value.ts'

/** A value that was read, or what is wrong with it. */
export type ParsedValue = { readonly value: unknown } | string

/** The values that a filter accepts. */
export class ChosenValues {
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
