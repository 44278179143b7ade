import type { Letter } from './letter.ts'
import { MailSecurity } from './mail-security.ts'
import type { CompleteSmtpOptions } from './smtp-options.ts'

/** What became of a letter whose sender the server accepted. */
export interface Handed {
  /** The mailboxes that were refused, each with what the server said. */
  readonly refusals: readonly { readonly mailbox: string; readonly error: unknown }[]
}

/** The connections to one mail server. */
export interface SmtpTransport {
  /** Rejects with an error of the library when nobody gets the letter. */
  hand(letter: Letter, to: readonly string[]): Promise<Handed>
  close(): void
}

const IDLE_MS = 10_000

/** Makes the connections as they are needed; the library is loaded with them. */
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
    // Without it a server that offers no login, or somebody who took that out of its answer, would
    // get the mail from a stranger.
    ...(login !== null && { auth: { ...login }, forceAuth: true }),
    ...(ca !== undefined && { tls: { ca } }),
    dnsTimeout: timeoutMs,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    maxConnections: connections,
    maxRequeues: 2,
    idleTimeout: IDLE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async hand({ from, raw }, to) {
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
