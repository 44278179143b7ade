import { hasCode } from '../base/errors.ts'
import { isRecord } from '../base/is-record.ts'
import type { RawMessage } from './raw-message.ts'
import { MailSecurity } from './smtp-options.ts'
import type { CompleteSmtpOptions } from './smtp-options.ts'

/** A recipient that the server rejected, with its error. */
interface Refusal {
  readonly mailbox: string
  readonly error: unknown
}

/** The connections to one mail server. */
export interface SmtpTransport {
  /** Resolves with those who do not get it; rejects with a nodemailer error when nobody does. */
  send(message: RawMessage, to: readonly string[]): Promise<readonly Refusal[]>
  /** Connects and logs in if necessary, and does as much as for a message, but names nobody. */
  dryRun(): Promise<void>
  close(): void
}

const idleMs = 10_000

/** A message makes this process work longer than one empty turn and shorter than two. */
function dryRunTurns(): number {
  return Math.random() < 0.5 ? 1 : 2
}

/** Opens connections as needed; nodemailer is loaded with the first one. */
export async function openSmtpTransport(options: CompleteSmtpOptions): Promise<SmtpTransport> {
  const { host, port, secure, login, timeout, connections, ca } = options
  const { createTransport } = await import('nodemailer')
  const timeoutMs = timeout * 1000
  // Only its log says when a connection is free again.
  const onFree: (() => void)[] = []
  const transport = createTransport({
    pool: true,
    logger: {
      debug(entry: unknown) {
        if (isFree(entry)) for (const resolve of onFree.splice(0)) resolve()
      },
    },
    host,
    port,
    secure: secure === MailSecurity.Tls,
    requireTLS: secure === MailSecurity.StartTls,
    ignoreTLS: secure === MailSecurity.None,
    // Without this, mail would be sent without login when the server does not offer one, or when an
    // attacker removes the offer.
    ...(login !== null && { auth: { ...login }, forceAuth: true }),
    ...(ca !== undefined && { tls: { ca } }),
    dnsTimeout: timeoutMs,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    maxConnections: connections,
    maxRequeues: 2,
    idleTimeout: idleMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send({ from, raw }, to) {
      const envelope = { from: { address: from }, to: to.map((address) => ({ address })) }
      const { rejectedErrors = [] } = await transport.sendMail({ envelope, raw: Buffer.from(raw) })
      return rejectedErrors.map((error) => ({ mailbox: error.recipient ?? '', error }))
    },
    async dryRun() {
      for (let turns = dryRunTurns(); turns > 0; turns -= 1) {
        const free = new Promise<void>((resolve) => onFree.push(resolve))
        // nodemailer connects, then finds no recipients, and resets the conversation (RSET).
        await transport.sendMail({ envelope: { from: '', to: [] }, raw: '' }).catch(passMissing)
        await free
      }
    },
    close: () => transport.close(),
  }
}

// nodemailer closes a connection after a hundred messages; then the next turn opens another one.
function isFree(entry: unknown): boolean {
  return isRecord(entry) && (entry['action'] === 'available' || entry['action'] === 'closed')
}

// What the server itself refuses has its response.
function passMissing(error: unknown): void {
  if (hasCode(error, 'EENVELOPE') && error instanceof Error && !('responseCode' in error)) return
  throw error
}
