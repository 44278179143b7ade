import { list } from '../../../../framework/dist/public/lists.js'
import {
  createdAt,
  decimal,
  entity,
  integer,
  key,
  text,
  timestamp,
} from '../../../../framework/dist/public/orm.js'

export const Items = entity('items', {
  id: key.integer(),
  name: text(),
  category: text(),
  price: decimal({ precision: 10, scale: 2 }),
  stock: integer(),
  createdAt: timestamp(),
})

export const ItemList = list(Items, { sort: ['name'] })

export const Notes = entity('notes', {
  id: key.integer(),
  userId: integer(),
  title: text(),
  text: text(),
  priority: integer(),
  createdAt: createdAt(),
})
