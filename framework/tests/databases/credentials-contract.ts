import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { deviceHandle } from '../../src/accounts/devices/trust.ts'
import { Token } from '../../src/accounts/tokens/token.ts'
import { MemorySessions } from '../../src/http/session/memory-sessions.ts'
import { ended, now, untouched } from './credentials-office.ts'
import type { CredentialsOffice } from './credentials-office.ts'
import { someDigest, someRow } from './session-store-contract.ts'
import { noSessions } from '../support/no-sessions.ts'

/** Makes an office with tables of its own. */
export type OpenOffice = (t: TestContext) => Promise<CredentialsOffice>

/** The contract of password changes and resets, as tests. */
export function testCredentials(open: OpenOffice): void {
  test('a change ends tokens, devices and all sessions but the kept one, of that account alone', async (t) => {
    const office = await open(t)
    const [ada, bob] = [await office.person('ada@x.org'), await office.person('bob@x.org')]
    const origin = { peer: '192.0.2.7', agent: 'Phone', request: 'r1' }
    const options = { keep: ada.sessions[1], ...origin }
    assert.equal(await office.credentials.change(ada.id, 'the new one', options), true)
    assert.deepEqual(await office.state(ada), { ...ended, sessions: [1] })
    assert.equal(await office.users.check(ada.id, 'the new one'), true)
    assert.deepEqual(await office.state(bob), untouched)
    const told = { user: ada.id, ...origin, method: null, route: null, at: now }
    assert.deepEqual(office.told, [['changed', told]])
    assert.deepEqual(office.reported, [])
  })

  test('a change that keeps no session ends all of them', async (t) => {
    const office = await open(t)
    const ada = await office.person('ada@x.org')
    await office.credentials.change(ada.id, 'the new one', { keep: null })
    assert.deepEqual(await office.state(ada), ended)
  })

  test('a reset redeems the token, verifies the e-mail and ends everything of that account', async (t) => {
    const office = await open(t)
    const [ada, bob] = [await office.person('ada@x.org'), await office.person('bob@x.org')]
    assert.equal(await office.credentials.reset(ada.recovery, 'the new one'), ada.id)
    assert.deepEqual(await office.state(ada), { ...ended, verified: true })
    assert.equal(await office.users.check(ada.id, 'the new one'), true)
    assert.deepEqual(await office.state(bob), untouched)
    const payload = {
      user: ada.id,
      peer: '',
      agent: '',
      request: null,
      method: null,
      route: null,
      at: now,
    }
    assert.deepEqual(office.told, [['reset', payload]])
    assert.equal(await office.credentials.reset(ada.recovery, 'a third one'), null)
    assert.equal(await office.users.check(ada.id, 'the new one'), true)
  })

  test('an invalid token resets nothing and costs no hash', async (t) => {
    const office = await open(t)
    const ada = await office.person('ada@x.org')
    const tampered = ada.recovery.slice(0, -1) + (ada.recovery.endsWith('0') ? '1' : '0')
    office.counted.taken()
    for (const token of ['', 'nonsense', tampered, ada.verification, ada.device]) {
      assert.equal(await office.credentials.reset(token, 'the new one'), null)
    }
    assert.equal(office.counted.taken(), 0)
    const late = office.with({ tokens: { clock: () => now + 3600 } })
    assert.equal(await late.reset(ada.recovery, 'the new one'), null)
    assert.deepEqual(await office.state(ada), { ...untouched, recovery: false })
    assert.deepEqual(office.told, [])
  })

  test('an unacceptable password changes nothing, and the token stays', async (t) => {
    const office = await open(t)
    const ada = await office.person('ada@x.org')
    for (const password of ['', 'x'.repeat(1025)]) {
      assert.equal(await office.credentials.change(ada.id, password, { keep: null }), false)
      assert.equal(await office.credentials.reset(ada.recovery, password), null)
    }
    assert.deepEqual(await office.state(ada), untouched)
    assert.deepEqual(office.told, [])
  })

  test('changing an account that does not exist is false', async (t) => {
    const office = await open(t)
    const ada = await office.person('ada@x.org')
    for (const user of ['', '999', 'x', `${ada.id}b`]) {
      assert.equal(await office.credentials.change(user, 'the new one', { keep: null }), false)
    }
    assert.deepEqual(await office.state(ada), untouched)
    assert.deepEqual([office.told, office.reported], [[], []])
  })

  test('whichever step fails, nothing is done', async (t) => {
    const office = await open(t)
    const ada = await office.person('ada@x.org')
    const away = new Error('away')
    const clock = (): number => now
    const broken = [
      office.with({ users: { table: 'missing' } }),
      office.with({ users: { clock, verified: 'missing' } }),
      office.with({ tokens: { clock, table: 'missing' } }),
      office.with({ trust: { clock, table: 'missing' } }),
      office.with({ sessions: () => ({ ...noSessions, destroyOf: () => Promise.reject(away) }) }),
    ]
    for (const credentials of broken) {
      const expected = credentials === broken.at(-1) ? away : { name: 'DatabaseError' }
      await assert.rejects(credentials.change(ada.id, 'the new one', { keep: null }), expected)
      await assert.rejects(credentials.reset(ada.recovery, 'the new one'), expected)
      assert.deepEqual(await office.state(ada), untouched)
    }
    assert.deepEqual([office.told, office.reported], [[], []])
  })

  test('everything else is signed out, and the kept session and device stay', async (t) => {
    const office = await open(t)
    const [ada, bob] = [await office.person('ada@x.org'), await office.person('bob@x.org')]
    const own = await office.trust.issue(ada.id)
    const device = deviceHandle(own.selector)
    await office.credentials.endOthers(ada.id, { keep: ada.sessions[1], device })
    assert.deepEqual(await office.state(ada), { ...untouched, sessions: [1] })
    assert.equal(await office.trust.isLive(own.selector), true)
    for (const none of [null, 'nonsense']) {
      await office.credentials.endOthers(ada.id, { keep: null, device: none })
      assert.deepEqual(await office.state(ada), { ...untouched, devices: 0, sessions: [] })
    }
    assert.deepEqual(await office.state(bob), untouched)
    assert.deepEqual([office.told, office.reported], [[], []])
  })

  test('whichever step fails, nothing is signed out', async (t) => {
    const office = await open(t)
    const ada = await office.person('ada@x.org')
    const broken = [
      office.with({ trust: { clock: () => now, table: 'missing' } }),
      office.with({
        sessions: () => ({ ...noSessions, destroyOf: () => Promise.reject(new Error('away')) }),
      }),
    ]
    for (const credentials of broken) {
      await assert.rejects(credentials.endOthers(ada.id, { keep: null, device: null }))
      assert.deepEqual(await office.state(ada), untouched)
    }
  })

  test('a device that comes back meanwhile is ended with the others', async (t) => {
    const office = await open(t)
    const ada = await office.person('ada@x.org')
    for (let round = 0; round < 5; round += 1) {
      const { value, selector } = await office.trust.issue(ada.id)
      const revival = async (): Promise<void> => {
        if (!((await office.trust.rotate(value)) instanceof Token)) return
        const digest = await office.session(ada.id)
        // As the guard does once its session is saved.
        if (!(await office.trust.isLive(selector))) await office.store.destroy(digest)
      }
      const keep = await office.session(ada.id)
      await Promise.all([revival(), office.credentials.endOthers(ada.id, { keep, device: null })])
      const [kept, ...others] = await office.store.list(ada.id)
      assert.deepEqual([kept?.digest, others], [keep, []])
      assert.deepEqual(await office.trust.list(ada.id), [])
    }
  })

  test('a change based on the old password does not undo a reset in between', async (t) => {
    const office = await open(t)
    const ada = await office.person('ada@x.org')
    const identity = { id: ada.id }
    assert.equal(await office.users.check(identity, ada.password), true)
    assert.equal(await office.credentials.reset(ada.recovery, 'by the owner'), ada.id)
    const keep = await office.session(ada.id)
    assert.equal(await office.credentials.change(identity, 'by a thief', { keep }), false)
    assert.equal(await office.users.check(ada.id, 'by the owner'), true)
    assert.equal((await office.store.list(ada.id)).length, 1)
    assert.equal(office.told.length, 1)
  })

  test('a session that is saved while the change is running is ended after it', async (t) => {
    const office = await open(t)
    const ada = await office.person('ada@x.org')
    const elsewhere = new MemorySessions()
    let calls = 0
    const credentials = office.with({
      sessions: () => ({
        ...noSessions,
        destroyOf: async (identity, keep) => {
          const count = await elsewhere.destroyOf(identity, keep)
          calls += 1
          if (calls === 1) await save()
          return count
        },
      }),
    })
    const save = (): Promise<boolean> =>
      elsewhere.create(someDigest(), someRow({ identity: ada.id }))
    assert.equal(await credentials.change(ada.id, 'the new one', { keep: null }), true)
    assert.equal(calls, 2)
    assert.deepEqual(await elsewhere.list(ada.id), [])
  })

  test('a session store that fails after the commit is reported; the change is done', async (t) => {
    const office = await open(t)
    const ada = await office.person('ada@x.org')
    const away = new Error('away')
    let calls = 0
    const destroyOf = async (): Promise<number> => {
      calls += 1
      if (calls > 1) throw away
      return 0
    }
    const credentials = office.with({ sessions: () => ({ ...noSessions, destroyOf }) })
    assert.equal(await credentials.change(ada.id, 'the new one', { keep: null }), true)
    assert.equal(await office.users.check(ada.id, 'the new one'), true)
    assert.deepEqual(office.reported, [away])
    assert.equal(office.told.length, 1)
  })

  test('a sign-in that accepted the old password before the change is invalid after it', async (t) => {
    const office = await open(t)
    const ada = await office.person('ada@x.org')
    const before = await office.users.verify(ada.email, ada.password)
    assert.ok(before !== null)
    assert.equal(await office.users.isUnchanged(before), true)
    await office.credentials.change(ada.id, 'the new one', { keep: null })
    assert.equal(await office.users.isUnchanged(before), false)
    const after = await office.users.verify(ada.email, 'the new one')
    assert.ok(after !== null)
    assert.equal(await office.users.isUnchanged(after), true)
  })
}
