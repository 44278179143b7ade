import type { Dialect } from '../../database/sql/dialects/dialect.ts'

/**
 * Splits keys into lists that one statement can bind. Each list is padded to a power of two with
 * its last key, so that any number of keys needs only a few different statements, which stay
 * prepared.
 */
export function keyLists(keys: Iterable<unknown>, { maxParameters }: Dialect): unknown[][] {
  const maxKeys = 2 ** Math.floor(Math.log2(maxParameters))
  const lists: unknown[][] = []
  let list: unknown[] = []
  for (const key of keys) {
    if (list.length === 0) lists.push(list)
    list.push(key)
    if (list.length === maxKeys) list = []
  }
  fillUp(list)
  return lists
}

function fillUp(list: unknown[]): void {
  if (list.length === 0) return
  const last = list.at(-1)
  const size = 2 ** Math.ceil(Math.log2(list.length))
  while (list.length < size) list.push(last)
}
