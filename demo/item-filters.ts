import { Matches, Operators, Orders } from 'framework/orm'
import type { Repository, Selection } from 'framework/orm'
import type { Items } from './entities/items.ts'
import { route } from './routes/addresses.ts'

const orders = {
  name: { label: 'Name', column: 'name', order: Orders.Asc },
  cheapest: { label: 'Cheapest first', column: 'price', order: Orders.Asc },
  dearest: { label: 'Most expensive first', column: 'price', order: Orders.Desc },
  newest: { label: 'Newest first', column: 'createdAt', order: Orders.Desc },
} as const

/** The filters of the items list. */
export interface ItemFilters {
  /** Part of the name. */
  readonly q: string
  readonly category: string
  /** Whether to show only items in stock. */
  readonly available: boolean
  readonly order: keyof typeof orders
}

/** The choices in the filter form, in display order. */
export const itemChoices = {
  categories: ['Kitchen', 'Living', 'Garden', 'Study'],
  orders: Object.entries(orders).map(([value, { label }]) => ({ value, label })),
  limits: [10, 25, 50, 100],
}

/** Reads the filters from a query; invalid values are ignored. */
export function readFilters(query: Readonly<Record<string, string>>): ItemFilters {
  const { q = '', category = '', available = '', order = '' } = query
  return {
    q: q.trim().slice(0, 100),
    category,
    available: available === '1',
    order: isOrder(order) ? order : 'name',
  }
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

function isOrder(text: string): text is ItemFilters['order'] {
  return Object.hasOwn(orders, text)
}
