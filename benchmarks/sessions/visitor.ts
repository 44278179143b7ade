/** What the session of each visitor holds: about what that of somebody who is signed in does. */
export const kept = {
  identity: '01890d3a-5f6e-7c2b-9d41-3f0c5b7a8e21',
  name: 'Ada',
  theme: 'dark',
  cart: ['bread', 'butter', 'jam'],
} as const

/** Sessions that each store holds; the requests come with the cookie of the last. */
export const visitors = 1_000

/** Where a visitor gets a session, with the token for forms in the answer of ours. */
export const beginning = '/begin'

/** The route that is measured. */
export const measured = '/session'

/** The only right answer. */
export const answer: string = JSON.stringify({ name: kept.name })
