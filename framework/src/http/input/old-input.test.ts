import assert from 'node:assert/strict'
import { test } from 'node:test'
import { oldInput } from './old-input.ts'

test('ordinary fields are kept', () => {
  assert.deepEqual(oldInput({ email: 'ada@example.org', remember: 'on', title: '' }), {
    email: 'ada@example.org',
    remember: 'on',
    title: '',
  })
})

test('passwords, tokens and whatever else is secret by its name are not', () => {
  const names = ['password', 'password_confirmation', 'Passwd', 'current', 'current_password']
  const others = ['_token', 'token', 'secret', 'api_key', 'verifier', 'otp', 'pin', 'CVC']
  const fields = Object.fromEntries([...names, ...others].map((name) => [name, 'x']))
  assert.deepEqual(oldInput({ ...fields, keyboard: 'qwerty' }), { keyboard: 'qwerty' })
})

test('at most 16 KiB are kept, and an oversized field does not displace the others', () => {
  const kept = oldInput({ email: 'a', text: 'é'.repeat(8200), title: 'b' })
  assert.deepEqual(kept, { email: 'a', title: 'b' })
  const many = Array.from({ length: 1000 }, (_, at) => [`field${at}`, 'x'.repeat(100)])
  assert.ok(JSON.stringify(oldInput(Object.fromEntries(many))).length < 20_000)
})

test('the bytes of the JSON count, in which a control character takes six', () => {
  for (const piece of ['\u0001', '\ud800', '"', 'é']) {
    const fields = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [`field${at}`, piece.repeat(400)]),
    )
    const kept = oldInput(fields)
    assert.ok(Buffer.byteLength(JSON.stringify(kept)) < 17_000, JSON.stringify(piece))
    assert.ok(Object.keys(kept).length > 5, JSON.stringify(piece))
  }
})

test('a field cannot name a prototype', () => {
  const fields: Record<string, string> = JSON.parse('{"__proto__":"x","constructor":"y"}')
  const kept = oldInput(fields)
  assert.deepEqual(Object.keys(kept), ['constructor'])
  assert.equal(Object.getPrototypeOf(kept), Object.prototype)
})
