import { caseOf } from '../sql/write/case-of.ts'
import type { ColumnDefault, ColumnDefinition, OnDelete } from '../sql/plan/column-definition.ts'

const checkedOnDelete = caseOf<OnDelete>('onDelete', {
  Restrict: 'restrict',
  Cascade: 'cascade',
  SetNull: 'set null',
})

/** How a column refers to another table. */
export interface ReferenceOptions {
  /** The column referred to, `id` unless given. */
  readonly column?: string
  /** `restrict` unless given: a row that is referred to cannot be deleted. */
  readonly onDelete?: OnDelete
}

/** A column while it is described. `Value` is what a default may be. It is NOT NULL unless told otherwise. */
export class ColumnBuilder<in Value> {
  #definition: ColumnDefinition

  constructor(definition: ColumnDefinition) {
    this.#definition = definition
  }

  /** Lets it hold NULL. */
  nullable(): this {
    return this.#with({ isNullable: true })
  }

  /** Gives a value to inserts that leave it out. */
  default(value: Value): this {
    return this.#with({ default: { type: 'value', value } })
  }

  /** Lets no two rows have the same value. The index is called `<table>_<column>_unique`. */
  unique(): this {
    return this.#with({ isUnique: true })
  }

  /**
   * Lets it hold only values of a column of another table. It is indexed.
   * @throws InvalidArgumentException for an `onDelete` that there is not.
   */
  references(table: string, { column = 'id', onDelete = 'restrict' }: ReferenceOptions = {}): this {
    return this.#with({ target: { table, column, onDelete: checkedOnDelete(onDelete) } })
  }

  /** Everything that was said. */
  get definition(): ColumnDefinition {
    return this.#definition
  }

  protected defaultTo(value: ColumnDefault): this {
    return this.#with({ default: value })
  }

  #with(facts: Partial<ColumnDefinition>): this {
    this.#definition = { ...this.#definition, ...facts }
    return this
  }
}

/** A column that holds moments. */
export class TimestampBuilder extends ColumnBuilder<Date> {
  /** Gives the time of the insert to inserts that leave it out. */
  defaultNow(): this {
    return this.defaultTo({ type: 'now' })
  }
}
