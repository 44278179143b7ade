import { DatabaseSync } from 'node:sqlite'
import { Eta } from 'eta'
import { itemsFile } from '../plant-items.ts'
import { pageWork } from '../work.ts'
import type { AroundStatement } from './contestant.ts'

const eta = new Eta({
  views: `${import.meta.dirname}/../views`,
  defaultExtension: '.template.html',
  cache: true,
})

/** How the peers answer with the page: prepared statements of Node's own SQLite, and Eta. */
export function openItemsPage(folder: string, around: AroundStatement): () => string {
  const database = new DatabaseSync(itemsFile(folder))
  const { counting, reading, rows } = pageWork
  const count = database.prepare(counting)
  const select = database.prepare(reading)
  const total = around(counting, () => Number(count.get()?.['total']))
  const first = around(reading, () => select.all(rows, 0))
  return () => {
    const items = first().map(({ name, category, price, stock, created_at: at }) => {
      const createdAt = new Date(`${String(at)}Z`)
      return { name, category, price: Number(price).toFixed(2), stock, createdAt }
    })
    return eta.render('items', { items, total: total(), rows })
  }
}
