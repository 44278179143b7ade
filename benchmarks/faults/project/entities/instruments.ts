import { entity, integer, key, text } from 'framework/orm'

export const Students = entity('students', { id: key.integer(), name: text(), email: text() })

export const Instruments = entity('instruments', {
  id: key.integer(),
  name: text(),
  family: text(),
  value: integer(),
  borrower: integer().optional(),
})

export const Loans = entity('loans', {
  id: key.integer(),
  instrument: integer(),
  student: integer(),
})
