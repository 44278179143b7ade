import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { createThrowables } from '../errors/throwables/throwables.ts'
import type { ReportContext } from '../errors/throwables/throwables.ts'
import type { Step } from '../activity/step.ts'
import { Steps } from '../activity/steps.ts'
import type { Lane } from './lane.ts'
import { MailError } from './mail-error.ts'
import { MailViews } from './mail-views.ts'
import { Mailer } from './mailer.ts'
import type { MailerOptions } from './mailer.ts'
import { MemoryLane } from './memory-lane.ts'
import { Message } from './message.ts'
import type { MessageOptions } from './message.ts'
import type { ReadMail } from './read-mail.ts'

const link = 'https://shop.example/reset/0123456789abcdef/secret-verifier'

function reset(more: Partial<MessageOptions> = {}): Message {
  return new Message({ to: 'ada@example.org', subject: 'Reset', text: `Open ${link}\n`, ...more })
}

interface Report {
  readonly error: Error
  readonly context: ReportContext
}

function mailerOn(lane: Lane, options: MailerOptions = {}): { mailer: Mailer; reports: Report[] } {
  const throwables = createThrowables()
  const reports: Report[] = []
  throwables.reporters.push((error, context) => reports.push({ error, context }))
  return { mailer: new Mailer(lane, { throwables, ...options }), reports }
}

async function delivered(message: Message, options?: MailerOptions): Promise<ReadMail> {
  const lane = new MemoryLane()
  const { mailer, reports } = mailerOn(lane, options)
  assert.equal(await mailer.deliver(message), true)
  assert.deepEqual(reports, [])
  const [mail] = lane.mails
  assert.ok(mail !== undefined)
  return mail
}

const failing: Lane = {
  name: 'failing',
  send: () => Promise.reject(new MailError('mail server mx:25 answered 550 5.1.1 to RCPT TO')),
}

test('a message arrives with everything it was made of', async () => {
  const mail = await delivered(
    reset({
      to: ['ada@example.org', { address: 'bob@example.org', name: 'Böb, the "builder"' }],
      cc: 'Cy <cy@example.org>',
      replyTo: 'help@example.org',
      subject: 'Grüße 👋 aus dem Laden',
      text: 'Grüße\n.\nFrom here\n',
      html: '<p>Grüße <img src="cid:logo"></p>',
      headers: { 'List-Unsubscribe': '<https://shop.example/stop>' },
      attachments: [
        { name: 'Rechnung Nr. 7 – größer.pdf', content: Buffer.from([0, 1, 2, 255, 10, 13]) },
        { name: 'note.txt', content: 'Grüße', type: 'text/plain; charset=utf-8' },
        { name: 'logo.png', content: Buffer.from('png'), cid: 'logo' },
      ],
    }),
    { from: 'Shop <no-reply@shop.example>', clock: () => 1_700_000_000 },
  )
  assert.equal(mail.header('From'), 'Shop <no-reply@shop.example>')
  assert.equal(mail.header('To'), 'ada@example.org, Böb, the "builder" <bob@example.org>')
  assert.equal(mail.header('Cc'), 'Cy <cy@example.org>')
  assert.equal(mail.header('Reply-To'), 'help@example.org')
  assert.equal(mail.header('Subject'), 'Grüße 👋 aus dem Laden')
  assert.equal(mail.header('Date'), 'Tue, 14 Nov 2023 22:13:20 +0000')
  assert.match(mail.header('Message-ID') ?? '', /^<[\w-]{36}@shop\.example>$/)
  assert.equal(mail.header('List-Unsubscribe'), '<https://shop.example/stop>')
  assert.equal(mail.text, 'Grüße\n.\nFrom here\n')
  assert.equal(mail.html, '<p>Grüße <img src="cid:logo"></p>')
  assert.deepEqual(
    mail.attachments
      .map(({ name, type, cid, content }) => [name, type, cid, content.toString('latin1')])
      .toSorted((one, other) => String(one[0]).localeCompare(String(other[0]), 'en')),
    [
      ['logo.png', 'image/png', 'logo', 'png'],
      ['note.txt', 'text/plain', null, Buffer.from('Grüße').toString('latin1')],
      ['Rechnung Nr. 7 – größer.pdf', 'application/pdf', null, '\x00\x01\x02\xff\n\r'],
    ],
  )
})

