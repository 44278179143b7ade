import { caseChecker } from '../database/sql/write/case-checker.ts'
import type {
  ColumnDefault,
  ColumnDefinition,
  ColumnTarget,
  OnDelete,
} from '../database/sql/plan/column-reference.ts'

const checkedOnDelete = caseChecker<OnDelete>('onDelete', {
  Restrict: 'restrict',
  Cascade: 'cascade',
  SetNull: 'set null',
})

/** Options of a reference to another table. */
export interface ReferenceOptions {
  /** The column that is referred to. @default 'id' */
  readonly column?: string
  /** With `restrict`, a row that others refer to cannot be deleted. @default 'restrict' */
  readonly onDelete?: OnDelete
}

/**
 * The target of a reference.
 * @throws InvalidArgumentException for an unknown `onDelete`.
 */
export function referenceTarget(
  table: string,
  { column = 'id', onDelete = 'restrict' }: ReferenceOptions,
): ColumnTarget {
  return { table, column, onDelete: checkedOnDelete(onDelete) }
}

/**
 * Describes a column, which is NOT NULL unless it is made nullable. `Value` is the type of its
 * default.
 */
export class ColumnBuilder<in Value> {
  #definition: ColumnDefinition

  constructor(definition: ColumnDefinition) {
    this.#definition = definition
  }

  /** Allows NULL. */
  nullable(): this {
    return this.#with({ isNullable: true })
  }

  /** Sets a default value. */
  default(value: Value): this {
    return this.#with({ default: { type: 'value', value } })
  }

  /** Forbids duplicate values. The index is called `<table>_<column>_unique`. */
  unique(): this {
    return this.#with({ isUnique: true })
  }

  /**
   * Makes it a foreign key to a column of another table, with an index.
   * @throws InvalidArgumentException for an unknown `onDelete`.
   */
  references(table: string, options: ReferenceOptions = {}): this {
    return this.#with({ target: referenceTarget(table, options) })
  }

  /** The complete definition. */
  get definition(): ColumnDefinition {
    return this.#definition
  }

  protected defaultTo(value: ColumnDefault): this {
    return this.#with({ default: value })
  }

  #with(options: Partial<ColumnDefinition>): this {
    this.#definition = { ...this.#definition, ...options }
    return this
  }
}

/** Describes a timestamp column. */
export class TimestampBuilder extends ColumnBuilder<Date> {
  /** Sets the time of the insert as the default. */
  defaultNow(): this {
    return this.defaultTo({ type: 'now' })
  }
}
