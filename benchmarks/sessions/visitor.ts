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

/** A page with a form, for somebody who has not signed in. */
export const formPath = '/form'

/** The page, with the token of the visitor in it. */
export function formPage(token: string): string {
  return `<!doctype html><title>Sign in</title><h1>Sign in</h1><form method="post" action="/form">
<input type="hidden" name="_token" value="${token}">
<label>E-mail <input name="email" type="email"></label>
<label>Password <input name="password" type="password"></label>
<button>Sign in</button></form>`
}

/** Whether a text is the page, with some token. */
export function isFormPage(text: string): boolean {
  const token = /name="_token" value="([\w.~-]{20,200})"/.exec(text)?.[1]
  return token !== undefined && text === formPage(token)
}

/** Where ours tells how many sessions its store holds. */
export const rowsPath = '/rows'
