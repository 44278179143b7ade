import { allowFor, requireIdentity } from 'framework/auth'
import { action, refuse, routeSet, succeed } from 'framework/http'
import { Operators, Orders } from 'framework/orm'
import { ListedDay, NewBooking, times } from '../bookings/input.ts'
import { languages } from '../languages.ts'
import type { Services } from '../services.ts'
import { route } from './urls.ts'

export const Bookings = routeSet<Services>('Bookings', (router, { accounts, bookings, files }) => {
  const { pages, signedIn, users } = accounts
  const allowUser = allowFor(({ id }) => users.find(id))
  const isStaff = allowUser((user) => user.role === 'staff')

  const index = action({}, async (request, response) => {
    const own = bookings
      .select()
      .filter('patientId', Operators.Equal, Number(requireIdentity(request).id))
    const rows = await bookings.all(own.order(Orders.Asc, 'day').order(Orders.Asc, 'time'))
    return pages.show(request, response, 'bookings', { bookings: rows, times })
  })

  const store = action({ body: NewBooking, form: '/bookings' }, async (request, response) => {
    const { day, time, letter } = request.input.body
    const patientId = Number(requireIdentity(request).id)
    // One statement: whoever is first has the slot, and for a second click of theirs nothing changes.
    const wanted = { patientId, day, time }
    const booking = await bookings.upsert(wanted, { by: ['day', 'time'], update: [] })
    const to = route('bookings.index')
    const t = languages.of(request)
    if (booking.patientId !== patientId) {
      const message = t('bookings.taken', { day, time })
      return refuse(request, response, { to, message, status: 409, fields: { day, time } })
    }
    if (letter !== null) await files.put(letterOf(booking), letter.stream())
    return succeed(request, response, { to, message: t('bookings.booked', { day, time }) })
  })

  router.resource('bookings', { index, store }, { middlewares: [signedIn] })

  router.get(
    '/day',
    async (request, response) => {
      const { day } = request.input.query
      const all = bookings.select().filter('day', Operators.Equal, day)
      const rows = await bookings.all(all.order(Orders.Asc, 'time').with('patient'))
      const { objects } = await files.list(`letters/${day}/`)
      const letters = new Set(objects.map(({ key }) => key))
      return pages.show(request, response, 'day', {
        day,
        bookings: rows,
        hasLetter: (id: number) => letters.has(letterOf({ day, id })),
      })
    },
    { query: ListedDay, middlewares: [signedIn, isStaff] },
  )

  router.get(
    route.patterns.letter,
    (request, response) => {
      const { day, id } = request.params
      const download = `${languages.of(request)('day.letter')} ${day}.pdf`
      return response.stored(files, letterOf({ day, id }), { download })
    },
    { middlewares: [signedIn, isStaff] },
  )
})

/** Where the letter of a booking is. */
function letterOf({ day, id }: { readonly day: string; readonly id: number }): string {
  return `letters/${day}/${id}.pdf`
}
