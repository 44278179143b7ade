import { once } from 'node:events'
import { SMTPServer } from 'smtp-server'
import type { SMTPServerSession } from 'smtp-server'
import type { Cleanup } from './cleanup.ts'
import { selfSigned } from '../../src/base/tls/self-signed.ts'
import type { MailSecurity } from '../../src/mail/smtp-options.ts'

/** A message as received by the server. */
export interface ReceivedLetter {
  readonly from: string
  readonly to: readonly string[]
  readonly raw: Buffer
  /** Whether it was received over TLS. */
  readonly secure: boolean
  readonly user: string | null
  /** Milliseconds since 1970. */
  readonly at: number
}

/** The commands that a server can refuse. */
export type SmtpStep = 'connect' | 'mail' | 'rcpt' | 'data'

/** Options of the server. */
export interface SmtpServerOptions {
  /** The offered encryption. @default starttls */
  readonly secure?: MailSecurity
  /** The host of its certificate. @default this machine */
  readonly hosts?: readonly string[]
  /** Requires this login. */
  readonly login?: { readonly user: string; readonly pass: string }
  /** The code to refuse a step with, by its address and how often it occurred; null to accept it. */
  readonly refuse?: (step: SmtpStep, address: string, time: number) => number | null
  /** Waits for this before it accepts a message. */
  readonly hold?: () => Promise<unknown>
}

/** A real mail server on a free port that stops with the test. */
export interface TestSmtpServer {
  readonly port: number
  /** The certificate to trust. */
  readonly ca: string
  readonly received: readonly ReceivedLetter[]
  /** Steps in order: `rcpt ada@example.org`. */
  readonly steps: readonly string[]
  /** Connections so far, and open ones. */
  readonly sockets: { all: number; open: number; most: number }
  /** Closes the open connections. */
  drop(): void
}

/** Starts a server. Its refusals quote the address, or the last line of a message. */
export async function smtpServer(
  t: Cleanup,
  options: SmtpServerOptions = {},
): Promise<TestSmtpServer> {
  const { secure = 'starttls', hosts, login, refuse = () => null, hold } = options
  const certificate = selfSigned(hosts === undefined ? {} : { hosts })
  const received: ReceivedLetter[] = []
  const steps: string[] = []
  const sockets = { all: 0, open: 0, most: 0 }

  const refusal = (step: SmtpStep, address: string, quoted = address): Error | null => {
    steps.push(`${step} ${address}`.trim())
    const time = steps.filter((other) => other === steps.at(-1)).length
    const code = refuse(step, address, time)
    return code === null
      ? null
      : Object.assign(new Error(`5.7.1 refused: ${quoted}`), { responseCode: code })
  }

  const server = new SMTPServer({
    ...certificate,
    logger: false,
    secure: secure === 'tls',
    authOptional: login === undefined,
    allowInsecureAuth: true,
    hideSMTPUTF8: false,
    disabledCommands: [
      ...(login === undefined ? ['AUTH'] : []),
      ...(secure === 'starttls' ? [] : ['STARTTLS']),
    ],
    disableReverseLookup: true,
    closeTimeout: 100,
    onConnect(_session, done) {
      sockets.all += 1
      sockets.open += 1
      sockets.most = Math.max(sockets.most, sockets.open)
      done(refusal('connect', ''))
    },
    onClose() {
      sockets.open -= 1
    },
    onAuth({ username, password }, _session, done) {
      if (username === login?.user && password === login?.pass) done(null, { user: username })
      else done(new Error(`no such login: ${username} ${password}`))
    },
    onMailFrom: ({ address }, _session, done) => done(refusal('mail', address)),
    onRcptTo: ({ address }, _session, done) => done(refusal('rcpt', address)),
    onData(stream, session, done) {
      void (async () => {
        // Null for a client that is killed in the middle of a message.
        const chunks = await stream.toArray().catch(() => null)
        if (chunks === null) return done()
        const raw = Buffer.concat(chunks)
        await hold?.()
        const refused = refusal('data', '', raw.toString().trim().split('\n').at(-1))
        if (refused === null) received.push(letterOf(session, raw))
        done(refused)
      })()
    },
  })
  // Some tests are about clients that give up.
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  t.after(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return {
    port: portOf(server),
    ca: certificate.cert,
    received,
    steps,
    sockets,
    drop: () => {
      for (const connection of server.connections) connection.close()
    },
  }
}

function letterOf(session: SMTPServerSession, raw: Buffer): ReceivedLetter {
  const { envelope, secure, user } = session
  return {
    from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
    to: envelope.rcptTo.map(({ address }) => address),
    raw,
    secure,
    user: typeof user === 'string' ? user : null,
    at: Date.now(),
  }
}

function portOf({ server }: SMTPServer): number {
  const address = server.address()
  if (typeof address === 'object' && address !== null) return address.port
  throw new Error('a TCP server has no port')
}
