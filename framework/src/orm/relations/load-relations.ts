import { Steps } from '../../activity/steps.ts'
import type { Surface } from '../../database/surface.ts'
import type { RelationRead } from '../reading.ts'
import type { RowBatch } from '../rows/row-batch.ts'
import { planRelation } from './plan-relation.ts'
import type { RelationLoad } from './plan-relation.ts'

/**
 * Loads relations onto rows, and relations of those, with one query each whatever the number of
 * rows, or more if there are too many keys for one statement. The queries run concurrently on a
 * pool, sequentially on a transaction.
 * @throws FrameworkError when a referenced row is missing.
 */
export async function loadRelations(
  surface: Surface,
  batch: RowBatch,
  relations: readonly RelationRead[],
): Promise<void> {
  if (relations.length === 0) return
  const loads = relations.map((read) => planRelation(batch, read, surface.dialect))
  // Several relations to the same entity repeat a statement.
  await Steps.Instance.continuing(async () => {
    if (surface.serial) for (const load of loads) await run(surface, load)
    else await Promise.all(loads.map((load) => run(surface, load)))
  })
}

/** The same without waiting, for synchronous surfaces. */
export function loadRelationsSync(
  surface: Surface,
  batch: RowBatch,
  relations: readonly RelationRead[],
): void {
  for (const read of relations) {
    const load = planRelation(batch, read, surface.dialect)
    for (const query of load.queries) {
      load.collect(Steps.Instance.continuing(() => surface.dispatch(query)).result)
    }
    load.attach()
    if (load.relations.length > 0) loadRelationsSync(surface, load.related(), load.relations)
  }
}

async function run(surface: Surface, load: RelationLoad): Promise<void> {
  for (const query of load.queries) load.collect(await surface.run(query))
  load.attach()
  if (load.relations.length > 0) await loadRelations(surface, load.related(), load.relations)
}
