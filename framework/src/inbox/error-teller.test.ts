import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { answer, startCollector } from '../../tests/support/fake-collector.ts'
import { connect } from '../database/connect.ts'
import { createThrowables } from '../errors/throwables/throwables.ts'
import type { Throwables } from '../errors/throwables/throwables.ts'
import { Mailer } from '../mail/mailer.ts'
import { MemoryLane } from '../mail/memory-lane.ts'
import { Schema } from '../migrations/schema.ts'
import { ErrorInbox } from './error-inbox.ts'
import type { ErrorGroup, ErrorNews } from './error-group.ts'
import { createErrorTables } from './error-tables.ts'
import { ErrorTeller, newsMessage, webhookBody } from './error-teller.ts'
import type { TellOptions } from './error-teller.ts'
import { SqlErrors } from './sql-errors.ts'

interface Site {
  readonly lane: MemoryLane
  readonly store: SqlErrors
  readonly throwables: Throwables
  readonly warnings: string[]
  readonly clock: { now: number }
  /** Lets seconds pass, as the interval of the inbox does. */
  readonly pass: (seconds: number) => Promise<void>
  readonly fail: (call: string, times?: number) => void
}

const nobody: TellOptions = { mail: '', webhook: '', webhookSecret: '', quietHours: '' }
/** 12:00 UTC. */
const noon = 1_763_208_000

async function site(t: TestContext, options: Partial<TellOptions>): Promise<Site> {
  // Only `pass` lets time pass.
  t.mock.timers.enable({ apis: ['setInterval'] })
  const root = mkdtempSync(join(tmpdir(), 'framework-teller-'))
  const database = await connect('sqlite::memory:')
  await database.transaction((transaction) => createErrorTables(new Schema(transaction)))
  const clock = { now: noon }
  const store = new SqlErrors(database, { clock: () => clock.now })
  const lane = new MemoryLane()
  const warnings: string[] = []
  const teller = new ErrorTeller(
    store,
    { ...nobody, ...options },
    {
      mailer: new Mailer(lane),
      url: 'https://shop.example.org',
      timeZone: 'Europe/Berlin',
      nowMs: () => clock.now * 1_000,
      warn: (message) => void warnings.push(message),
    },
  )
  const throwables = createThrowables()
  const inbox = new ErrorInbox(store, { root, throwables, clock: () => clock.now, teller })
  t.after(async () => {
    await inbox.close()
    await database.close()
    rmSync(root, { recursive: true, force: true })
  })
  return {
    lane,
    store,
    throwables,
    warnings,
    clock,
    async pass(seconds) {
      for (let second = 0; second < seconds; second += 1) {
        clock.now += 1
        await inbox.flush()
        await teller.look()
      }
    },
    fail(call, times = 1) {
      for (let time = 0; time < times; time += 1) {
        const error = new RangeError(`no item ${time}`)
        error.stack = `RangeError: no item ${time}\n    at ${call} (${root}/routes/orders.ts:3:4)`
        throwables.notify(error)
      }
    },
  }
}

test('a storm is at most three messages, which name the groups', async (t) => {
  const { lane, fail, pass } = await site(t, { mail: 'ops@example.org' })
  // Twenty thousand errors of a hundred groups in half an hour, the last of which begin late.
  for (let minute = 0; minute < 30; minute += 1) {
    for (let group = 0; group < 20; group += 1) fail(`call${(minute * 4 + group) % 100}`, 33)
    await pass(60)
  }
  await pass(900)
  const texts = lane.mails.map(({ text }) => text ?? '')
  assert.equal(texts.length, 3)
  assert.match(lane.mails[0]?.header('subject') ?? '', /^20 new errors on shop\.example\.org$/)
  assert.match(
    texts[0] ?? '',
    /RangeError: no item 0 in routes\/orders\.ts call0 \(new error, 33 times\)/,
  )
  assert.match(texts[0] ?? '', /and 10 more: https:\/\/shop\.example\.org\/errors$/m)
  for (const text of texts) {
    assert.ok(
      [...text.matchAll(/^https:\/\/shop\.example\.org\/errors\/[\da-f]{32}$/gm)].length <= 10,
    )
  }
})

test('a new error that occurs once an hour is told within a minute', async (t) => {
  const { lane, fail, pass } = await site(t, { mail: 'ops@example.org' })
  for (let hour = 1; hour <= 12; hour += 1) {
    fail(`hourly${hour}`)
    await pass(60)
    assert.equal(lane.mails.length, hour)
    assert.match(lane.mails.at(-1)?.text ?? '', new RegExp(`hourly${hour} \\(new error, 1 time\\)`))
    await pass(3_540)
  }
})

test('a spike and a returned error are told with how often they occur', async (t) => {
  const { lane, store, fail, pass } = await site(t, { mail: 'ops@example.org' })
  fail('often', 10)
  fail('fixed')
  await pass(30)
  const { groups } = await store.list({
    state: 'open',
    order: 'count',
    search: 'fixed',
    offset: 0,
    limit: 9,
  })
  await store.resolve(groups[0]?.fingerprint ?? '', null)
  await pass(3 * 3_600)
  fail('often', 100)
  fail('fixed')
  await pass(30)
  const mail = lane.mails[1]
  assert.equal(mail?.header('subject'), '1 returned error, 1 spike on shop.example.org')
  assert.match(mail?.text ?? '', /often \(spike, 110 times, 100 times in this hour\)/)
  assert.match(mail?.html ?? '', /<a href="https:\/\/shop\.example\.org\/errors\/[\da-f]{32}"/)
})

