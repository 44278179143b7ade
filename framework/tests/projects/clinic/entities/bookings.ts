import { belongsTo, date, entity, key, text } from 'framework/orm'

/** What bookings show of accounts. */
export const Patients = entity('users', { id: key.integer(), email: text(), name: text() })

/** A slot that somebody has. */
export const Bookings = entity('bookings', {
  id: key.integer(),
  day: date(), // as text, such as 2026-11-05
  time: text(),
  patient: belongsTo(() => Patients), // adds patientId
})
