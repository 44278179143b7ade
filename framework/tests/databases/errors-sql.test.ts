import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { createErrorTables, dropErrorTables } from '../../src/inbox/error-tables.ts'
import { SqlErrors } from '../../src/inbox/sql-errors.ts'
import { connect } from '../../src/database/connect.ts'
import { DatabaseError } from '../../src/database/database-error.ts'
import type { Database } from '../../src/database/surface.ts'
import { Schema } from '../../src/migrations/schema.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import { ErrorLimits, ErrorOrders, ErrorStates } from '../../src/inbox/error-group.ts'
import type { ErrorBatch, ErrorGroup, ErrorQuery } from '../../src/inbox/error-group.ts'
import { barrier } from '../support/barrier.ts'
import { withLongTimeouts } from '../support/long-timeouts.ts'
import { onEveryDatabase } from '../support/test-databases.ts'

const start = 1_700_000_000

const hourOf = (seconds: number): number => Math.floor(seconds / 3600)

const fingerprint = (number: number): string => number.toString(16).padStart(32, '0')

function batch(changes: Partial<ErrorBatch> = {}): ErrorBatch {
  const lastMs = changes.lastMs ?? start * 1000
  return {
    fingerprint: fingerprint(1),
    class: 'RangeError',
    message: 'no item 7',
    code: null,
    place: 'routes/orders.ts placeOrder',
    count: 1,
    firstMs: lastMs,
    lastMs,
    release: '1.0',
    accounts: [],
    titles: ['GET /orders/:id'],
    sample: {
      at: lastMs / 1000,
      release: '1.0',
      chain: [
        { relation: 'thrown', class: 'RangeError', message: 'x', properties: [], frames: [] },
      ],
      activity: null,
      span: null,
      step: null,
      context: [],
    },
    ...changes,
  }
}

const open: ErrorQuery = {
  state: ErrorStates.Open,
  order: ErrorOrders.LastSeen,
  search: '',
  offset: 0,
  limit: 50,
}

async function rowsIn(database: Database, table: string): Promise<number> {
  const [row] = await database.rows(sql`SELECT count(*) AS n FROM ${sql.name(table)}`)
  return Number(row?.['n'])
}

