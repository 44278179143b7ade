import { Steps } from '../../../services/activity/steps.ts'
import type { Surface } from '../../database/surface.ts'
import type { AnyEntity } from '../entity/entity.ts'
import type { PlainRow } from '../rows/hydrate-rows.ts'
import { planRelation } from './plan-relation.ts'
import type { RelationLoad } from './plan-relation.ts'

/**
 * Loads relations onto rows, with one query each whatever the number of rows, or more if there are
 * too many keys for one statement. The queries run concurrently on a pool, sequentially on a
 * transaction.
 * @throws FrameworkError when a referenced row is missing.
 */
export async function loadRelations(
  surface: Surface,
  entity: AnyEntity,
  rows: readonly PlainRow[],
  names: readonly string[],
): Promise<void> {
  const loads = names.map((name) => planRelation(entity, name, rows, surface.dialect))
  // Several relations to the same entity repeat a statement.
  await Steps.Instance.continuing(async () => {
    if (surface.serial) for (const load of loads) await run(surface, load)
    else await Promise.all(loads.map((load) => run(surface, load)))
  })
}

/** The same without waiting, for synchronous surfaces. */
export function loadRelationsSync(
  surface: Surface,
  entity: AnyEntity,
  rows: readonly PlainRow[],
  names: readonly string[],
): void {
  for (const name of names) {
    const load = planRelation(entity, name, rows, surface.dialect)
    for (const query of load.queries) {
      load.collect(Steps.Instance.continuing(() => surface.dispatch(query)).result)
    }
    load.attach()
  }
}

async function run(surface: Surface, load: RelationLoad): Promise<void> {
  for (const query of load.queries) load.collect(await surface.dispatch(query).settled())
  load.attach()
}
