import { allowFor, requireIdentity } from 'framework/auth'
import { action, refuse, routeSet, succeed } from 'framework/http'
import { Operators, Orders } from 'framework/orm'
import { ListedDay, NewBooking, times } from '../bookings/input.ts'
import type { Services } from '../services.ts'
import { route } from './urls.ts'

export const Bookings = routeSet<Services>('Bookings', (router, { accounts, bookings }) => {
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
    const { day, time } = request.input.body
    const patientId = Number(requireIdentity(request).id)
    // One statement: whoever is first has the slot, and for a second click of theirs nothing changes.
    const wanted = { patientId, day, time }
    const booking = await bookings.upsert(wanted, { by: ['day', 'time'], update: [] })
    const to = route('bookings.index')
    if (booking.patientId !== patientId) {
      const message = `${time} on ${day} has just been taken. Please choose another time.`
      return refuse(request, response, { to, message, status: 409, fields: { day, time } })
    }
    return succeed(request, response, { to, message: `See you on ${day} at ${time}.` })
  })

  router.resource('bookings', { index, store }, { middlewares: [signedIn] })

  router.get(
    '/day',
    async (request, response) => {
      const { day } = request.input.query
      const all = bookings.select().filter('day', Operators.Equal, day)
      const rows = await bookings.all(all.order(Orders.Asc, 'time').with('patient'))
      return pages.show(request, response, 'day', { day, bookings: rows })
    },
    { query: ListedDay, middlewares: [signedIn, isStaff] },
  )
})
