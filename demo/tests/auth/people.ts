import { randomUUID } from 'node:crypto'
import type { Users } from 'framework/auth'
import { Visitor } from 'framework/testing'
import type { ProjectServer, VisitedSite } from 'framework/testing'

/** The password of every test account. */
export const password = 'quiet copper lamp'

/** A unique e-mail address. */
export function newEmail(): string {
  return `${randomUUID()}@example.com`
}

/** Registers a new account and returns its signed-in visitor. */
export async function registered(app: VisitedSite): Promise<{ visitor: Visitor; email: string }> {
  const visitor = new Visitor(app, { tokenPage: '/login' })
  const email = newEmail()
  await visitor.submit('/register', { email, password, password_confirmation: password })
  return { visitor, email }
}

/** A visitor who is signed in to a new account with a verified e-mail. */
export async function verified(
  app: ProjectServer<{ readonly accounts: { readonly users: Users } }>,
): Promise<{ visitor: Visitor; email: string }> {
  const email = newEmail()
  const { users } = app.services.accounts
  const id = (await users.enroll(email, password)) ?? ''
  await users.confirm(id)
  return { visitor: await app.actingAs({ id, email }), email }
}

/** Signs in to an account from another browser. */
export async function signedIn(
  app: VisitedSite,
  email: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<Visitor> {
  const agent = 'Mozilla/5.0 (iPhone) Safari/605.1'
  const visitor = new Visitor(app, { agent, tokenPage: '/login' })
  await visitor.submit('/login', { email, password, ...fields })
  return visitor
}

/** Whether the account page opens. */
export async function isSignedIn(visitor: Visitor): Promise<boolean> {
  return (await visitor.ask('/account')).status === 200
}

/** Proves again who a signed-in visitor is. */
export async function confirmed(visitor: Visitor): Promise<Visitor> {
  await visitor.submit('/confirm/password', { password })
  return visitor
}
