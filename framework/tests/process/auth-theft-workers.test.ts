import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Trust } from '../../src/accounts/devices/trust.ts'
import { Sessions } from '../../src/http/session/sessions.ts'
import { SqlSessions } from '../../src/http/session/sql-sessions.ts'
import { onEveryDatabase } from '../support/test-databases.ts'
import { startFleet } from './auth-fleet.ts'
import { fillDatabase } from './auth-workers-database.ts'

onEveryDatabase((_name, _open, create) => {
  test('a guard with its own key ends devices and sessions in every worker', async (t) => {
    const opened = await fillDatabase(t, await create())
    const visitor = await startFleet(t, opened, { key: 'member' })
    const trust = new Trust(opened.database)
    const sessions = new Sessions(new SqlSessions(opened.database))
    const [owner, phone, laptop] = [visitor(), visitor(), visitor()]
    for (const one of [owner, phone, laptop]) {
      await one.logsIn()
      assert.deepEqual(await one.statuses(), [200])
    }
    assert.equal((await sessions.list('1')).length, 3)

    const changed = await laptop.ask('/password', { password: 'another long password' })
    assert.equal(await changed.json(), true)
    for (const one of [owner, phone]) assert.deepEqual(await one.statuses(), [303])
    assert.deepEqual(await laptop.statuses(), [200])

    for (const one of [owner, phone]) await one.logsIn('another long password')
    const stale = owner.device()
    assert.equal((await owner.device().ask('/account')).status, 200, 'the thief is first')
    assert.equal((await stale.ask('/account')).status, 303)
    for (const one of [owner, phone, laptop]) assert.deepEqual(await one.statuses(), [303])
    assert.deepEqual([await trust.list('1'), await sessions.list('1')], [[], []])
  })
})
