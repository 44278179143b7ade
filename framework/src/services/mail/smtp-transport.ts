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
    close: () => transport.close(),
  }
}
