import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSuspended } from '../../src/accounts/identity.ts'
import type { OpenOffice } from './credentials-contract.ts'
import { ended } from './credentials-office.ts'
import type { CredentialsOffice, Person } from './credentials-office.ts'

/** The passwords of a list that are right by now. */
async function rightOnes(
  office: CredentialsOffice,
  { id }: Person,
  passwords: readonly string[],
): Promise<readonly string[]> {
  const checks = await Promise.all(passwords.map((password) => office.users.check(id, password)))
  return passwords.filter((_, at) => checks[at])
}

/** The contract of concurrent changes, resets and sign-ins, as tests. */
export function testCredentialsRaces(open: OpenOffice): void {
  test('of ten concurrent resets with one token exactly one succeeds', async (t) => {
    const office = await open(t)
    const ada = await office.person('ada@x.org')
    const passwords = Array.from({ length: 10 }, (_, at) => `password ${at}`)
    office.counted.gather(passwords.length)
    const users = await Promise.all(
      passwords.map((password) => office.credentials.reset(ada.recovery, password)),
    )
    const winners = passwords.filter((_, at) => users[at] !== null)
    assert.equal(winners.length, 1)
    assert.deepEqual(await rightOnes(office, ada, passwords), winners)
    assert.deepEqual(await office.state(ada), { ...ended, verified: true })
    assert.equal(office.told.length, 1)
    assert.deepEqual(office.reported, [])
  })

  test('twenty concurrent changes all succeed, and leave one password and the kept session', async (t) => {
    const office = await open(t)
    const ada = await office.person('ada@x.org')
    const passwords = Array.from({ length: 20 }, (_, at) => `password ${at}`)
    const [keep] = ada.sessions
    office.counted.gather(passwords.length)
    const answers = await Promise.all(
      passwords.map((password) => office.credentials.change(ada.id, password, { keep })),
    )
    assert.deepEqual(answers, Array(20).fill(true))
    assert.equal((await rightOnes(office, ada, passwords)).length, 1)
    assert.deepEqual(await office.state(ada), { ...ended, sessions: [0] })
    assert.deepEqual(office.reported, [])
  })

  test('of ten concurrent changes after a check of the same old password exactly one succeeds', async (t) => {
    const office = await open(t)
    const ada = await office.person('ada@x.org')
    const passwords = Array.from({ length: 10 }, (_, at) => `password ${at}`)
    const identity = await office.users.verify(ada.email, ada.password)
    assert.ok(identity !== null)
    office.counted.gather(passwords.length)
    const answers = await Promise.all(
      passwords.map((password) => office.credentials.change(identity, password, { keep: null })),
    )
    const winners = passwords.filter((_, at) => answers[at])
    assert.equal(winners.length, 1)
    assert.deepEqual(await rightOnes(office, ada, passwords), winners)
    assert.deepEqual(await office.state(ada), ended)
    assert.deepEqual(office.reported, [])
  })

  test('of two sessions that end each other at once exactly one does', async (t) => {
    const office = await open(t)
    for (let round = 0; round < 10; round += 1) {
      const ada = await office.person(`ada${round}@x.org`)
      const [one, other] = ada.sessions
      office.counted.gather(1)
      const outcomes = await Promise.allSettled([
        office.credentials.change(ada.id, 'by the thief', { keep: one }),
        office.credentials.endOthers(ada.id, { keep: other, device: null }),
      ])
      const winner = outcomes.findIndex(({ status }) => status === 'fulfilled')
      const loser = outcomes[1 - winner]
      assert.ok(loser?.status === 'rejected')
      assert.equal(Object(loser.reason).code, 'E_SESSION_ENDED')
      const left = await office.store.list(ada.id)
      assert.deepEqual(
        left.map(({ digest }) => digest),
        [ada.sessions[winner]],
      )
      assert.equal(await office.users.check(ada.id, ada.password), winner === 1)
    }
    assert.deepEqual(office.reported, [])
  })

  test('a concurrent change and reset end consistently, whichever comes first', async (t) => {
    const office = await open(t)
    for (let round = 0; round < 5; round += 1) {
      const ada = await office.person(`ada${round}@x.org`)
      office.counted.gather(2)
      const [isChanged, user] = await Promise.all([
        office.credentials.change(ada.id, 'by change', { keep: null }),
        office.credentials.reset(ada.recovery, 'by reset'),
      ])
      assert.equal(isChanged, true)
      const right = await rightOnes(office, ada, ['by change', 'by reset'])
      assert.equal(right.length, 1)
      // Without its token a reset does nothing: then the change came first.
      if (user === null) assert.deepEqual(right, ['by change'])
      assert.deepEqual(await office.state(ada), { ...ended, verified: user !== null })
    }
    assert.deepEqual(office.reported, [])
  })

  test('no sign-in survives a concurrent suspension, and none begins before it is lifted', async (t) => {
    const office = await open(t)
    for (let round = 0; round < 5; round += 1) {
      const ada = await office.person(`ada${round}@x.org`)
      const signIn = async (): Promise<void> => {
        const identity = await office.users.verify(ada.email, ada.password)
        // As the gate does, and as is done once the session is saved.
        if (identity === null || isSuspended(identity)) return
        const digest = await office.session(identity.id)
        if (!(await office.users.isUnchanged(identity))) await office.store.destroy(digest)
      }
      const [places] = await Promise.all([
        office.credentials.suspend(ada.id),
        ...Array.from({ length: 8 }, signIn),
      ])
      assert.ok((places?.sessions ?? 0) >= 2)
      assert.equal(places?.devices, 1)
      assert.equal(await office.credentials.suspend(ada.id), null)
      assert.deepEqual(await office.state(ada), { ...ended, oldPassword: true })
      assert.equal(await office.credentials.restore(ada.id), true)
      assert.equal(await office.credentials.restore(ada.id), false)
      await signIn()
      assert.equal((await office.store.list(ada.id)).length, 1)
    }
    assert.deepEqual(office.reported, [])
  })

  test('no sign-in with the old password survives a concurrent change', async (t) => {
    const office = await open(t)
    for (let round = 0; round < 10; round += 1) {
      const ada = await office.person(`ada${round}@x.org`)
      const signIn = async (password: string): Promise<void> => {
        const identity = await office.users.verify(ada.email, password)
        if (identity === null) return
        const digest = await office.session(identity.id)
        if (!(await office.users.isUnchanged(identity))) await office.store.destroy(digest)
      }
      await Promise.all([
        office.credentials.change(ada.id, 'the new one', { keep: null }),
        ...Array.from({ length: 8 }, () => signIn(ada.password)),
      ])
      assert.deepEqual(await office.store.list(ada.id), [])
      await signIn('the new one')
      assert.equal((await office.store.list(ada.id)).length, 1)
    }
    assert.deepEqual(office.reported, [])
  })
}
