import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { createGatheredMailsTable, GatheredMails } from '../../src/mail/gathered-mails.ts'
import type { GatheredMail, GatheredMailsOptions } from '../../src/mail/gathered-mails.ts'
import { createThrowables } from '../../src/errors/throwables/throwables.ts'
import { epochSeconds } from '../../src/base/time/epoch-seconds.ts'
import { Schema } from '../../src/migrations/schema.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import type { Message } from '../../src/mail/message.ts'
import { someKey } from '../support/some-key.ts'
import { waitFor } from '../support/wait-for.ts'
import { onEveryDatabase } from '../support/test-databases.ts'

const ada = 'ada@example.com'
const grace = 'grace@example.com'

function notice(to: string, subject: string): GatheredMail {
  return { to, subject, view: 'mails/notice', data: { link: 'https://x.org/undo/secret', subject } }
}

onEveryDatabase((_, open) => {
  /** Processes that share a database, a key and a clock. */
  async function opened(t: TestContext) {
    const database = await open(t, 'pool=8')
    await database.transaction((transaction) => createGatheredMailsTable(new Schema(transaction)))
    const clock = { now: 1_700_000_000 }
    const sent: [to: string | undefined, subject: string, parts: number][] = []
    const reported: unknown[] = []
    const throwables = createThrowables()
    throwables.reporters.push((error) => reported.push(error))
    const key = someKey()
    const deliver = async ({ to, subject, data }: Message): Promise<boolean> => {
      const { parts } = data
      sent.push([to[0]?.address, subject, Array.isArray(parts) ? parts.length : 1])
      return true
    }
    const start = (options: Partial<GatheredMailsOptions> = {}): GatheredMails =>
      new GatheredMails(database, {
        mailer: { deliver },
        key,
        combine: (mails) => ({
          to: mails[0].to,
          subject: mails.map(({ subject }) => subject).join(', '),
          view: 'mails/all',
          data: { parts: mails },
        }),
        throwables,
        clock: () => clock.now,
        ...options,
      })
    const count = async (): Promise<number> => {
      const [row] = await database.rows(sql`SELECT count(*) AS n FROM gathered_mails`)
      return Number(row?.['n'])
    }
    return { database, clock, sent, reported, start, count }
  }

  test('mails to one address are sent together once the first is due, and one alone as it is', async (t) => {
    const { clock, sent, start, count } = await opened(t)
    const mails = start()
    await mails.add(notice(ada, 'one'))
    await mails.add(notice(grace, 'hers'))
    clock.now += 299
    await mails.add(notice(ada, 'two'))
    assert.equal(await mails.sweep(), 0)
    clock.now += 1
    assert.equal(await mails.sweep(), 2)
    assert.deepEqual(
      new Map(sent.map(([to, ...mail]) => [to, mail])),
      new Map([
        [ada, ['one, two', 2]],
        [grace, ['hers', 1]],
      ]),
    )
    assert.deepEqual([await mails.sweep(), await count()], [0, 0])
  })

  test('of several processes one sends them, and what is added meanwhile is not lost', async (t) => {
    const { database, clock, sent, start, count } = await opened(t)
    const deliver = async ({ to, subject }: Message): Promise<boolean> => {
      sent.push([to[0]?.address, subject, 0])
      // Time for others to come upon the same mails.
      for (let nth = 0; nth < 5; nth += 1) await database.rows(sql`SELECT 1`)
      return true
    }
    const processes = Array.from({ length: 6 }, () => start({ mailer: { deliver } }))
    const [mails = start()] = processes
    const people = Array.from({ length: 8 }, (_, nth) => `p${nth}@example.com`)
    for (const to of people) {
      for (const subject of ['one', 'two']) await mails.add(notice(to, subject))
    }
    clock.now += 300
    const late = people.map((to) => mails.add(notice(to, 'late')))
    await Promise.all([...processes.map((process) => process.sweep()), ...late])
    assert.deepEqual(new Set(sent.map(([to]) => to)), new Set(people))
    assert.equal(sent.length, people.length)
    clock.now += 300
    await mails.sweep()
    for (const to of people) {
      const told = sent.filter((mail) => mail[0] === to).map(([, subject]) => subject)
      assert.equal(told.join(', '), 'one, two, late')
    }
    assert.equal(await count(), 0)
  })

  test('a process that dies while it sends leaves them to the next one', async (t) => {
    const { clock, sent, start } = await opened(t)
    const dying = start({ mailer: { deliver: () => Promise.reject(new Error('killed')) } })
    await dying.add(notice(ada, 'one'))
    await dying.add(notice(ada, 'two'))
    clock.now += 300
    await assert.rejects(dying.sweep(), /killed/)
    const next = start()
    assert.equal(await next.sweep(), 0, 'it could still be at it')
    clock.now += 300
    assert.equal(await next.sweep(), 1)
    assert.deepEqual(sent, [[ada, 'one, two', 2]])
  })

  test('a process sends what it has added when it is due, and at its start what others have left', async (t) => {
    const { sent, start } = await opened(t)
    const gone = start({ clock: epochSeconds })
    await gone.add(notice(grace, 'left'), { delay: 0 })
    await gone.close()
    const next = start({ clock: epochSeconds, delay: 1 })
    t.after(() => next.close())
    await next.add(notice(ada, 'own'))
    await waitFor('its own, by a timer', () => sent.some(([to]) => to === ada))
    const third = start({ clock: epochSeconds })
    t.after(() => third.close())
    await gone.add(notice(grace, 'more'), { delay: 0 })
    third.start()
    await waitFor('what was left', () => sent.some(([, subject]) => /more/.test(subject)))
    const told = sent.filter(([to]) => to === grace).flatMap(([, subject]) => subject.split(', '))
    assert.deepEqual(told, ['left', 'more'])
  })

  test('a mail server that refuses them is tried again for a day', async (t) => {
    const { clock, start, count } = await opened(t)
    let tries = 0
    const deliver = async (): Promise<boolean> => {
      tries += 1
      return false
    }
    const mails = start({ mailer: { deliver } })
    await mails.add(notice(ada, 'one'))
    for (const seconds of [300, 299, 1, 86_400]) {
      clock.now += seconds
      assert.equal(await mails.sweep(), 0)
    }
    assert.deepEqual([tries, await count()], [3, 0])
  })

  test('in a transaction they are added with the rest of it or not at all', async (t) => {
    const { database, start, count } = await opened(t)
    const mails = start()
    const undone = database.transaction(async (transaction) => {
      await mails.within(transaction).add(notice(ada, 'never'))
      throw new Error('undone')
    })
    await assert.rejects(undone, /undone/)
    assert.equal(await count(), 0)
    await database.transaction((transaction) => mails.within(transaction).add(notice(ada, 'yes')))
    assert.equal(await count(), 1)
  })

  test('neither address nor link is in the table, and a process without the key reports and leaves them', async (t) => {
    const { database, clock, sent, reported, start, count } = await opened(t)
    await start().add(notice(ada, 'one'))
    const [row] = await database.rows(sql`SELECT recipient, content FROM gathered_mails`)
    const content = row?.['content']
    assert.ok(content instanceof Uint8Array)
    const stored = `${String(row?.['recipient'])} ${Buffer.from(content).toString('latin1')}`
    assert.doesNotMatch(stored, /ada@|example\.com|undo/)
    clock.now += 300
    const stranger = start({ key: someKey() })
    assert.equal(await stranger.sweep(), 0)
    assert.deepEqual([reported.length, sent.length, await count()], [1, 0, 1])
    clock.now += 300
    assert.equal(await start().sweep(), 1)
    assert.deepEqual(sent, [[ada, 'one', 1]])
    await start().add(notice(ada, 'two'))
    clock.now += 90_000
    assert.deepEqual([await stranger.sweep(), await count()], [0, 0])
  })
})
