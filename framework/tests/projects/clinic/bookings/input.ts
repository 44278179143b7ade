import * as v from 'valibot'

/** The slots of a day. */
export const times = ['09:00', '09:30', '10:00', '10:30', '11:00', '11:30'] as const

const day = v.pipe(v.optional(v.string(), ''), v.isoDate('Please choose a day.'))

export const NewBooking = v.object({ day, time: v.picklist(times, 'Please choose a time.') })

/** The list of a day; today if the address has none. */
export const ListedDay = v.object({
  day: v.fallback(day, () => new Date().toISOString().slice(0, 10)),
})
