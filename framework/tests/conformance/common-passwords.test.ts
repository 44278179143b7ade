import assert from 'node:assert/strict'
import { test } from 'node:test'
import { passwordProblem } from '../../src/accounts/passwords/password-rules.ts'
import { djangoMissing, djangoPasswords } from '../support/django-passwords.ts'

const email = 'ada@shop.example'

test('at least 95 % of the common passwords of Django are refused', { skip: djangoMissing }, () => {
  const known = djangoPasswords()
    .slice(0, 3_000)
    .filter((text) => Array.from(text).length >= 8)
  assert.ok(known.length > 1_000, `${known.length} are long enough`)
  const accepted = known.filter((text) => passwordProblem(text, { email }) === null)
  assert.ok(accepted.length <= known.length / 20, `${accepted.length} of ${known.length} accepted`)
})