test('the sender is no-reply@localhost unless the mailer or the message names one', async () => {
  assert.equal((await delivered(reset())).header('From'), 'no-reply@localhost')
  const from = 'Ada <ada@example.org>'
  assert.equal((await delivered(reset({ from }), { from: 'x@y.z' })).header('From'), from)
})

test('a sender without a display name is given one, another keeps its own', async () => {
  for (const [sender, expected] of [
    ['no-reply@shop.example', 'Shop <no-reply@shop.example>'],
    ['Ada <ada@example.org>', 'Ada <ada@example.org>'],
  ] as const) {
    const lane = new MemoryLane()
    const { mailer } = mailerOn(lane, { from: sender })
    mailer.nameSender('Shop')
    await mailer.deliver(reset())
    assert.equal(lane.mails[0]?.header('From'), expected)
    assert.throws(() => mailerOn(lane).mailer.nameSender('Shop\nBcc: eve@example.org'), /name in/)
  }
})

test('bcc recipients get the message once and are not named in it', async () => {
  const lane = new MemoryLane()
  await mailerOn(lane).mailer.deliver(reset({ bcc: ['eve@example.org', 'ada@example.org'] }))
  const [message] = lane.messages
  assert.deepEqual(message?.to, ['ada@example.org', 'eve@example.org'])
  assert.doesNotMatch(Buffer.from(message?.raw ?? []).toString(), /eve@example\.org|bcc/i)
})

test('lines of a message end as the protocol wants them and none is too long', async () => {
  const lane = new MemoryLane()
  const long = 'x'.repeat(899)
  await mailerOn(lane).mailer.deliver(
    reset({ subject: long, text: `a\nb\r\n${long.repeat(5)}`, headers: { 'X-Long': long } }),
  )
  const raw = Buffer.from(lane.messages[0]?.raw ?? []).toString('latin1')
  assert.doesNotMatch(raw, /(?<!\r)\n/)
  for (const line of raw.split('\r\n')) assert.ok(line.length <= 998, line)
})

test('a failed delivery resolves to false and is reported once, with no word of the message', async () => {
  const { mailer, reports } = mailerOn(failing)
  assert.equal(await mailer.deliver(reset()), false)
  const [report, ...others] = reports
  assert.deepEqual(others, [])
  assert.ok(report?.error instanceof MailError)
  assert.equal(report.context['interface'], 'ACI')
  assert.equal(report.context['lane'], 'failing')
  assert.match(String(report.context['message']), /^[\w-]{36}@localhost$/)
  const told = JSON.stringify(report.context) + report.error.message + report.error.stack
  assert.doesNotMatch(told, /secret-verifier|ada@example/)
})

test('a lane that throws, or whatever else it rejects with, never becomes a rejection', async () => {
  const lanes: Lane[] = [
    {
      name: 'throws',
      send: () => {
        throw new TypeError('broken')
      },
    },
    { name: 'text', send: () => Promise.reject('a text') },
    { name: 'nothing', send: () => Promise.reject() },
  ]
  for (const lane of lanes) {
    const { mailer, reports } = mailerOn(lane)
    assert.equal(await mailer.deliver(reset()), false)
    assert.equal(reports.length, 1)
  }
})

test('an object that is not a Message is not delivered', async () => {
  const lane = new MemoryLane()
  const { mailer, reports } = mailerOn(lane)
  const forged: Message = JSON.parse('{ "to": [], "subject": "a\\r\\nBcc: eve@example.org" }')
  assert.equal(await mailer.deliver(forged), false)
  assert.equal(lane.messages.length, 0)
  assert.match(reports[0]?.error.message ?? '', /new Message/)
})

test('an invalid sender is rejected by the constructor', () => {
  assert.throws(() => new Mailer(new MemoryLane(), { from: 'shop' }), { code: 'E_MAIL_ADDRESS' })
})

