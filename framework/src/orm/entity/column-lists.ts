import type { AnyEntity, EntityColumn } from './entity.ts'

const lists = new WeakMap<AnyEntity, Map<string, readonly EntityColumn[]>>()

// Names may come from a request, and there are many ways to choose some of them.
const maxLists = 500

/**
 * The columns of these properties, in the order of the entity. The same choice is the same list, for
 * which statements and hydration are prepared once.
 * @throws InvalidArgumentException for an unknown property.
 */
export function columnList(
  entity: AnyEntity,
  properties: readonly string[],
): readonly EntityColumn[] {
  const chosen = new Set(properties.map((property) => entity.column(property)))
  if (chosen.size === entity.columns.length) return entity.columns
  let known = lists.get(entity)
  if (known === undefined) lists.set(entity, (known = new Map()))
  const list = entity.columns.filter((column) => chosen.has(column))
  const id = list.map(({ name }) => name).join('\0')
  const same = known.get(id)
  if (same !== undefined) return same
  if (known.size < maxLists) known.set(id, list)
  return list
}
