import { Matches, Operators, Orders } from 'framework/orm'
import type { Repository, Selection } from 'framework/orm'
import * as v from 'valibot'
import type { Items } from './entities/items.ts'
import { route } from './routes/addresses.ts'

const orders = {
  name: { label: 'Name', column: 'name', order: Orders.Asc },
  cheapest: { label: 'Cheapest first', column: 'price', order: Orders.Asc },
  dearest: { label: 'Most expensive first', column: 'price', order: Orders.Desc },
  newest: { label: 'Newest first', column: 'createdAt', order: Orders.Desc },
} as const

const orderNames = ['name', 'cheapest', 'dearest', 'newest'] as const

/** A field of the query. Whatever is invalid counts as missing: a list always shows something. */
const text = v.fallback(v.optional(v.string(), ''), '')

/** The query of the items list: its filters, and the place in the list, which `paginate` reads. */
export const ItemQuery = v.object({
  /** Part of the name. */
  q: v.pipe(
    text,
    v.trim(),
    v.transform((word) => word.slice(0, 100)),
  ),
  category: text,
  /** Whether to show only items in stock. */
  available: v.pipe(
    text,
    v.transform((mark) => mark === '1'),
  ),
  order: v.fallback(v.optional(v.picklist(orderNames), 'name'), 'name'),
  limit: text,
  page: text,
  cursor: text,
})

/** The filters of the items list. */
export type ItemFilters = Omit<v.InferOutput<typeof ItemQuery>, 'limit' | 'page' | 'cursor'>

/** The choices in the filter form, in display order. */
export const itemChoices = {
  categories: ['Kitchen', 'Living', 'Garden', 'Study'],
  orders: Object.entries(orders).map(([value, { label }]) => ({ value, label })),
  limits: [10, 25, 50, 100],
}

/** Selects the items that match the filters, in the chosen order. */
export function selectItems(
  items: Repository<typeof Items>,
  { q, category, available, order }: ItemFilters,
): Selection<typeof Items> {
  const selection = items.select()
  if (q !== '') selection.match('name', Matches.Contains, q)
  if (category !== '') selection.filter('category', Operators.Equal, category)
  if (available) selection.filter('stock', Operators.Greater, 0)
  return selection.order(orders[order].order, orders[order].column)
}

/** The path of the list with these filters and further query parameters. */
export function itemsPath(
  { q, category, available, order }: ItemFilters,
  more: Readonly<Record<string, string>>,
): string {
  return route(
    'items',
    {},
    {
      q: q || null,
      category: category || null,
      available: available ? 1 : null,
      order: order === 'name' ? null : order,
      ...more,
    },
  )
}
