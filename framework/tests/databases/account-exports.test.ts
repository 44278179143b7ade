import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { AccountExports } from '../../src/accounts/account-exports.ts'
import type { ExportJob } from '../../src/accounts/account-exports.ts'
import { accountParts } from '../../src/accounts/account-parts.ts'
import type { ExportParts } from '../../src/accounts/account-parts.ts'
import { Encrypter } from '../../src/base/crypto/encrypter.ts'
import { MemoryJobs } from '../../src/queue/memory-jobs.ts'
import { diskFrom } from '../../src/storage/storage-settings.ts'
import { Queue } from '../../src/queue/queue.ts'
import { runQueue } from '../../src/queue/run-queue.ts'
import { diskKey } from '../support/disk-contract.ts'
import { onEveryDatabase } from '../support/test-databases.ts'
import { createTables, MailboxSite } from './mailbox-site.ts'

const keep = 172_800

/** No session asks. */
const by = { keep: null }

onEveryDatabase((_, open) => {
  async function opened(t: TestContext, more: ExportParts = {}) {
    const database = await open(t, 'pool=8')
    await createTables(database)
    const site = new MailboxSite(database)
    const root = mkdtempSync(join(tmpdir(), 'exports-'))
    t.after(() => rmSync(root, { recursive: true, force: true }))
    const folder = join(root, 'exports')
    const encrypter = new Encrypter([createSecretKey(randomBytes(32))], 'queue')
    const queue = new Queue<ExportJob>('exports', new MemoryJobs(), { encrypter, attempts: 1 })
    const { users, trust, activity } = site
    const exports = new AccountExports(database, {
      ...site.shared,
      credentials: site.credentials,
      files: await diskFrom({ url: `file:${root}` }, { root, server: { url: '' } }, diskKey),
      queue,
      parts: { ...accountParts({ users, trust, sessions: site.sessions, activity }), ...more },
    })
    const run = () =>
      runQueue(queue, exports.work, { once: true, throwables: site.throwables, registry: null })
    const files = (): string[] => (existsSync(folder) ? readdirSync(folder) : [])
    return { site, exports, run, root, folder, files }
  }

  test('a job makes one private file with every part, and says so', async (t) => {
    const { site, exports, run, root, folder } = await opened(t, {
      notes: async function* (user) {
        yield { of: user }
        yield { of: user }
      },
      nothing: async function* () {},
    })
    const ada = await site.owner('ada@x.org')
    for (let round = 0; round < 150; round += 1) {
      await site.activity.record({ user: ada.id, event: 'Login', method: String(round) })
    }
    assert.equal(await exports.request(ada.id, { ...by, request: 'r1' }), true)
    assert.equal((await exports.status(ada.id))?.state, 'waiting')
    assert.equal(await exports.open(ada.id), null)
    await run()
    const path = join(root, (await exports.open(ada.id)) ?? assert.fail())
    const status = (await exports.status(ada.id)) ?? assert.fail()
    assert.deepEqual([status.state, status.size], ['ready', statSync(path).size])
    assert.equal(status.expires, site.clock.now + keep)
    assert.equal(statSync(path).mode & 0o777, 0o600)
    assert.equal(statSync(folder).mode & 0o777, 0o700)
    const file = JSON.parse(readFileSync(path, 'utf8'))
    assert.deepEqual(Object.keys(file), [
      'created',
      'account',
      'devices',
      'sessions',
      'activity',
      'notes',
      'nothing',
    ])
    const { created, ...account } = file.account
    assert.deepEqual(account, {
      id: ada.id,
      email: 'ada@x.org',
      verified: true,
      verifiedAt: new Date(site.clock.now * 1000).toISOString(),
    })
    assert.ok(Math.abs(Date.parse(created) - Date.now()) < 3_600_000, created)
    assert.deepEqual([file.devices.length, file.sessions.length], [1, 2])
    assert.equal(file.activity.length, 151)
    assert.deepEqual(file.notes, [{ of: ada.id }, { of: ada.id }])
    assert.deepEqual(file.nothing, [])
    assert.deepEqual(
      site.told.map(([event]) => event),
      ['ExportRequested', 'ExportReady', 'ExportDownloaded'],
    )
    assert.deepEqual(site.reported, [])
  })

  test('a file has no secret, no digest and no id that finds one', async (t) => {
    const { site, exports, run, root } = await opened(t)
    const ada = await site.owner('ada@x.org')
    const device = await site.trust.issue(ada.id)
    await exports.request(ada.id, by)
    await run()
    const text = readFileSync(join(root, (await exports.open(ada.id)) ?? ''), 'utf8')
    const secrets = [ada.recovery, ada.verification, device.value].flatMap((one) => one.split('.'))
    for (const secret of [...secrets, ...ada.sessions, 'argon2', '$']) {
      assert.ok(!text.includes(secret), secret)
    }
    assert.doesNotMatch(text, /[0-9a-f]{16}/)
  })

  test('an account has one export at a time: of ten concurrent requests one wins, a later one replaces the file', async (t) => {
    const { site, exports, run, files } = await opened(t)
    const ada = await site.owner('ada@x.org')
    const ask = (): Promise<boolean[]> =>
      Promise.all(Array.from({ length: 10 }, () => exports.request(ada.id, by)))
    assert.equal((await ask()).filter(Boolean).length, 1)
    assert.equal(await exports.request(ada.id, by), false)
    assert.deepEqual(await run(), { done: 1, failed: 0, dead: 0, lost: 0 })
    const [first] = files()
    assert.equal((await ask()).filter(Boolean).length, 1)
    assert.deepEqual(files(), [])
    await run()
    assert.equal(files().length, 1)
    assert.notEqual(files()[0], first)
    assert.deepEqual(site.reported, [])
  })

  test('a file is swept when it expires, when its account is gone, and when nobody knows it', async (t) => {
    const { site, exports, run, folder, files } = await opened(t)
    assert.equal(await exports.sweep(), 0)
    const [ada, bob] = [await site.owner('ada@x.org'), await site.owner('bob@x.org')]
    await exports.request(ada.id, by)
    await exports.request(bob.id, by)
    await run()
    writeFileSync(join(folder, `${'0'.repeat(32)}.json`), '')
    writeFileSync(join(folder, 'notes.txt'), 'of somebody else')
    assert.equal(await exports.sweep(), 1)
    await site.database.run({
      sql: `DELETE FROM account_exports WHERE user_id = '${bob.id}'`,
      parameters: [],
    })
    assert.equal(await exports.sweep(), 1)
    assert.equal(files().length, 2)
    site.clock.now += keep
    assert.equal(await exports.status(ada.id), null)
    assert.equal(await exports.open(ada.id), null)
    assert.equal(await exports.sweep(), 1)
    assert.deepEqual(files(), ['notes.txt'])
  })

  test('the job of an account that is deleted in the meantime leaves no file', async (t) => {
    const steps: (() => Promise<unknown>)[] = []
    const { site, exports, run, files } = await opened(t, {
      late: async () => {
        for (const step of steps) await step()
      },
    })
    const ada = await site.owner('ada@x.org')
    const drop = { sql: 'DELETE FROM account_exports', parameters: [] }
    await exports.request(ada.id, by)
    await site.database.run(drop)
    await run()
    await exports.request(ada.id, by)
    steps.push(() => site.database.run(drop))
    await run()
    assert.deepEqual(files(), [])
    assert.deepEqual(
      site.told.filter(([event]) => event === 'ExportReady'),
      [],
    )
    assert.deepEqual(site.reported, [])
  })

  test('a job that fails leaves no file, and after an hour the next request is not refused', async (t) => {
    const { site, exports, run, files } = await opened(t, {
      broken: () => Promise.reject(new Error('away')),
    })
    const ada = await site.owner('ada@x.org')
    await exports.request(ada.id, by)
    assert.deepEqual(await run(), { done: 0, failed: 0, dead: 1, lost: 0 })
    assert.deepEqual(files(), [])
    assert.equal(await exports.request(ada.id, by), false)
    site.clock.now += 3600
    assert.equal(await exports.request(ada.id, by), true)
  })
})
