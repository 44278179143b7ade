import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { completeOptions, mergeOptions } from './options.ts'

test('reports have no folder by default, and a given one is resolved to its full path', () => {
  assert.equal(completeOptions({}).reports, null)
  assert.equal(completeOptions({ reports: null }).reports, null)
  assert.equal(completeOptions({ reports: 'storage/reports' }).reports, resolve('storage/reports'))
})

test('an empty folder of reports is refused', () => {
  assert.throws(() => completeOptions({ reports: '' }), {
    code: 'E_INVALID_ARGUMENT',
    message: /"reports" must be a folder, or null/,
  })
})

test('the site has no address by default, and a given one must be one that browsers open', () => {
  assert.equal(completeOptions({}).url, null)
  assert.equal(completeOptions({ url: 'https://shop.example' }).url, 'https://shop.example')
  for (const url of ['', 'shop.example', 'ftp://shop.example', 'javascript:alert(1)']) {
    assert.throws(() => completeOptions({ url }), {
      code: 'E_INVALID_ARGUMENT',
      message: /"url" must be a URL that begins with "http:\/\/" or "https:\/\/", or null/,
    })
  }
})

test('options of two calls add up, and of those given twice the later value counts', () => {
  const earlier = { port: 1, health: '/health', limits: { body: 1, files: 2 } }
  const later = { port: 2, limits: { body: 3 }, observability: { interval: 4 } }
  assert.deepEqual(mergeOptions(earlier, later), {
    port: 2,
    health: '/health',
    limits: { body: 3, files: 2 },
    observability: { interval: 4 },
  })
  assert.equal(mergeOptions(earlier, { health: null }).health, null)
})
