import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { someSecret } from '../../../tests/support/some-key.ts'
import { connect } from '../../database/connect.ts'
import { Schema } from '../../migrations/schema.ts'
import { PasskeyChallenges } from './passkey-challenges.ts'
import { createPasskeyTables } from './passkey-rows.ts'

const binding = 'ab'.repeat(32)

async function opened(t: TestContext) {
  const database = await connect('sqlite::memory:')
  t.after(() => database.close())
  await createPasskeyTables(new Schema(database))
  const time = { now: 1_700_000_000 }
  const key = someSecret()
  const clock = (): number => time.now
  return { time, key, database, challenges: new PasskeyChallenges(database, key, { clock }) }
}

test('a challenge is for one purpose and one session, and for five minutes', async (t) => {
  const { time, challenges } = await opened(t)
  const challenge = challenges.issue('enter', binding)
  assert.match(challenge, /^[\w-]{72}$/)
  assert.notEqual(challenges.issue('enter', binding), challenge)
  assert.equal(challenges.isValid(challenge, 'enter', binding), true)
  for (const purpose of ['register', 'sign-in', 'confirm'] as const) {
    assert.equal(challenges.isValid(challenge, purpose, binding), false, purpose)
  }
  assert.equal(challenges.isValid(challenge, 'enter', 'cd'.repeat(32)), false)
  time.now += 299
  assert.equal(challenges.isValid(challenge, 'enter', binding), true)
  time.now += 1
  assert.equal(challenges.isValid(challenge, 'enter', binding), false)
})

test('a made-up, changed or cut challenge is none, nor one without a session', async (t) => {
  const { database, challenges } = await opened(t)
  const bytes = Buffer.from(challenges.issue('enter', binding), 'base64url')
  for (let at = 0; at < bytes.length; at += 1) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 1
    assert.equal(challenges.isValid(changed.toString('base64url'), 'enter', binding), false)
  }
  for (const text of ['', 'x', 'A'.repeat(72), bytes.subarray(1).toString('base64url')]) {
    assert.equal(challenges.isValid(text, 'enter', binding), false)
  }
  assert.equal(challenges.isValid(challenges.issue('enter', ''), 'enter', ''), false)
  const others = new PasskeyChallenges(database, someSecret()).issue('enter', binding)
  assert.equal(challenges.isValid(others, 'enter', binding), false)
})

test('a used challenge leaves a row that refuses it again, until it has expired', async (t) => {
  const { time, challenges } = await opened(t)
  const challenge = challenges.issue('confirm', binding)
  await challenges.spend(challenge)
  await assert.rejects(challenges.spend(challenge), { code: 'E_DUPLICATE_KEY' })
  await challenges.spend(challenges.issue('confirm', binding))
  assert.equal(await challenges.sweepExpired(), 0)
  time.now += 300
  assert.equal(await challenges.sweepExpired(), 2)
})
