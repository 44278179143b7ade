import { randomUUID } from 'node:crypto'
import type { ProjectServer } from 'framework/testing'
import { removeMails } from './mails.ts'
import { Visitor } from './visitor.ts'

/** What everybody here has for a password. */
export const password = 'quiet copper lamp'

const emails: string[] = []

/** An e-mail that nobody has yet. */
export function newEmail(): string {
  return ownEmail(`${randomUUID()}@example.com`)
}

/** Has the mails to an address taken away in the end. */
export function ownEmail(email: string): string {
  emails.push(email)
  return email
}

/** Somebody with a new account, signed in. */
export async function registered(app: ProjectServer): Promise<{ visitor: Visitor; email: string }> {
  const visitor = new Visitor(app)
  const email = newEmail()
  await visitor.submit('/register', { email, password, password_confirmation: password })
  return { visitor, email }
}

/** Another browser of somebody who has an account. */
export async function signedIn(
  app: ProjectServer,
  email: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<Visitor> {
  const visitor = new Visitor(app, 'Mozilla/5.0 (iPhone) Safari/605.1')
  await visitor.submit('/login', { email, password, ...fields })
  return visitor
}

/** Ends the project, and takes away the mails that these people got. */
export async function closeDemo(app: ProjectServer): Promise<void> {
  await app.close()
  await removeMails(emails)
}
