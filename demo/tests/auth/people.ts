import { randomUUID } from 'node:crypto'
import type { ProjectServer, VisitedSite } from 'framework/testing'
import { linkIn, mailTo } from './mails.ts'
import { Visitor } from './visitor.ts'

/** The password of every test account. */
export const password = 'quiet copper lamp'

/** A unique e-mail address. */
export function newEmail(): string {
  return `${randomUUID()}@example.com`
}

/** Registers a new account and returns its signed-in visitor. */
export async function registered(app: VisitedSite): Promise<{ visitor: Visitor; email: string }> {
  const visitor = new Visitor(app)
  const email = newEmail()
  await visitor.submit('/register', { email, password, password_confirmation: password })
  return { visitor, email }
}

/** A visitor with a new account who has opened the link in the mail. */
export async function verified(app: ProjectServer): Promise<{ visitor: Visitor; email: string }> {
  const { visitor, email } = await registered(app)
  await visitor.ask(linkIn(await mailTo(app, email, 'Verify your e-mail')))
  return { visitor, email }
}

/** Signs in to an account from another browser. */
export async function signedIn(
  app: VisitedSite,
  email: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<Visitor> {
  const visitor = new Visitor(app, 'Mozilla/5.0 (iPhone) Safari/605.1')
  await visitor.submit('/login', { email, password, ...fields })
  return visitor
}

/** Proves again who a signed-in visitor is. */
export async function confirmed(visitor: Visitor): Promise<Visitor> {
  await visitor.submit('/confirm/password', { password })
  return visitor
}
