import { hash, randomBytes } from 'node:crypto'

/** The part of a session that `MailSignIn` uses. */
export interface MailSession {
  get(key: string): Promise<unknown>
  set(key: string, value: unknown): void
  delete(key: string): void
}

/** What a browser that has asked for a mail keeps in its session. */
export interface MailTicket {
  /** The secret that ties the challenge to the browser. */
  readonly ticket: string
  /** The address as it was typed. */
  readonly email: string
  /** Whether the browser becomes a trusted device. */
  readonly remember: boolean
  /** When the mail was asked for, in epoch seconds. */
  readonly asked: number
}

/** Longer than a code works: with a queue the mail may be made later than it was asked for. */
const maxAge = 3600

/** A new ticket; the session keeps it, and forgets an earlier one. */
export function issueTicket(
  session: MailSession,
  details: Omit<MailTicket, 'ticket'>,
): Pick<MailTicket, 'ticket'> {
  const ticket = randomBytes(32).toString('hex')
  session.set('mail_sign_in', { ticket, ...details })
  return { ticket }
}

/** The ticket of a session; null if there is none or it is old. */
export async function readTicket(session: MailSession, now: number): Promise<MailTicket | null> {
  const kept = await session.get('mail_sign_in')
  if (typeof kept !== 'object' || kept === null) return null
  const { ticket, email, remember, asked }: Readonly<Record<string, unknown>> = { ...kept }
  if (typeof ticket !== 'string' || typeof email !== 'string' || typeof asked !== 'number')
    return null
  return asked + maxAge <= now ? null : { ticket, email, remember: remember === true, asked }
}

/** Removes the ticket: it has done its work. */
export function dropTicket(session: MailSession): void {
  session.delete('mail_sign_in')
}

/** What the table knows of a ticket. */
export function browserOf({ ticket }: Pick<MailTicket, 'ticket'>): string {
  return hash('sha256', `browser ${ticket}`, 'hex')
}
