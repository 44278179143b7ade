import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SessionSite } from '../../../tests/conformance/session-visitor.ts'
import { MemorySessions } from './memory-sessions.ts'
import type { Session } from './session.ts'

function site(store: MemorySessions = new MemorySessions()): SessionSite {
  return new SessionSite(store)
}

function signIn(session: Session, confirm: () => Promise<boolean>): void {
  session.regenerate()
  session.set('identity', '7')
  session.confirmAfterSave(confirm)
}

test('a confirmation is asked for after the session was saved', async () => {
  const shop = site()
  const ada = shop.visitor()
  const saved: number[] = []
  const { answer } = await ada.does((session) =>
    signIn(session, async () => {
      saved.push((await shop.sessions.list('7')).length)
      return true
    }),
  )
  assert.deepEqual([saved, answer.cookies.length], [[1], 1])
  assert.equal(await ada.sees('identity'), '7')
})

test('a session that is not confirmed ends again, and no cookie is sent', async () => {
  const shop = site()
  const ada = shop.visitor()
  await ada.sets('cart', 1)
  const { cookie } = ada
  const { answer } = await ada.does((session) => signIn(session, async () => false))
  assert.deepEqual([answer.status, answer.cookies, ada.cookie], [200, [], cookie])
  assert.deepEqual(await shop.sessions.list('7'), [])
  assert.equal(await ada.sees('cart'), null, 'its values went with it')
})

test('every confirmation is asked for, and all must agree', async () => {
  const shop = site()
  const asked: number[] = []
  const { answer } = await shop.visitor().does((session) => {
    signIn(session, async () => asked.push(1) < 0)
    session.confirmAfterSave(async () => asked.push(2) > 0)
  })
  assert.deepEqual([asked, answer.cookies], [[1, 2], []])
  assert.deepEqual(await shop.sessions.list('7'), [])
})

test('a confirmation that fails is a refusal and an error', async () => {
  const shop = site()
  const { answer } = await shop
    .visitor()
    .does((session) => signIn(session, () => Promise.reject(new Error('planted'))))
  assert.deepEqual([answer.status, answer.cookies], [500, []])
  assert.deepEqual(await shop.sessions.list('7'), [])
})

test('no cookie is sent even if the session cannot be ended again', async () => {
  class Broken extends MemorySessions {
    override async destroy(): Promise<boolean> {
      throw new Error('away')
    }
  }
  const shop = site(new Broken())
  const { answer } = await shop.visitor().does((session) => signIn(session, async () => false))
  assert.deepEqual([answer.status, answer.cookies], [503, []])
})

test('no confirmation is asked for where writes are discarded, failed or none', async () => {
  const shop = site()
  const ada = shop.visitor()
  await ada.sets('identity', '7')
  const never = async (): Promise<boolean> => assert.fail('asked')
  await ada.does((session) => {
    signIn(session, never)
    session.discardWrites()
  })
  await ada.does((session) => {
    signIn(session, never)
    throw new Error('planted')
  })
  await ada.does((session) => session.confirmAfterSave(never))
  assert.equal(await ada.sees('identity'), '7')
})

test('a revocation that ran between the check of a password and the save wins', async () => {
  const shop = site()
  const account = { secret: 'old' }
  const thief = shop.visitor()
  await thief.does(async (session) => {
    const { secret } = account
    account.secret = 'new'
    await shop.sessions.revoke('7')
    signIn(session, async () => account.secret === secret)
  })
  assert.deepEqual([thief.cookie, await shop.sessions.list('7')], ['', []])
})
