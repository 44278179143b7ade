import { invalidArgument } from '../../base/errors.ts'
import type { Dialect } from '../../database/sql/dialects/dialect.ts'
import type { Condition } from '../../database/sql/plan/condition.ts'
import { Operators } from '../../database/sql/plan/operators.ts'
import { bindable } from '../../database/sql/values/bindable.ts'
import type { Change } from '../../database/sql/write/compile-update.ts'
import type { AnyEntity, EntityColumn } from '../entity/entity.ts'

/**
 * Adds to the changes of rows what every update does: sets `updatedAt()` columns that are not given,
 * and counts `version()` columns. A given version is the one that the row must have.
 * @throws InvalidArgumentException for an invalid version.
 */
export function withRenewals(
  entity: AnyEntity,
  changes: readonly Change[],
  dialect: Dialect,
): { readonly changes: readonly Change[]; readonly expected: readonly Condition[] } {
  if (entity.renewed.length === 0) return { changes, expected: [] }
  const expected: Condition[] = []
  const all = changes.filter(({ column, value }) => {
    if (!isCounted(entity, column)) return true
    bindable(column, value, dialect)
    expected.push({ type: 'comparison', column, operator: Operators.Equal, value })
    return false
  })
  return { changes: [...all, ...renewals(entity, all)], expected }
}

/**
 * The same for changes that expect no version.
 * @throws InvalidArgumentException when they give one.
 */
export function renewed(
  call: string,
  entity: AnyEntity,
  changes: readonly Change[],
): readonly Change[] {
  if (entity.renewed.length === 0) return changes
  for (const { column } of changes) {
    if (!isCounted(entity, column)) continue
    throw invalidArgument(`${entity.table}: ${call} counts ${column.name} by itself; leave it out`)
  }
  return [...changes, ...renewals(entity, changes)]
}

function* renewals(entity: AnyEntity, changes: readonly Change[]): Generator<Change> {
  for (const column of entity.renewed) {
    if (column.renewal === 'count') yield { column, value: 1, adds: true }
    else if (!changes.some((change) => change.column === column)) {
      yield { column, value: column.generate?.() }
    }
  }
}

function isCounted(entity: AnyEntity, column: Change['column']): column is EntityColumn {
  return entity.renewed.some((own) => own === column && own.renewal === 'count')
}
