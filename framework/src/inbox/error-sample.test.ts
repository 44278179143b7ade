import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Crumb } from '../activity/activity.ts'
import { incidentOf } from '../incidents/incident.ts'
import { parseBatch } from './error-batch.ts'
import { isSample, sampleOf } from './error-sample.ts'

test('a sample has files relative to the project, and no address of a client', () => {
  const error = new TypeError('no basket')
  error.stack = 'TypeError: no basket\n    at pay (/shop/routes/pay.ts:3:4)'
  const context = { method: 'GET', URI: '/pay', peer: '192.0.2.7', suppressed: 3, body: {} }
  const sample = sampleOf(incidentOf(error, context, 5), '1.2', '/shop')
  assert.deepEqual(sample.chain[0]?.frames, [
    { call: 'pay', file: 'routes/pay.ts', line: 3, isOwn: true },
  ])
  assert.deepEqual(sample.context, [
    { name: 'method', preview: 'GET' },
    { name: 'URI', preview: '/pay' },
  ])
  assert.equal(isSample(JSON.parse(JSON.stringify(sample))), true)
})

test('whatever is thrown, a sample has at most 16 KiB', () => {
  const long = 'x'.repeat(100_000)
  const fields = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`field${at}`, long]))
  const make = (options?: ErrorOptions): Error => {
    const error = Object.assign(new Error(long, options), fields)
    const call = `    at ${'f'.repeat(400)} (/shop/${'d'.repeat(900)}.ts:1:1)`
    error.stack = `Error: ${long}\n${Array.from({ length: 40 }, () => call).join('\n')}`
    return error
  }
  const error = make({ cause: make({ cause: make() }) })
  const sample = sampleOf(incidentOf(error, fields, 5), '1.2', '/')
  assert.ok(JSON.stringify(sample).length <= 16_384, String(JSON.stringify(sample).length))
  assert.equal(sample.chain.length, 2)
})

test('a line that is no batch is not taken for one', () => {
  for (const text of ['', 'x', '1', 'null', '{}', '{"fingerprint":"a","count":"1"}']) {
    assert.equal(parseBatch(text), null, text)
  }
})

test('a sample has what happened before, masked, and the source around its own line', (t) => {
  const secret = 's3cretValue'
  const crumbs: Crumb[] = Array.from({ length: 40 }, (_, at) => ({
    kind: at % 2 === 0 ? 'sql' : 'log',
    name: at % 2 === 0 ? '' : 'info',
    text: at % 2 === 0 ? `SELECT '${secret}', ${at}` : `shop: token=${secret} ${at}`,
    startMs: performance.now() - 1_000 + at,
    durationMs: 0.123456,
    failure: at === 38 ? 'E_STATEMENT' : null,
  }))
  const root = mkdtempSync(join(tmpdir(), 'framework-sample-'))
  t.after(() => rmSync(root, { recursive: true }))
  const lines = ['// pay', `const password = '${secret}'`, 'throw new TypeError()']
  writeFileSync(join(root, 'pay.ts'), lines.join('\n'))
  const error = new TypeError('no basket')
  error.stack = `TypeError: no basket\n    at pay (${root}/pay.ts:3:4)`
  const sample = sampleOf(incidentOf(error, { password: secret }, 5), '1.2', root, crumbs)
  assert.equal(sample.crumbs?.length, 24)
  assert.partialDeepStrictEqual(sample.crumbs?.slice(-2), [
    { kind: 'sql', text: 'SELECT ?, ?', durationMs: 0.12, failure: 'E_STATEMENT' },
    { kind: 'log', name: 'info', text: 'shop: token=[redacted] 39', failure: null },
  ])
  const before = sample.crumbs?.map(({ beforeMs }) => beforeMs) ?? []
  assert.ok(before.every((ms, at) => ms > 900 && ms <= (before[at - 1] ?? Infinity)))
  assert.ok(!JSON.stringify(sample).includes(secret))
  assert.deepEqual(sample.chain[0]?.excerpt, {
    first: 1,
    lines: ['// pay', "const password = '[redacted]'", 'throw new TypeError()'],
    marked: 3,
  })
})
