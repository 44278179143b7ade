import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { readBarrels } from './barrels.ts'
import { exportedSubpaths } from './exports-map.ts'
import { checkFrozen } from './frozen-exports.ts'

const framework = join(import.meta.dirname, '..', '..')

test('every exported object is frozen', async () => {
  const barrels = readBarrels(framework)
  // A barrel without names is imported for its side effects.
  const named = exportedSubpaths(framework).filter((path) => barrels.get(path)?.values.size !== 0)
  assert.ok(named.length > 10)
  const findings = await Promise.all(
    named.map(async (path) => checkFrozen(path, Object(await import(path)))),
  )
  assert.deepEqual(findings.flat(), [])
})

test('a planted object, list or nested value that is not frozen is found', () => {
  const planted = {
    Purposes: { Recovery: 'recovery' },
    Levels: ['debug'],
    Nested: Object.freeze({ inner: {}, list: Object.freeze([{}]) }),
    Bare: Object.create(null),
    Frozen: Object.freeze({ one: 1, Class: Map }),
    Class: Map,
    instance: new Map(),
    Throwables: { reporters: [] },
    text: 'text',
  }
  assert.deepEqual(checkFrozen('framework/planted', planted), [
    'framework/planted: Purposes is not frozen',
    'framework/planted: Levels is not frozen',
    'framework/planted: Nested.inner is not frozen',
    'framework/planted: Nested.list.0 is not frozen',
    'framework/planted: Bare is not frozen',
  ])
})
