import { hasCode } from '../../base/files/has-code.ts'
import type { Letter } from './letter.ts'
import { MailSecurity } from './mail-security.ts'
import type { CompleteSmtpOptions } from './smtp-options.ts'

/** The result of sending a letter. */
export interface SendResult {
  /** The recipients that the server rejected, each with its error. */
  readonly refusals: readonly { readonly mailbox: string; readonly error: unknown }[]
}

/** The connections to one mail server. */
export interface SmtpTransport {
  /** Rejects with a nodemailer error when no recipient gets the letter. */
  send(letter: Letter, to: readonly string[]): Promise<SendResult>
  /** Connects and logs in if necessary, and lets the server start afresh. */
  rehearse(): Promise<void>
  close(): void
}

const idleMs = 10_000

/** Opens connections as needed; nodemailer is loaded with the first one. */
export async function openSmtpTransport(options: CompleteSmtpOptions): Promise<SmtpTransport> {
  const { host, port, secure, login, timeout, connections, ca } = options
  const { createTransport } = await import('nodemailer')
  const timeoutMs = timeout * 1000
  const transport = createTransport({
    pool: true,
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
      const envelope = {
        from: { address: from },
        to: to.map((address) => ({ address })),
      }
      const { rejectedErrors = [] } = await transport.sendMail({ envelope, raw: Buffer.from(raw) })
      const refusals = rejectedErrors.map((error) => ({ mailbox: error.recipient ?? '', error }))
      return { refusals }
    },
    async rehearse() {
      try {
        // nodemailer connects, then finds no recipients, and resets the conversation (RSET).
        await transport.sendMail({ envelope: { from: '', to: [] }, raw: '' })
      } catch (error) {
        if (!lacksRecipients(error)) throw error
      }
    },
    close: () => transport.close(),
  }
}

// What the server itself refuses has its response.
function lacksRecipients(error: unknown): boolean {
  return hasCode(error, 'EENVELOPE') && error instanceof Error && !('responseCode' in error)
}
