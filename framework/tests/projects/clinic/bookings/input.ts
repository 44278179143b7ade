import { file, withFiles } from 'framework/uploads'
import * as v from 'valibot'

/** The slots of a day. */
export const times = ['09:00', '09:30', '10:00', '10:30', '11:00', '11:30'] as const

const day = v.pipe(v.optional(v.string(), ''), v.isoDate('bookings.day.missing'))

const Slot = v.object({ day, time: v.picklist(times, 'bookings.time.missing') })

/** A slot, and the letter of the doctor who refers the patient. */
export const NewBooking = withFiles(Slot, {
  letter: file({ max: '5 MB', types: ['application/pdf'], required: false }),
})

/** The list of a day; today if the address has none. */
export const ListedDay = v.object({
  day: v.fallback(day, () => new Date().toISOString().slice(0, 10)),
})
