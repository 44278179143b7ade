import { contains, equal, list } from 'framework/lists'
import { Items } from './entities/items.ts'

/** The list of items: what a request may ask of it. Anything else is refused. */
export const ItemList = list(Items, {
  filter: {
    q: contains('name'),
    category: equal(),
    added: equal('createdAt'),
    available: (items) => items.filter('stock', '>', 0),
  },
  sort: { name: 'name', cheapest: 'price', dearest: '-price', newest: '-createdAt' },
  sortParameter: 'order',
})

/** The choices in the filter form, in display order; the labels are keys of messages. */
export const itemChoices = {
  categories: ['Kitchen', 'Living', 'Garden', 'Study'],
  orders: [
    { value: 'name', label: 'items.name' },
    { value: 'cheapest', label: 'items.cheapest' },
    { value: 'dearest', label: 'items.dearest' },
    { value: 'newest', label: 'items.newest' },
  ],
  limits: [10, 25, 50, 100],
} as const
