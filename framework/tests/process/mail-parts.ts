import type { TestContext } from 'node:test'
import { createThrowables } from '../../src/errors/throwables/throwables.ts'
import { MailError } from '../../src/mail/mail-error.ts'
import { Mailer } from '../../src/mail/mailer.ts'
import type { MailerOptions } from '../../src/mail/mailer.ts'
import { Message } from '../../src/mail/message.ts'
import type { MessageOptions } from '../../src/mail/message.ts'
import { SmtpLane } from '../../src/mail/smtp-lane.ts'
import type { SmtpOptions } from '../../src/mail/smtp-options.ts'

/** A mailer and its reports. */
export interface TestMailer {
  readonly mailer: Mailer
  /** The text, stack and context of each report. */
  readonly told: readonly string[]
  readonly errors: readonly MailError[]
}

/** A message with a secret link. */
export function hello(options: Partial<MessageOptions> = {}): Message {
  return new Message({
    to: 'ada@example.org',
    subject: 'Hello',
    text: 'Open this:\nhttps://shop.example/reset/0123456789abcdef/secret-verifier\n',
    ...options,
  })
}

/** A mailer for a local server, configured by the server's properties. */
export function mailerTo(
  t: TestContext,
  server: Partial<SmtpOptions>,
  options: MailerOptions = {},
): TestMailer {
  const { host = '127.0.0.1', port = null, secure = 'starttls', ca } = server
  const { username = '', password = '', timeout = 120, connections = 5 } = server
  const throwables = createThrowables()
  const told: string[] = []
  const errors: MailError[] = []
  throwables.reporters.push((error, context) => {
    told.push(`${error.message}\n${error.stack}\n${JSON.stringify(context)}`)
    if (error instanceof MailError) errors.push(error)
  })
  const login = { username, password }
  const lane = new SmtpLane({ host, port, secure, ca, ...login, timeout, connections, pause: 0.05 })
  const mailer = new Mailer(lane, { throwables, ...options })
  t.after(() => mailer.close())
  return { mailer, told, errors }
}
