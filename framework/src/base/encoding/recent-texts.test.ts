import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RecentTexts } from './recent-texts.ts'

test('the last texts are remembered, and those that are used stay', () => {
  const texts = new RecentTexts<number>(10)
  texts.set('used', 0)
  for (let at = 1; at <= 100; at += 1) {
    texts.set(`text ${at}`, at)
    assert.equal(texts.get('used'), 0)
  }
  for (let at = 92; at <= 100; at += 1) assert.equal(texts.get(`text ${at}`), at)
  const kept = Array.from({ length: 100 }, (_, at) => texts.get(`text ${at}`))
  assert.ok(kept.filter((value) => value !== undefined).length < 20)
})
