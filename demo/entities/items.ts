import { decimal, entity, integer, key, text, timestamp } from 'framework/orm'

/** Items of a shop. */
export const Items = entity('items', {
  id: key.integer(),
  name: text(),
  category: text(),
  price: decimal({ precision: 10, scale: 2 }),
  stock: integer(),
  createdAt: timestamp(),
})
