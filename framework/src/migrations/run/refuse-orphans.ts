import { InvalidArgumentException } from '../../base/errors.ts'
import type { Surface } from '../../database/surface.ts'

/**
 * Runs `work` where foreign keys are not enforced, and checks afterwards that it left no row that
 * refers to nothing. Rows that referred to nothing before do not count.
 * @throws InvalidArgumentException that names the tables.
 */
export async function refuseOrphans(surface: Surface, work: () => Promise<void>): Promise<void> {
  const before = await countOrphans(surface)
  await work()
  const after = await countOrphans(surface)
  const worse = [...after].filter(([pair, count]) => count > (before.get(pair) ?? 0))
  if (worse.length === 0) return
  const pairs = worse.map(([pair, count]) => `${count - (before.get(pair) ?? 0)} of ${pair}`)
  throw new InvalidArgumentException(
    'E_FOREIGN_KEY',
    `rows would refer to nothing: ${pairs.join(', ')}; a migration that rebuilds a table runs without foreign keys here, so delete rows that refer to others first`,
  )
}

async function countOrphans(surface: Surface): Promise<ReadonlyMap<string, number>> {
  const statement = surface.dialect.schema.alter.countOrphans
  if (statement === null) return new Map()
  const rows = await surface.rows(statement)
  return new Map(
    rows.map(({ child, parent, orphans }) => [
      `${String(child)}, which refers to ${String(parent)}`,
      Number(orphans),
    ]),
  )
}