onEveryDatabase((_, openDatabase, create) => {
  async function opened(t: TestContext) {
    const database = await openDatabase(t)
    await database.transaction((transaction) => createErrorTables(new Schema(transaction)))
    const clock = { now: start }
    return { database, clock, store: new SqlErrors(database, { clock: () => clock.now }) }
  }

  /** A store per connection on the same database, as several workers have. */
  async function workers(t: TestContext, count: number) {
    const url = withLongTimeouts(`${await create()}?pool=2`)
    const clock = { now: start }
    const stores: SqlErrors[] = []
    let first: Database | null = null
    for (let at = 0; at < count; at += 1) {
      const database = await connect(url)
      t.after(() => database.close())
      first ??= database
      if (at === 0) await database.transaction((work) => createErrorTables(new Schema(work)))
      stores.push(new SqlErrors(database, { clock: () => clock.now }))
    }
    assert.ok(first !== null)
    return { database: first, clock, stores }
  }

  /** Runs one call per store, all at the same moment. */
  async function atOnce<T>(
    stores: readonly SqlErrors[],
    call: (store: SqlErrors, at: number) => Promise<T>,
  ): Promise<T[]> {
    const ready = barrier(stores.length)
    return Promise.all(
      stores.map(async (store, at) => {
        await ready()
        return call(store, at)
      }),
    )
  }

  test('occurrences add up, with the first and the last time and release', async (t) => {
    const { store } = await opened(t)
    assert.equal(await store.record(batch({ count: 3 })), null)
    await store.record(
      batch({ lastMs: start * 1000 + 5_000, release: '1.1', message: 'no item 8', count: 2 }),
    )
    // Stored late: it waited in the file.
    await store.record(batch({ lastMs: start * 1000 - 5_000, release: '0.9', message: 'old' }))
    const details = await store.find(fingerprint(1))
    assert.partialDeepStrictEqual(details?.group, {
      class: 'RangeError',
      message: 'no item 8',
      state: 'open',
      count: 6,
      firstSeen: start - 5,
      lastSeen: start + 5,
      lastRelease: '1.1',
      resolvedAt: null,
      returnedAt: null,
    })
    assert.deepEqual(details?.releases, ['0.9', '1.0', '1.1'])
    assert.deepEqual(details?.titles, ['GET /orders/:id'])
    assert.equal(details?.samples.length, 3)
    assert.equal(await store.find(fingerprint(2)), null)
  })

  test('accounts, routes, releases and samples of a group are bounded', async (t) => {
    const { database, store } = await opened(t)
    for (let round = 0; round < 30; round += 1) {
      const ids = Array.from({ length: 10 }, (_, at) => `${round}-${at}`)
      await store.record(batch({ accounts: ids, titles: [`GET /${round}`], release: `r${round}` }))
    }
    const details = await store.find(fingerprint(1))
    assert.equal(details?.accounts.length, ErrorLimits.accounts)
    assert.equal(details?.group.accounts, ErrorLimits.accounts)
    assert.equal(details?.titles.length, ErrorLimits.titles)
    assert.equal(details?.releases.length, ErrorLimits.releases)
    assert.equal(details?.samples.length, ErrorLimits.samples)
    assert.equal(await rowsIn(database, 'error_samples'), ErrorLimits.samples)
    assert.equal(details?.group.count, 30)
  })

  test('resolved groups make room for new ones first, then the oldest', async (t) => {
    const { database, store } = await opened(t)
    const columns = sql`fingerprint, class, message, place, state, occurrences, first_ms, last_ms, first_release, last_release`
    for (let from = 1; from <= ErrorLimits.groups; from += 100) {
      const rows = Array.from({ length: 100 }, (_, at) => {
        const ms = (start + from + at) * 1000
        return sql`(${fingerprint(from + at)}, 'Error', '', '', 'open', 1, ${ms}, ${ms}, '', '')`
      })
      await database.run(sql`INSERT INTO error_groups (${columns}) VALUES ${sql.list(rows)}`)
    }
    assert.equal(await store.resolve(fingerprint(500), null), true)
    const late = (start + 9_000) * 1000
    await store.record(batch({ fingerprint: fingerprint(2_001), lastMs: late }))
    assert.equal(await store.find(fingerprint(500)), null)
    assert.notEqual(await store.find(fingerprint(1)), null)
    await store.record(batch({ fingerprint: fingerprint(2_002), lastMs: late }))
    assert.equal(await store.find(fingerprint(1)), null)
    assert.equal(await rowsIn(database, 'error_groups'), ErrorLimits.groups)
  })

  test('a sweep deletes groups and samples of more than 30 days, with all that belongs to them', async (t) => {
    const { database, clock, store } = await opened(t)
    await store.record(batch({ accounts: ['1'] }))
    await store.record(batch({ fingerprint: fingerprint(2) }))
    clock.now += ErrorLimits.age
    const nowMs = clock.now * 1000
    await store.record(batch({ fingerprint: fingerprint(2), lastMs: nowMs }))
    assert.equal(await store.sweep(), 0)
    clock.now += 1
    // The first group with its sample, and the old sample of the second.
    assert.equal(await store.sweep(), 3)
    assert.equal(await store.find(fingerprint(1)), null)
    assert.equal((await store.find(fingerprint(2)))?.samples.length, 1)
    assert.equal(await rowsIn(database, 'error_samples'), 1)
    assert.equal(await rowsIn(database, 'error_marks'), 3)
  })

  test('the list filters by state, searches, sorts and pages', async (t) => {
    const { store } = await opened(t)
    const named = (number: number, changes: Partial<ErrorBatch>): Promise<unknown> =>
      store.record(batch({ fingerprint: fingerprint(number), sample: null, ...changes }))
    await named(1, { message: '100% of "it"', count: 9, lastMs: start * 1000 })
    await named(2, { class: 'TypeError', code: 'E_MAIL', lastMs: start * 1000 + 2 })
    await named(3, { place: 'jobs/Bill.ts run_all', lastMs: start * 1000 + 1, accounts: ['7'] })
    await named(4, {})
    await store.mute(fingerprint(4))
    const found = async (query: Partial<ErrorQuery>): Promise<string[]> => {
      const { groups } = await store.list({ ...open, ...query })
      return groups.map((group: ErrorGroup) => group.fingerprint.slice(-1))
    }
    assert.deepEqual(await found({}), ['2', '3', '1'])
    assert.deepEqual(await found({ order: ErrorOrders.Count, limit: 1 }), ['1'])
    assert.deepEqual(await found({ offset: 2 }), ['1'])
    assert.deepEqual(await found({ state: ErrorStates.Muted }), ['4'])
    assert.deepEqual(await found({ search: 'typeerror' }), ['2'])
    assert.deepEqual(await found({ search: 'e_mail' }), ['2'])
    assert.deepEqual(await found({ search: 'bill.ts' }), ['3'])
    assert.deepEqual(await found({ search: '100%' }), ['1'])
    assert.deepEqual(await found({ search: 'b_ll' }), [])
    assert.deepEqual(await found({ search: `'; DROP TABLE error_groups; --` }), [])
    const list = await store.list({ ...open, search: 'typeerror' })
    assert.equal(list.matching, 1)
    assert.deepEqual(list.totals, { open: 1, resolved: 0, muted: 0 })
    assert.deepEqual((await store.list(open)).totals, { open: 3, resolved: 0, muted: 1 })
    assert.deepEqual(await found({ search: 'GET /orders/:id typeERROR' }), ['2'])
    // What is kept of hours is no word of anybody.
    assert.deepEqual(await found({ search: hourOf(start).toString(36) }), [])
  })

  test('a resolved group comes back with a later occurrence, not with one from before', async (t) => {
    const { clock, store } = await opened(t)
    await store.record(batch())
    clock.now += 10
    assert.equal(await store.resolve(fingerprint(1), null), true)
    assert.equal(await store.record(batch({ lastMs: (start + 5) * 1000 })), null)
    assert.equal((await store.find(fingerprint(1)))?.group.state, 'resolved')
    const late = batch({ lastMs: (start + 11) * 1000, release: '2.0', accounts: ['7'] })
    assert.partialDeepStrictEqual(await store.record(late), {
      state: 'open',
      returnedAt: start + 11,
      returnedRelease: '2.0',
      accounts: 1,
      count: 3,
    })
    assert.equal(await store.record(late), null)
  })

  test('resolved in the next release, it comes back only in another one', async (t) => {
    const { store } = await opened(t)
    await store.record(batch())
    await store.resolve(fingerprint(1), '1.0')
    const later = (start + 9) * 1000
    assert.equal(await store.record(batch({ lastMs: later })), null)
    const returned = await store.record(batch({ lastMs: later, release: '1.1' }))
    assert.equal(returned?.returnedRelease, '1.1')
  })

  test('a muted group counts and never comes back; reopened, it is as before', async (t) => {
    const { store } = await opened(t)
    await store.record(batch())
    assert.equal(await store.mute(fingerprint(1)), true)
    assert.equal(await store.mute(fingerprint(1)), false)
    assert.equal(await store.record(batch({ lastMs: (start + 9) * 1000 })), null)
    assert.partialDeepStrictEqual((await store.find(fingerprint(1)))?.group, {
      state: 'muted',
      count: 2,
    })
    assert.equal(await store.reopen(fingerprint(1)), true)
    assert.equal(await store.reopen(fingerprint(1)), false)
    assert.equal(await store.resolve(fingerprint(9), null), false)
  })

  test('an occurrence whose clock is ahead of the one who resolves was before it', async (t) => {
    const { store } = await opened(t)
    const ahead = batch({ lastMs: (start + 3) * 1000 })
    await store.record(ahead)
    await store.resolve(fingerprint(1), null)
    assert.equal(await store.record(ahead), null)
    assert.equal((await store.record(batch({ lastMs: (start + 4) * 1000 })))?.state, 'open')
  })

  test('workers that see a new group at once make one row, and every occurrence counts', async (t) => {
    const { database, stores } = await workers(t, 6)
    for (let round = 1; round <= 5; round += 1) {
      await atOnce(stores, (store, at) =>
        store.record(batch({ fingerprint: fingerprint(round), count: 2, accounts: [String(at)] })),
      )
      const details = await stores[0]?.find(fingerprint(round))
      assert.equal(details?.group.count, 12)
      assert.equal(details?.group.accounts, 6)
      assert.equal(details?.samples.length, 6)
    }
    assert.equal(await rowsIn(database, 'error_groups'), 5)
  })

  test('the bounds of a group hold however many add to it at once', async (t) => {
    const { database, stores } = await workers(t, 4)
    for (let round = 0; round < 8; round += 1) {
      await atOnce(stores, (store, at) => {
        const ids = Array.from({ length: 20 }, (_, index) => `${round} ${at} ${index}`)
        return store.record(batch({ accounts: ids }))
      })
    }
    assert.equal(await rowsIn(database, 'error_samples'), ErrorLimits.samples)
    const details = await stores[0]?.find(fingerprint(1))
    assert.equal(details?.accounts.length, ErrorLimits.accounts)
    assert.equal(details?.group.count, 32)
  })

  test('of workers that see it come back at once one is told', async (t) => {
    const { clock, stores } = await workers(t, 6)
    await stores[0]?.record(batch())
    for (let round = 1; round <= 5; round += 1) {
      clock.now += 10
      const resolved = await atOnce(stores, (store) => store.resolve(fingerprint(1), null))
      assert.equal(resolved.filter(Boolean).length, 1)
      const lastMs = (clock.now + 1) * 1000
      const returned = await atOnce(stores, (store) => store.record(batch({ lastMs })))
      assert.equal(returned.filter((group) => group !== null).length, 1)
    }
  })

  test('occurrences are counted by hour, those of the last day', async (t) => {
    const { clock, store } = await opened(t)
    const at = (hours: number): number => (start + hours * 3600) * 1000
    const hours = async () => (await store.find(fingerprint(1)))?.group.hours ?? []
    await store.record(batch({ count: 2 }))
    await store.record(batch({ count: 3, lastMs: at(1) }))
    clock.now += 2 * 3600
    await store.record(batch({ count: 40_000, lastMs: at(2) }))
    // Stored late: one that waited in the file, and one that is too old.
    await store.record(batch({ count: 5, lastMs: at(1) }))
    await store.record(batch({ count: 7, lastMs: at(-30) }))
    assert.deepEqual(await hours(), [...Array<number>(21).fill(0), 2, 8, 40_000])
    clock.now += 21 * 3600
    assert.deepEqual(await hours(), [2, 8, 40_000, ...Array<number>(21).fill(0)])
    clock.now += 3 * 3600
    assert.deepEqual(await hours(), Array<number>(24).fill(0))
    await store.record(batch({ lastMs: clock.now * 1000 }))
    assert.equal((await hours()).at(-1), 1)
  })

  /** What one process is told, as `kind number`. */
  async function taken(store: SqlErrors): Promise<string[]> {
    const news = await store.takeNews()
    await store.forgetNews(news)
    return news.map(({ kind, group }) => `${kind} ${Number.parseInt(group.fingerprint, 16)}`).sort()
  }

  test('new and returned groups and spikes are news once, what is muted or as usual is not', async (t) => {
    const { clock, store } = await opened(t)
    const record = (changes: Partial<ErrorBatch>) =>
      store.record(batch({ lastMs: clock.now * 1000, ...changes }), true)
    await record({ count: 5_000 })
    await record({ count: 90_000 })
    await record({ fingerprint: fingerprint(2), count: 30 })
    await record({ fingerprint: fingerprint(3) })
    assert.deepEqual(await taken(store), ['new 1', 'new 2', 'new 3'])
    clock.now += 2 * 3600
    await store.resolve(fingerprint(3), null)
    await store.mute(fingerprint(1))
    clock.now += 1
    // Five times thirty are 150: the first 149 are as usual.
    for (const count of [100, 49]) await record({ fingerprint: fingerprint(2), count })
    await record({ count: 10_000_000 })
    assert.deepEqual(await taken(store), [])
    await record({ fingerprint: fingerprint(2), count: 1 })
    await record({ fingerprint: fingerprint(2), count: 100_000 })
    await record({ fingerprint: fingerprint(3) })
    await record({ fingerprint: fingerprint(3) })
    assert.deepEqual(await taken(store), ['returned 3', 'spike 2'])
    clock.now += 3600
    await record({ fingerprint: fingerprint(2), count: 300_000 })
    assert.deepEqual(await taken(store), [])
  })

  test('news are told three times an hour, at least three and then ten minutes apart', async (t) => {
    const { clock, store } = await opened(t)
    const told: number[] = []
    for (let minute = 0; minute < 130; minute += 1) {
      await store.record(batch({ fingerprint: fingerprint(minute) }), true)
      if ((await taken(store)).length > 0) told.push(minute)
      clock.now += 60
    }
    assert.deepEqual(told, [0, 3, 13, 60, 70, 80, 120])
  })

  test('nothing is kept for nobody, and fifty news at most', async (t) => {
    const { database, clock, store } = await opened(t)
    for (let at = 0; at < 60; at += 1) {
      await store.record(batch({ fingerprint: fingerprint(at) }), at >= 5)
    }
    assert.equal((await taken(store)).length, 50)
    clock.now += 3600
    assert.deepEqual(await taken(store), [])
    await store.record(batch({ fingerprint: fingerprint(100) }), true)
    await database.run(sql`DELETE FROM error_groups`)
    // Its group made room meanwhile.
    assert.deepEqual(await taken(store), [])
    clock.now += 3600
    await store.record(batch({ fingerprint: fingerprint(101) }), true)
    assert.deepEqual(await taken(store), ['new 101'])
    assert.equal(await rowsIn(database, 'error_groups'), 1)
  })

  test('what a process took and never told is told by the next turn', async (t) => {
    const { clock, store } = await opened(t)
    await store.record(batch(), true)
    assert.equal((await store.takeNews()).length, 1)
    assert.deepEqual(await taken(store), [])
    clock.now += 180
    assert.deepEqual(await taken(store), ['new 1'])
  })

  test('of all processes that look at once one tells the news, whatever minute their clocks show', async (t) => {
    const { clock, stores } = await workers(t, 6)
    for (let round = 1; round <= 8; round += 1) {
      clock.now += 3600
      // All of them add it, too.
      const changes = { fingerprint: fingerprint(round), lastMs: clock.now * 1000 }
      await atOnce(stores, (store) => store.record(batch(changes), true))
      const news: string[][] = []
      for (let look = 0; look < 20 && news.length === 0; look += 1) {
        const found = await atOnce(stores, (store, at) => {
          // In every other round a minute ends meanwhile: then perhaps nobody, and the next look decides.
          if (round % 2 === 0 && look === 0 && at === 3) clock.now += 60
          return taken(store)
        })
        news.push(...found.filter(({ length }) => length > 0))
      }
      assert.deepEqual(news, [[`new ${round}`]], `round ${round}`)
    }
  })

  test('resolving and occurring at once end as if one came after the other', async (t) => {
    const { clock, stores } = await workers(t, 4)
    const [first] = stores
    await first?.record(batch())
    for (let round = 1; round <= 10; round += 1) {
      clock.now += 10
      const lastMs = (clock.now + 1) * 1000
      const outcomes = await atOnce(stores, async (store, at) =>
        at % 2 === 0
          ? { resolved: await store.resolve(fingerprint(1), null), returned: false }
          : { resolved: false, returned: (await store.record(batch({ lastMs }))) !== null },
      )
      const resolved = outcomes.filter((outcome) => outcome.resolved).length
      const returned = outcomes.filter((outcome) => outcome.returned).length
      const group = (await first?.find(fingerprint(1)))?.group
      // Each return needs a resolution before it; one that is left over is the state.
      assert.equal(resolved - returned, group?.state === 'resolved' ? 1 : 0, `round ${round}`)
      await first?.reopen(fingerprint(1))
    }
  })

  test('groups are swept and crowded out while others write, without an error', async (t) => {
    const { clock, stores } = await workers(t, 4)
    await atOnce(stores, async (store, at) => {
      for (let round = 0; round < 10; round += 1) {
        const lastMs = (clock.now - (at === 0 ? ErrorLimits.age + 9 : 0)) * 1000
        await store.record(batch({ fingerprint: fingerprint(round), lastMs }))
        if (at > 1) await store.sweep()
      }
    })
    const { totals } = (await stores[0]?.list(open)) ?? {}
    assert.equal(totals?.open, 10)
  })

  test('only an outage makes errors wait; missing tables do not', async (t) => {
    const store = new SqlErrors(await openDatabase(t))
    const lost = new DatabaseError('E_CONNECTION_LOST', 'gone')
    assert.equal(store.isUnavailable(lost), true)
    await assert.rejects(store.record(batch()), (error) => !store.isUnavailable(error))
    assert.equal(store.isUnavailable(new Error('E_CONNECTION_LOST')), false)
  })

  test('the tables can be dropped again', async (t) => {
    const { database } = await opened(t)
    await database.transaction(async (work) => {
      const schema = new Schema(work)
      await dropErrorTables(schema)
      assert.equal(await schema.hasTable('error_groups'), false)
      await createErrorTables(schema)
    })
  })
})
