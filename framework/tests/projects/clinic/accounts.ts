import { accounts as makeAccounts } from 'framework/accounts'
import { Operators, Repository } from 'framework/orm'
import * as v from 'valibot'
import { Bookings } from './entities/bookings.ts'

const Profile = v.object({
  name: v.pipe(v.string(), v.trim(), v.nonEmpty('person.name.missing'), v.maxLength(80)),
  role: v.picklist(['patient', 'staff']),
})

/** Patients register themselves. Staff see who comes when, and need more than a password for it. */
export const accounts = makeAccounts({
  registration: { fields: Profile, initial: { role: 'patient' } },
  secondFactor: { required: (user) => user.role === 'staff' },
  emailChange: true,
  deletion: true,
  exports: {
    parts: ({ database }) => ({
      bookings: (user) => {
        const bookings = new Repository(Bookings, database)
        return bookings.all(bookings.select().filter('patientId', Operators.Equal, Number(user)))
      },
    }),
  },
  activity: true,
  after: { signIn: '/bookings' },
})
