import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { test } from 'node:test'
import { Blog } from '../../../../examples/blog/blog.ts'
import { EventLog } from '../../../../examples/event-log/event-log.ts'
import type { NewEvent } from '../../../../examples/event-log/event-log.ts'
import { Ledger } from '../../../../examples/ledger/ledger.ts'
import { migrate } from '../../../src/migrations/migrator.ts'
import { onEveryDatabase } from '../../support/test-databases.ts'

/** How many events the log has; a million with EVENT_LOG_ROWS=1000000. */
const events = Number(process.env['EVENT_LOG_ROWS'] ?? 5_000)
/** How many payments are made at the same time, in each of a few rounds. */
const payments = Number(process.env['LEDGER_PAYMENTS'] ?? 24)

function migrations(program: string): string {
  return join(import.meta.dirname, '../../../../examples', program, 'migrations')
}

onEveryDatabase((_name, open) => {
  test('the blog with tags', async (t) => {
    const database = await open(t)
    await migrate(database, migrations('blog'))
    const blog = new Blog(database)
    await blog.addAuthors(['Ada', 'Bob'])

    const ids: string[] = []
    for (let n = 1; n <= 5; n += 1) {
      const tags = n % 2 === 0 ? ['node', 'web'] : ['node']
      const author = n < 4 ? 'Ada' : 'Bob'
      ids.push(
        await blog.publish({ slug: `post-${n}`, title: `Post ${n}`, body: '…', author, tags }),
      )
    }
    const [first = '', second = ''] = ids
    // Neither the post nor its tags stay when the slug is taken.
    await assert.rejects(
      blog.publish({ slug: 'post-1', title: 'Twice', body: '…', author: 'Ada', tags: ['lost'] }),
      { code: 'E_DUPLICATE_KEY' },
    )
    for (const words of ['one', 'two', 'three']) await blog.comment(second, 'Bob', words)

    const page = await blog.frontPage(null, null)
    assert.deepEqual(
      page.posts.map(({ title }) => title),
      ['Post 5', 'Post 4', 'Post 3'],
    )
    const rest = await blog.frontPage(null, page.next)
    assert.deepEqual(rest, {
      posts: [
        {
          title: 'Post 2',
          author: 'Ada',
          tags: ['node', 'web'],
          comments: ['Bob: three', 'Bob: two'],
          commentsCount: 3,
        },
        { title: 'Post 1', author: 'Ada', tags: ['node'], comments: [], commentsCount: 0 },
      ],
      next: null,
    })
    const tagged = await blog.frontPage('web', null)
    assert.deepEqual(
      tagged.posts.map(({ title }) => title),
      ['Post 4', 'Post 2'],
    )

    await Promise.all(Array.from({ length: 10 }, () => blog.read(first)))
    assert.equal(await blog.read(first), 11)
    const table = await blog.authorTable(3)
    assert.deepEqual(
      table.map(({ posts, views }) => [posts, views]),
      [[3, 11]],
    )

    const version = (await blog.version(second)) ?? 0
    const renamed = await Promise.all(
      ['A', 'B', 'C'].map((title) => blog.rename(second, title, version)),
    )
    assert.equal(renamed.filter((won) => won).length, 1)

    assert.ok(await blog.bin(first))
    assert.deepEqual(await blog.binned(), ['Post 1'])
    assert.deepEqual(await blog.tagCloud(), [
      ['node', 4],
      ['web', 2],
    ])
    await blog.restore(first)
    assert.deepEqual((await blog.tagCloud())[0], ['node', 5])
    await blog.retag(first, ['css'])
    await blog.bin(first)
    await blog.emptyBin()
    assert.deepEqual(await blog.binned(), [])
    assert.equal(await blog.version(first), null)
  })

  test('the ledger under concurrency', async (t) => {
    const database = await open(t, 'pool=8')
    await migrate(database, migrations('ledger'))
    const ledger = new Ledger(database)
    const names = ['ada', 'bob', 'cid', 'dan']
    await ledger.open(names, '100.00')

    const made = Array.from({ length: payments }, (_, n) => ({
      id: randomUUID(),
      from: names[n % 4] ?? '',
      to: names[(n + 1 + (n % 3)) % 4] ?? '',
      amount: `${10 + (n % 7)}.${10 + (n % 80)}`,
      memo: `payment ${n}`,
    }))
    // Everything is sent twice, as by a client that got no answer.
    const outcomes = await Promise.all([...made, ...made].map((payment) => ledger.pay(payment)))
    const paid = outcomes.filter((outcome) => outcome === 'paid').length
    assert.ok(paid > 0)

    assert.equal(await ledger.total(), '400.00')
    assert.equal(await ledger.unbalanced(), 0)
    const balances = await ledger.balances()
    for (const line of await ledger.statement()) {
      const moved = Number(line.moved) + 100
      assert.equal(moved.toFixed(2), balances[line.account])
    }
    for (const balance of Object.values(balances)) assert.ok(!balance.startsWith('-'), balance)
    const entries = (await ledger.statement()).reduce((sum, line) => sum + line.entries, 0)
    assert.equal(entries, 2 * paid)
    const rich = { id: randomUUID(), from: 'ada', to: 'bob', amount: '1000.00', memo: 'too much' }
    assert.equal(await ledger.pay(rich), 'too-little')
    assert.deepEqual(await ledger.transfer(rich.id), [])
  })

  test(`the log of ${events} events`, async (t) => {
    const database = await open(t)
    await migrate(database, migrations('event-log'))
    const log = new EventLog(database)
    const start = Date.UTC(2026, 0, 31)
    let ms = 0
    for (let done = 0; done < events; done += 10_000) {
      const batch = Array.from({ length: Math.min(10_000, events - done) }, (_, n) =>
        event(start, done + n),
      )
      for (const { ms: duration } of batch) ms += duration
      assert.equal(await log.record(batch), batch.length)
    }

    assert.deepEqual(await log.walk(), { rows: events, ms })
    const seen: number[] = []
    let cursor: string | null = null
    for (let page = 0; page < 5; page += 1) {
      const { ids, next } = await log.newest(cursor, 50)
      seen.push(...ids)
      cursor = next
    }
    assert.equal(new Set(seen).size, 250)
    assert.deepEqual(
      seen,
      seen.toSorted((one, other) => other - one),
    )

    const kinds = await log.perKind()
    assert.deepEqual(
      kinds.map(({ kind }) => kind),
      ['error', 'order', 'view'],
    )
    assert.equal(
      kinds.reduce((sum, line) => sum + line.events, 0),
      events,
    )
    const { total, isCapped } = await log.errors(1)
    const errors = kinds[0]?.events ?? 0
    assert.deepEqual([total, isCapped], [Math.min(errors, 1_000), errors > 1_000])
    assert.equal(await log.accounts(), Math.min(events, 97))
    const [busiest] = await log.accountsOf('view', 3)
    assert.ok(busiest !== undefined && busiest.lastAt instanceof Date && busiest.events > 0)

    const half = new Date(start + (events / 2) * 1_000)
    assert.equal(await log.forget(half), Math.ceil(events / 2))
    assert.equal((await log.walk()).rows, Math.floor(events / 2))
  })
})

function event(start: number, n: number): NewEvent {
  const kind = n % 10 === 0 ? 'error' : n % 3 === 0 ? 'order' : 'view'
  return {
    at: new Date(start + n * 1_000),
    kind,
    account: 5_000_000_000 + (n % 97),
    ms: (n * 7919) % 1_000,
    details: { path: `/items/${n % 50}` },
  }
}
