import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { parseKey } from './parse-key.ts'

const bytes = randomBytes(32)

test('a key is parsed from hexadecimal digits or base64 in either alphabet', () => {
  const forms = [
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    bytes.toString('base64'),
    bytes.toString('base64').slice(0, -1),
    bytes.toString('base64url'),
  ]
  for (const form of forms) assert.deepEqual(parseKey(form)?.export(), bytes)
})

test('a text of another length or alphabet is not a key', () => {
  const texts = ['', 'secret', bytes.toString('hex').slice(1), `${bytes.toString('hex')}0`]
  texts.push(randomBytes(31).toString('base64'), randomBytes(33).toString('base64'), ' '.repeat(43))
  texts.push(`${bytes.toString('hex')}\n`, `base64:${bytes.toString('base64')}`)
  for (const text of texts) assert.equal(parseKey(text), undefined)
})
