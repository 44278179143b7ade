import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { ApplicationKey } from '../settings/application-key.ts'
import { accountDigest } from './auth-events.ts'

const newKey = (): ApplicationKey => new ApplicationKey(createSecretKey(randomBytes(32)))

test('an e-mail has one digest, however it is spelled, and another under another key', () => {
  const digest = accountDigest(newKey())
  assert.match(digest('ada@example.com'), /^[0-9a-f]{32}$/)
  assert.equal(digest(' Ada@Example.com '), digest('ada@example.com'))
  assert.notEqual(digest('bob@example.com'), digest('ada@example.com'))
  assert.notEqual(accountDigest(newKey())('ada@example.com'), digest('ada@example.com'))
})

test('what cannot be an e-mail, such as a password in the wrong field, has a digest too', () => {
  assert.match(accountDigest(newKey())('hunter2\u0000'), /^[0-9a-f]{32}$/)
})
