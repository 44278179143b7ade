import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import type { Token } from '../../src/accounts/tokens/token.ts'
import { Purposes } from '../../src/accounts/tokens/token.ts'
import { connect } from '../../src/database/connect.ts'
import { Dialects } from '../../src/database/sql/dialects/dialect.ts'
import { RedisSessions } from '../../src/http/session/redis-sessions.ts'
import { withLongTimeouts } from '../support/long-timeouts.ts'
import { onDatabase, onEveryDatabase } from '../support/test-databases.ts'
import { onRedis } from '../support/test-redis.ts'
import { createTables, MailboxSite } from './mailbox-site.ts'
import type { Belongings, Owner } from './mailbox-site.ts'

const week = 604_800
const nothing: Belongings = {
  email: null,
  devices: 0,
  links: 0,
  sessions: 0,
  notes: 0,
  activity: 0,
}

onEveryDatabase((_, open, create) => {
  async function opened(t: TestContext): Promise<MailboxSite> {
    const database = await open(t, 'pool=8')
    await createTables(database)
    return new MailboxSite(database)
  }

  async function requested(site: MailboxSite, { id, sessions: [keep] }: Owner): Promise<Token> {
    return (await site.deletion.request(id, { keep, device: null })) ?? assert.fail()
  }

  test('a request sets a date, ends other sessions and devices, and is recorded once', async (t) => {
    const site = await opened(t)
    const [ada, bob] = [await site.owner('ada@x.org'), await site.owner('bob@x.org')]
    const [before, bobs] = [await site.belongings(ada), await site.belongings(bob)]
    const { value, expires } = await requested(site, ada)
    assert.equal(expires, site.clock.now + week)
    assert.equal(await site.deletion.due(ada.id), expires)
    assert.deepEqual(await site.deletion.find(value), { user: ada.id, due: expires })
    const left = { ...before, devices: 0, sessions: 1, activity: 1 }
    assert.deepEqual(await site.belongings(ada), left)
    site.clock.now += 60
    const again = await site.deletion.request(ada.id, { keep: null, device: null })
    assert.deepEqual([again, await site.deletion.due(ada.id)], [null, expires])
    assert.deepEqual(await site.belongings(ada), left)
    assert.equal(await site.deletion.request('999', { keep: null, device: null }), null)
    assert.deepEqual(await site.belongings(bob), bobs)
    assert.equal(await site.deletion.due(bob.id), null)
    assert.deepEqual(site.told, [['DeletionRequested', ada.id]])
    assert.deepEqual(site.reported, [])
  })

  test('an account goes when its date has come, with everything that belongs to it and nothing else', async (t) => {
    const site = await opened(t)
    const [ada, bob] = [await site.owner('ada@x.org'), await site.owner('bob@x.org')]
    await site.tokens.redeem(ada.verification, Purposes.Verification, { receipt: 9 * week })
    await requested(site, ada)
    const bobs = await site.belongings(bob)
    site.clock.now += week - 1
    assert.equal(await site.deletion.sweep(), 0)
    site.clock.now += 1
    assert.equal(await site.deletion.sweep(), 1)
    assert.deepEqual(await site.belongings(ada), nothing)
    assert.deepEqual(await site.belongings(bob), bobs)
    assert.equal(await site.deletion.due(ada.id), null)
    assert.equal(await site.deletion.sweep(), 0)
    assert.deepEqual(site.told.at(-1), ['Deleted', ada.id])
    assert.notEqual(await site.users.enroll('ada@x.org', 'a password'), null)
    assert.deepEqual(site.reported, [])
  })

  test('an account is kept by its link or from inside, until it is gone', async (t) => {
    const site = await opened(t)
    const ada = await site.owner('ada@x.org')
    const first = await requested(site, ada)
    assert.equal(await site.deletion.cancel(ada.id, { keep: null }), true)
    assert.equal(await site.deletion.cancel(ada.id, { keep: null }), false)
    assert.equal(await site.deletion.find(first.value), null)
    const second = await requested(site, ada)
    assert.equal(await site.deletion.find(first.value), null, 'a link is of one request')
    const tampered = second.value.slice(0, -1) + (second.value.endsWith('0') ? '1' : '0')
    assert.equal(await site.deletion.find(tampered), null)
    site.clock.now += week
    // Too late only once it is done.
    assert.deepEqual((await site.deletion.find(second.value))?.user, ada.id)
    assert.equal(await site.deletion.sweep(), 1)
    assert.equal(await site.deletion.find(second.value), null)
    assert.equal(await site.deletion.cancel(ada.id, { keep: null }), false)
  })

  test('of those who cancel and those who delete at once, one side wins in full', async (t) => {
    const site = await opened(t)
    for (let round = 0; round < 12; round += 1) {
      const ada = await site.owner(`ada${round}@x.org`)
      await requested(site, ada)
      const before = await site.belongings(ada)
      site.clock.now += week
      const cancel = async (): Promise<boolean> => {
        // Half of the time the deletion has begun before.
        if (round % 2 === 0) await site.users.find(ada.id)
        return site.deletion.cancel(ada.id, { keep: null })
      }
      const [kept, ...deleted] = await Promise.all([
        cancel(),
        site.deletion.sweep(),
        site.deletion.sweep(),
        site.deletion.sweep(),
      ])
      const total = deleted.reduce((one, other) => one + other, 0)
      assert.equal(Number(kept) + total, 1, 'one winner')
      const left = await site.belongings(ada)
      assert.deepEqual(left, kept ? { ...before, activity: before.activity + 1 } : nothing)
      assert.equal(await site.deletion.due(ada.id), null)
    }
    assert.deepEqual(site.reported, [])
  })

  test('whoever cancels while the account is being deleted is too late, and is told so', async (t) => {
    const site = await opened(t)
    const ada = await site.owner('ada@x.org')
    await requested(site, ada)
    site.clock.now += week
    const begun = Promise.withResolvers<undefined>()
    const deletion = site.deleting([async () => begun.resolve(undefined)])
    const sweeping = deletion.sweep()
    await begun.promise
    assert.deepEqual(
      [await site.deletion.cancel(ada.id, { keep: null }), await sweeping],
      [false, 1],
    )
    assert.deepEqual(await site.belongings(ada), nothing)
    assert.deepEqual(site.reported, [])
  })

  test('of ten concurrent requests one sets the date', async (t) => {
    const site = await opened(t)
    const ada = await site.owner('ada@x.org')
    const options = { keep: null, device: null }
    const tokens = await Promise.all(
      Array.from({ length: 10 }, () => site.deletion.request(ada.id, options)),
    )
    assert.equal(tokens.filter((token) => token !== null).length, 1)
    assert.deepEqual(site.reported, [])
  })

  test('if one step fails, the account is there in full, and the others go', async (t) => {
    const site = await opened(t)
    const [ada, bob] = [await site.owner('ada@x.org'), await site.owner('bob@x.org')]
    await requested(site, ada)
    await requested(site, bob)
    const before = await site.belongings(ada)
    site.clock.now += week
    const away = new Error('away')
    const failing = site.deleting([
      async (_transaction, user) => {
        if (user === ada.id) throw away
      },
    ])
    assert.equal(await failing.sweep(), 1)
    assert.deepEqual(site.reported, [away])
    assert.deepEqual(await site.belongings(ada), before)
    assert.deepEqual(await site.belongings(bob), nothing)
    assert.equal(await site.deletion.sweep(), 1)
    assert.deepEqual(await site.belongings(ada), nothing)
  })

  test('the date of an account that somebody else has deleted is forgotten', async (t) => {
    const site = await opened(t)
    const ada = await site.owner('ada@x.org')
    await requested(site, ada)
    await site.users.remove(ada.id)
    site.clock.now += week
    assert.equal(await site.deletion.sweep(), 0)
    assert.equal(await site.deletion.due(ada.id), null)
    assert.deepEqual(site.reported, [])
  })

  test('a process that is killed in the middle leaves nothing half done', async (t) => {
    const url = withLongTimeouts(await create())
    const database = await connect(url)
    t.after(() => database.close())
    await createTables(database)
    const site = new MailboxSite(database)
    const ada = await site.owner('ada@x.org')
    await requested(site, ada)
    const before = await site.belongings(ada)
    const file = join(import.meta.dirname, 'account-deletion-child.ts')
    const child = spawn(process.execPath, ['--conditions=source', file, url], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    t.after(() => child.kill('SIGKILL'))
    const { value } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next()
    assert.equal(value, 'everything but the account is deleted')
    child.kill('SIGKILL')
    await once(child, 'exit')
    assert.deepEqual(await site.belongings(ada), before)
    site.clock.now += week
    assert.equal(await site.deletion.sweep(), 1)
    assert.deepEqual(await site.belongings(ada), nothing)
  })
})

onRedis((openRedis) => {
  onDatabase(Dialects.SQLite, (_, open) => {
    test('sessions in Redis end and go as those in the database do', async (t) => {
      const database = await open(t)
      await createTables(database)
      const site = new MailboxSite(database, new RedisSessions(await openRedis(t)))
      const ada = await site.owner('ada@x.org')
      const made = await site.complete(ada, await site.asked(ada, 'ada@new.org'))
      assert.ok(made !== null && made !== 'taken')
      assert.equal((await site.belongings(ada)).sessions, 1)
      await site.emailChange.undo(made.undo?.value ?? '')
      assert.equal((await site.belongings(ada)).sessions, 0)
      const [keep] = [await site.session(ada.id), await site.session(ada.id)]
      await site.deletion.request(ada.id, { keep, device: null })
      assert.equal((await site.belongings(ada)).sessions, 1)
      site.clock.now += week
      assert.equal(await site.deletion.sweep(), 1)
      assert.deepEqual(await site.belongings(ada), nothing)
      assert.deepEqual(site.reported, [])
    })
  })
})