test('a queue that cannot take a message is a failed delivery', async () => {
  const queue = { push: () => Promise.reject(new Error('no such table')) }
  const { mailer, reports } = mailerOn(new MemoryLane(), { queue })
  assert.equal(await mailer.deliver(reset()), false)
  assert.equal(reports[0]?.context['lane'], 'queue')
})

test('close waits for pending deliveries, and later ones fail', async () => {
  const events: string[] = []
  const sending = Promise.withResolvers<void>()
  const lane: Lane = {
    name: 'slow',
    async send() {
      await sending.promise
      events.push('sent')
    },
    close: () => events.push('closed'),
  }
  const { mailer, reports } = mailerOn(lane)
  const first = mailer.deliver(reset())
  const closing = mailer.close()
  await new Promise(setImmediate)
  sending.resolve()
  await closing
  assert.equal(await first, true)
  assert.deepEqual(events, ['sent', 'closed'])
  assert.equal(await mailer.deliver(reset()), false)
  assert.match(reports[0]?.error.message ?? '', /the mailer is closed/)
})

function views(t: TestContext, files: Record<string, string>): MailViews {
  const folder = mkdtempSync(join(tmpdir(), 'framework-mail-views-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'mails'))
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, 'mails', `${name}.template.html`), text)
  }
  return new MailViews(folder)
}

function viewed(data: Record<string, unknown> = {}): Message {
  return new Message({ to: 'ada@example.org', subject: 'Verify', view: 'mails/verify', data })
}

test('a view renders both parts; HTML is escaped and text is not', async (t) => {
  const mail = await delivered(viewed({ link: 'https://a.example/?x=1&y=2', name: '<Ada>' }), {
    views: views(t, {
      verify: '<title><%= it.subject %></title><a href="<%= it.link %>"><%= it.name %></a>',
      'verify.text': "\n<% layout('mails/frame.text') %>\nHello <%= it.name %>: <%= it.link %>\n",
      'frame.text': '<%~ it.body %>\n-- \nShop\n',
    }),
  })
  assert.equal(
    mail.html,
    '<title>Verify</title><a href="https://a.example/?x=1&amp;y=2">&lt;Ada&gt;</a>',
  )
  assert.match(mail.text ?? '', /^Hello <Ada>: https:\/\/a\.example\/\?x=1&y=2\n/)
  assert.match(mail.text ?? '', /-- \nShop\n$/)
})

test('a view may render the text alone, and without one it is made from the HTML', async (t) => {
  const text = await delivered(viewed(), { views: views(t, { 'verify.text': 'Hello' }) })
  assert.deepEqual([text.text?.trim(), text.html], ['Hello', null])
  const html = await delivered(viewed(), { views: views(t, { verify: '<p><b>Hello</b> you' }) })
  assert.deepEqual([html.text, html.html?.trim()], ['Hello you\n', '<p><b>Hello</b> you'])
})

test('a view that is missing, fails, or has no folder is a failed delivery', async (t) => {
  for (const [folder, code] of [
    [views(t, {}), 'E_VIEW_MISSING'],
    [views(t, { verify: '<%= it.user.name %>' }), 'E_TEMPLATE_RENDER'],
    [null, 'E_VIEWS'],
  ] as const) {
    const { mailer, reports } = mailerOn(new MemoryLane(), { views: folder })
    assert.equal(await mailer.deliver(viewed()), false)
    const error = reports[0]?.error
    assert.ok(error !== undefined && 'code' in error)
    assert.equal(error.code, code)
  }
})

test('a dry run is a step like a message, so that numbers do not tell them apart', async (t) => {
  const seen: string[] = []
  const watcher = { ended: ({ kind, name }: Step): unknown => kind === 'mail' && seen.push(name) }
  t.after(Steps.Instance.watch(watcher))
  const lane = new MemoryLane()
  const { mailer } = mailerOn(lane)
  await mailer.deliver(reset())
  await mailer.deliver(reset(), { dryRun: true })
  assert.equal(lane.mails.length, 1)
  await mailerOn(failing).mailer.deliver(reset(), { dryRun: true })
  assert.deepEqual(seen, ['memory', 'memory', 'failing'])
})
