import type { Surface } from 'framework/database'
import { Repository } from 'framework/orm'
import type { NewRowOf } from 'framework/orm'
import { Items } from '../entities/items.ts'

const materials = 'Oak Ash Walnut Brass Copper Steel Linen Clay Glass Slate'.split(' ')
const things: readonly (readonly [category: string, names: string])[] = [
  ['Kitchen', 'bowl cup jug plate spoon'],
  ['Living', 'chair lamp shelf stool table'],
  ['Garden', 'bench bucket lantern planter trellis'],
  ['Study', 'bookend box clock frame tray'],
]
const firstMs = Date.UTC(2026, 0, 1, 8)
const hourMs = 3_600_000

/** Inserts two hundred items into an empty table. */
export async function seed(database: Surface): Promise<void> {
  const items = new Repository(Items, database)
  if (await items.exists()) return
  const rows: NewRowOf<typeof Items>[] = []
  for (const [category, names] of things) {
    for (const thing of names.split(' ')) {
      for (const material of materials)
        rows.push(item(`${material} ${thing}`, category, rows.length))
    }
  }
  await items.insertMany(rows)
}

// Prices and stocks repeat, so that a list ordered by them has ties.
function item(name: string, category: string, index: number): NewRowOf<typeof Items> {
  const cents = ['00', '50', '90'][index % 3] ?? '00'
  return {
    name,
    category,
    price: `${5 + ((index * 37) % 45)}.${cents}`,
    stock: Math.max(0, ((index * 7) % 23) - 3),
    createdAt: new Date(firstMs + ((index * 83) % 200) * hourMs),
  }
}