test('in quiet hours news wait, and are one message at their end', async (t) => {
  const { lane, clock, fail, pass } = await site(t, { mail: 'ops@example.org', quietHours: '13-7' })
  // 13:00 in Berlin.
  assert.equal(new Date(clock.now * 1_000).getUTCHours(), 12)
  fail('one')
  await pass(60)
  clock.now += 17 * 3_600
  fail('two')
  await pass(60)
  assert.equal(lane.mails.length, 0)
  clock.now += 3_600
  await pass(30)
  assert.deepEqual(
    lane.mails.map((mail) => mail.header('subject')),
    ['2 new errors on shop.example.org'],
  )
})

test('a webhook gets signed JSON with names and links, and its failures are retried twice', async (t) => {
  const collector = await startCollector(t, answer(500), answer(503), answer(200), answer(404))
  const url = `${collector.url}/hook?token=abc`
  const secret = `whsec_${Buffer.from('a key').toString('base64')}`
  const { warnings, fail, pass } = await site(t, { webhook: url, webhookSecret: secret })
  fail('first')
  await pass(90)
  assert.equal(collector.posts.length, 3)
  const { headers, body } = collector.posts[2] ?? assert.fail('nothing was posted')
  const signed = [headers['webhook-id'], headers['webhook-timestamp'], body.toString()].join('.')
  const digest = createHmac('sha256', 'a key').update(signed).digest('base64')
  assert.equal(headers['webhook-signature'], `v1,${digest}`)
  assert.ok(Math.abs(Number(headers['webhook-timestamp']) - noon) < 100)
  const sent: unknown = JSON.parse(body.toString())
  assert.partialDeepStrictEqual(sent, {
    type: 'errors.news',
    data: {
      title: '1 new error on shop.example.org',
      news: [
        {
          kind: 'new',
          group: { class: 'RangeError', place: 'routes/orders.ts first', count: 1 },
          summary: 'new error, 1 time',
        },
      ],
      rest: '',
    },
  })
  assert.deepEqual(warnings, [])
  fail('second')
  await pass(400)
  assert.equal(collector.posts.length, 6)
  assert.deepEqual(warnings, ['the webhook for news of errors does not work'])
  await pass(1_000)
  assert.equal(collector.posts.length, 6)
})

test('a redirect is not followed: what is signed goes to one address', async (t) => {
  const other = await startCollector(t, answer(200))
  const collector = await startCollector(t, (response) => {
    response.writeHead(307, { location: other.url }).end()
  })
  const { fail, pass } = await site(t, { webhook: collector.url, webhookSecret: 'x' })
  fail('first')
  await pass(120)
  assert.equal(collector.posts.length, 3)
  assert.equal(other.posts.length, 0)
})

test('a dead webhook is tried three times, and a mail is sent once', async (t) => {
  const { lane, warnings, fail, pass } = await site(t, {
    mail: 'ops@example.org',
    webhook: 'http://127.0.0.1:9/',
  })
  fail('first')
  await pass(120)
  assert.equal(lane.mails.length, 1)
  assert.deepEqual(warnings, ['the webhook for news of errors does not work'])
})

test('while a webhook does not answer, errors are stored, mails are sent and the process can end', async (t) => {
  const collector = await startCollector(t, () => {})
  const { lane, store, throwables, fail, clock } = await site(t, {
    mail: 'ops@example.org',
    webhook: collector.url,
  })
  fail('first')
  const context = {
    mailer: new Mailer(lane),
    url: 'https://shop.example.org',
    timeZone: 'UTC',
    nowMs: () => clock.now * 1_000,
    warn() {},
  }
  const options = { ...nobody, mail: 'ops@example.org', webhook: collector.url }
  const teller = new ErrorTeller(store, options, context)
  const root = mkdtempSync(join(tmpdir(), 'framework-teller-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const inbox = new ErrorInbox(store, { root, throwables, clock: () => clock.now, teller })
  fail('second')
  await inbox.flush()
  void teller.look()
  while (collector.posts.length === 0 || lane.mails.length === 0) await new Promise(setImmediate)
  fail('third')
  clock.now += 60
  await inbox.flush()
  const { matching } = await store.list({
    state: 'open',
    order: 'last',
    search: 'third',
    offset: 0,
    limit: 1,
  })
  assert.equal(matching, 1)
  await inbox.close()
})

function group(changes: Partial<ErrorGroup>): ErrorNews {
  const known: ErrorGroup = {
    fingerprint: 'a'.repeat(32),
    class: 'TypeError',
    message: 'x',
    code: null,
    place: 'a.ts',
    state: 'open',
    count: 1,
    firstSeen: noon,
    lastSeen: noon,
    firstRelease: '1',
    lastRelease: '1',
    resolvedAt: null,
    resolvedRelease: null,
    returnedAt: null,
    returnedRelease: null,
    accounts: 0,
    hours: [],
  }
  return { kind: 'new', group: { ...known, ...changes } }
}

test('Slack and Discord get messages in which an error calls nobody and is no markup', () => {
  const hostile = '<!channel> @everyone <https://evil.example|click> & `x`'
  const news = newsMessage(
    Array.from({ length: 50 }, () => group({ message: hostile.repeat(20) })),
    'https://shop.example.org',
  )
  const slack = webhookBody('https://hooks.slack.com/services/T/B/x', news)
  assert.deepEqual(Object.keys(JSON.parse(slack)), ['text'])
  assert.ok(!slack.includes('<'))
  assert.match(slack, /&lt;!channel&gt;/)
  for (const host of ['discord.com', 'ptb.discord.com', 'discordapp.com']) {
    const { content, allowed_mentions } = JSON.parse(webhookBody(`https://${host}/api/x`, news))
    assert.ok(content.length <= 2_000)
    assert.deepEqual(allowed_mentions, { parse: [] })
  }
  assert.equal(
    JSON.parse(webhookBody('https://discord.com.evil.example/', news)).type,
    'errors.news',
  )
})
