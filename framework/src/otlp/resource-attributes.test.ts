import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseAttributes } from './resource-attributes.ts'

test('attributes are pairs between commas with encoded parts', () => {
  assert.deepEqual(parseAttributes(' team = shop , region=eu%2Cwest,,empty=,sum=1=1'), {
    team: 'shop',
    region: 'eu,west',
    empty: '',
    sum: '1=1',
  })
  assert.deepEqual(parseAttributes(''), {})
})

test('a pair without a name, a broken encoding and parts that are too long are invalid', () => {
  const long = 'x'.repeat(1_025)
  for (const text of ['=x', 'x', 'a=1,b', 'a=%', '%=a', `${long}=a`, `a=${long}`]) {
    assert.equal(parseAttributes(text), undefined, text)
  }
})
