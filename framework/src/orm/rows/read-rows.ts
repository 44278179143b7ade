import type { Result } from '../../database/operation.ts'
import type { Surface } from '../../database/surface.ts'
import { compileCount, compileSelect } from '../../database/sql/write/compile-select.ts'
import type { Condition } from '../../database/sql/plan/condition.ts'
import type { Dialect } from '../../database/sql/dialects/dialect.ts'
import type { Query } from '../../database/sql/plan/statement.ts'
import type { SelectPlan } from '../../database/sql/plan/select-plan.ts'
import type { AnyEntity } from '../entity/entity.ts'
import { completeOrder } from '../pagination/complete-order.ts'
import { loadRelations } from '../relations/load-relations.ts'
import { plainPlan, refuseLoneLock } from '../reading.ts'
import type { Reading } from '../reading.ts'
import { columnsToRead, entityRows, rawRows, rowBatch } from './hydrate-rows.ts'
import type { PlainRow } from './hydrate-rows.ts'

/** The rows of a selection, with relations. */
export async function readRows(surface: Surface, reading: Reading): Promise<readonly PlainRow[]> {
  refuseLoneLock(surface, reading)
  const { entity, plan, relations } = reading
  const { dialect } = surface
  const columns = columnsToRead(reading)
  const query = compileSelect({ ...plan, columns: columns.read }, dialect)
  const raws = rawRows(await surface.run(query))
  const batch = rowBatch(entity, columns, raws, dialect)
  await loadRelations(surface, batch, relations)
  return batch.rows
}

/** The row that matches conditions on the key, or null. */
export function findRow(
  surface: Surface,
  entity: AnyEntity,
  conditions: readonly Condition[],
): Soon<PlainRow | null> {
  const query = compileFind(entity, conditions, surface.dialect)
  return queryRows(surface, entity, query, ([row]) => row ?? null)
}

/** The query of the row that matches conditions on the key. */
export function compileFind(
  entity: AnyEntity,
  conditions: readonly Condition[],
  dialect: Dialect,
): Query {
  return compileSelect(plainPlan(entity, conditions), dialect)
}

/** A value, or a promise of it where there is something to wait for. */
export type Soon<T> = T | Promise<T>

/**
 * What `make` makes of the rows returned by a query whose columns are those of the entity. On a synchronous
 * surface that is at once: a promise takes as long as a short statement.
 */
export function queryRows<T>(
  surface: Surface,
  entity: AnyEntity,
  query: Query,
  make: (rows: PlainRow[]) => Soon<T>,
): Soon<T> {
  const read = (result: Result): Soon<T> => make(entityRows(entity, result, surface.dialect))
  if (surface.kind === 'async' || surface.serial) return surface.run(query).then(read)
  const operation = surface.dispatch(query)
  return operation.state === 'done' ? read(operation.result) : operation.settled().then(read)
}

/** How many rows match the conditions of a plan. */
export async function countRows(surface: Surface, plan: SelectPlan): Promise<number> {
  const query = { ...compileCount(plan, surface.dialect), raw: true }
  const [row] = rawRows(await surface.run(query))
  return Number(row?.[0])
}

/** Whether a plan selects any rows. */
export async function hasRows(surface: Surface, { entity, plan }: Reading): Promise<boolean> {
  const plain = { orderings: [], lock: null, isDistinct: false }
  const probe = { ...firstOf(plan), columns: entity.keys, ...plain }
  const { rows } = await surface.run(compileSelect(probe, surface.dialect))
  return rows.length > 0
}

/** The reading of the first row alone. Without an order it is the one with the lowest key. */
export function firstByOrder(reading: Reading): Reading {
  const { entity, plan } = reading
  const unordered = completeOrder([], entity, plan.isDistinct ? plan.columns : null)
  const orderings = plan.orderings.length === 0 ? unordered : plan.orderings
  return { ...reading, plan: { ...firstOf(plan), orderings } }
}

/** The reading of the row that matches conditions on the key besides its own. */
export function onlyRow(reading: Reading, isKey: readonly Condition[]): Reading {
  const { plan } = reading
  return { ...reading, plan: { ...plan, conditions: [...isKey, ...plan.conditions] } }
}

function firstOf(plan: SelectPlan): SelectPlan {
  return { ...plan, limit: Math.min(plan.limit ?? 1, 1) }
}
