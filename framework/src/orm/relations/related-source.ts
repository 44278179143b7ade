import type { Dialect } from '../../database/sql/dialects/dialect.ts'
import type { SelectPlan } from '../../database/sql/plan/select-plan.ts'
import { bindable } from '../../database/sql/values/bindable.ts'
import { Draft } from '../../database/sql/write/draft.ts'
import { writeConditions } from '../../database/sql/write/write-conditions.ts'
import type { RelationLink } from './relation-link.ts'

/** Writes the condition for the quoted column of the values that related rows belong to. */
export type WriteOwned = (column: string) => string

/** The related rows of a plan, in a statement under construction. */
export class RelatedSource {
  readonly draft: Draft
  readonly #link: RelationLink
  readonly #plan: SelectPlan

  constructor(link: RelationLink, plan: SelectPlan, dialect: Dialect) {
    this.#link = link
    this.#plan = plan
    this.draft = new Draft(dialect, plan.table)
  }

  /** The columns to select: those of the plan, and with a bridge the value that the row belongs to. */
  get columns(): string {
    const list = this.draft.dialect.columns.list(this.#plan.columns)
    return this.#link.bridge === null ? list : `${list}, framework_owner`
  }

  /** The column of the value that a row belongs to, in the selected rows. */
  get owner(): string {
    const { bridge, owner } = this.#link
    return bridge === null ? this.draft.name(owner) : 'framework_owner'
  }

  /** The same where it is stored. */
  get storedOwner(): { readonly table: string; readonly column: string } {
    const { bridge, owner } = this.#link
    const { quote } = this.draft.dialect
    if (bridge === null) return { table: quote(this.#plan.table), column: this.draft.name(owner) }
    return { table: quote(bridge.through), column: quote(bridge.source) }
  }

  /** `FROM … WHERE …`. */
  write(owned: WriteOwned): string {
    const { bridge, target } = this.#link
    const { quote } = this.draft.dialect
    const { table, column } = this.storedOwner
    if (bridge === null) {
      const own = owned(column)
      const conditions = writeConditions(this.#plan.conditions, this.draft)
      return `FROM ${table} WHERE ${conditions === '' ? own : `${own} AND ${conditions}`}`
    }
    // Renamed, so that every other name in the statement is a column of the target.
    const pairs =
      `SELECT ${column} AS framework_owner, ${quote(bridge.target)} AS framework_target` +
      ` FROM ${table} WHERE ${owned(column)}`
    const conditions = writeConditions(this.#plan.conditions, this.draft)
    return (
      `FROM (${pairs}) AS framework_bridge INNER JOIN ${quote(this.#plan.table)}` +
      ` ON ${this.draft.name(target.key)} = framework_target` +
      (conditions === '' ? '' : ` WHERE ${conditions}`)
    )
  }

  /** That a row belongs to one of these values. */
  inList(values: readonly unknown[]): WriteOwned {
    return (column) => `${column} IN (${values.map((value) => this.bind(value)).join(', ')})`
  }

  /**
   * Binds a value to compare the column with, and returns its placeholder.
   * @throws InvalidArgumentException for an invalid value.
   */
  bind(value: unknown): string {
    const { owner } = this.#link
    return this.draft.comparand(owner, bindable(owner, value, this.draft.dialect))
  }

  /** Binds NULL, to which no row belongs. */
  bindNone(): string {
    return this.draft.comparand(this.#link.owner, null)
  }
}
