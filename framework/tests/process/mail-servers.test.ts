import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { connect } from 'node:tls'
import { selfSigned } from '../../src/base/tls/self-signed.ts'
import { readMail } from '../../src/mail/read-mail.ts'
import { hasOpenSmtpd, openSmtpd } from '../support/opensmtpd.ts'
import { smtpServer } from '../support/smtp-server.ts'
import { waitFor } from '../support/wait-for.ts'
import { hello, mailerTo } from './mail-parts.ts'

/** A server without TLS that accepts mail only for `example.org`. */
interface PlainServer {
  readonly port: number
  /** One mail per mailbox that received it. */
  letters(): Promise<readonly Buffer[]>
}

type Start = (t: TestContext) => Promise<PlainServer>

async function smtpServerOfNpm(t: TestContext): Promise<PlainServer> {
  const { port, received } = await smtpServer(t, {
    secure: 'none',
    refuse: (step, address) => (step === 'rcpt' && !address.endsWith('@example.org') ? 550 : null),
  })
  const letters = (): Buffer[] => received.flatMap(({ to, raw }) => to.map(() => raw))
  return { port, letters: () => Promise.resolve(letters()) }
}

/**
 * The mails of a test with this mark in their text. OpenSMTPD keeps its queue for the whole
 * machine, and may deliver mails of an earlier test again.
 */
async function markedLetters(server: PlainServer, mark: string): Promise<readonly Buffer[]> {
  const letters = await server.letters()
  const mails = await Promise.all(letters.map((raw) => readMail(raw)))
  return letters.filter((_, at) => mails[at]?.text?.includes(mark) === true)
}

// A third-party server, if installed.
const servers: [string, Start][] = [
  ['smtp-server', smtpServerOfNpm],
  ...(hasOpenSmtpd() ? [['OpenSMTPD', (t) => openSmtpd(t)] satisfies [string, Start]] : []),
]

for (const [name, start] of servers) {
  test(`${name}: many concurrent mails arrive complete`, async (t) => {
    const server = await start(t)
    const mark = randomUUID()
    const { mailer, told } = mailerTo(t, { ...server, secure: 'none' })
    const content = Uint8Array.from({ length: 256 }, (_, at) => at)
    const textOf = (at: string): string => `.\n..\nGrüße ${at}\n${mark}\n${'x'.repeat(3_000)}\n.\n`
    const messages = Array.from({ length: 20 }, (_, at) =>
      hello({
        to: ['Ädä <ada@example.org>', 'bob@example.org'],
        subject: `Grüße ${at}`,
        text: textOf(String(at)),
        html: `<p>Grüße ${at}`,
        attachments: [{ name: 'größe.bin', content }],
      }),
    )
    const sent = await Promise.all(messages.map((message) => mailer.deliver(message)))
    assert.ok(sent.every((outcome) => outcome))
    assert.deepEqual(told, [])
    // A server that delivers through other programs needs a while on a busy machine.
    const letters = await waitFor('forty letters', async () => {
      const found = await markedLetters(server, mark)
      return found.length === 40 && found
    })
    const counts = new Map<string, number>()
    for (const raw of letters) {
      const mail = await readMail(raw)
      const [, at = ''] = /^Grüße (\d+)$/.exec(mail.header('subject') ?? '') ?? []
      counts.set(at, (counts.get(at) ?? 0) + 1)
      assert.equal(mail.text, textOf(at))
      assert.equal(mail.html?.trim(), `<p>Grüße ${at}`)
      assert.equal(mail.header('to'), 'Ädä <ada@example.org>, bob@example.org')
      assert.equal(mail.attachments[0]?.name, 'größe.bin')
      assert.deepEqual([...mail.attachments[0].content], [...content])
    }
    assert.deepEqual(
      [...counts.values()],
      Array.from({ length: 20 }, () => 2),
    )
  })

  test(`${name}: an unknown mailbox is refused, and the others get the mail`, async (t) => {
    const server = await start(t)
    const text = `${randomUUID()} secret-verifier`
    const { mailer, told, errors } = mailerTo(t, { ...server, secure: 'none' })
    const message = hello({ to: ['ada@example.org', 'eve@example.net'], text })
    assert.equal(await mailer.deliver(message), false)
    assert.match(told[0] ?? '', /^1 of 2 mailboxes did not get the message: .* answered 55\d/)
    assert.doesNotMatch(told[0] ?? '', /eve@|secret-verifier/)
    assert.equal(errors[0]?.partial, true)
    await waitFor('the letter', async () => (await markedLetters(server, text)).length === 1)
  })

  test(`${name}: starttls sends nothing without TLS`, async (t) => {
    const server = await start(t)
    const text = `${randomUUID()} secret-verifier`
    const { mailer, told } = mailerTo(t, { ...server, secure: 'starttls' })
    assert.equal(await mailer.deliver(hello({ text })), false)
    assert.match(told[0] ?? '', /does not offer TLS: it answered 50\d/)
    assert.deepEqual(await markedLetters(server, text), [])
  })
}

// The Debian 12 build offers TLS but cannot use it: with OpenSSL 3 it fails to find its own key
// (OpenSMTPD issue 1171). So another client decides what to expect here.
for (const secure of hasOpenSmtpd() ? (['tls', 'starttls'] as const) : []) {
  test(`OpenSMTPD: ${secure} delivers, or says that TLS failed and sends nothing`, async (t) => {
    const certificate = selfSigned()
    const server = await openSmtpd(t, certificate)
    const port = secure === 'tls' ? server.tlsPort : server.port
    const { mailer, told } = mailerTo(t, { port, secure, ca: certificate.cert })
    const text = `${randomUUID()} secret-verifier`
    const delivered = await mailer.deliver(hello({ text }))
    assert.equal(delivered, await speaksTls(server.tlsPort))
    const arrived = (): Promise<readonly Buffer[]> => markedLetters(server, text)
    if (delivered) await waitFor('the letter', async () => (await arrived()).length === 1)
    else {
      assert.match(told[0] ?? '', /could not be reached: ERR_SSL_/)
      assert.doesNotMatch(told[0] ?? '', /secret-verifier/)
      assert.deepEqual(await arrived(), [])
    }
  })
}

function speaksTls(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}
