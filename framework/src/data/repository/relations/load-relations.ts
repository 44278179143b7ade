import type { Surface } from '../../database/surface.ts'
import type { AnyEntity } from '../entity/entity.ts'
import type { PlainRow } from '../rows/hydrate-rows.ts'
import { planRelation } from './plan-relation.ts'
import type { RelationLoad } from './plan-relation.ts'

/**
 * Puts relations onto rows, each with one query whatever the number of rows; only keys beyond what a
 * statement can bind make more. On a pool the relations are asked for together, on a transaction one
 * after the other.
 * @throws FrameworkError when a row refers to one that is missing.
 */
export async function loadRelations(
  surface: Surface,
  entity: AnyEntity,
  rows: readonly PlainRow[],
  names: readonly string[],
): Promise<void> {
  const loads = names.map((name) => planRelation(entity, name, rows, surface.dialect))
  if (surface.serial) for (const load of loads) await follow(surface, load)
  else await Promise.all(loads.map((load) => follow(surface, load)))
}

/** The same without waiting, for surfaces that have their rows at once. */
export function loadRelationsNow(
  surface: Surface,
  entity: AnyEntity,
  rows: readonly PlainRow[],
  names: readonly string[],
): void {
  for (const name of names) {
    const load = planRelation(entity, name, rows, surface.dialect)
    for (const query of load.queries) load.collect(surface.dispatch(query).result)
    load.attach()
  }
}

async function follow(surface: Surface, load: RelationLoad): Promise<void> {
  for (const query of load.queries) load.collect(await surface.dispatch(query).settled())
  load.attach()
}
