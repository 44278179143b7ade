import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { readBarrels } from './barrels.ts'

/** The subpath of each name in the specification, which must not change. */
const specified: Readonly<Record<string, readonly string[]>> = {
  framework: ['Environments', 'InvalidArgumentException'],
  'framework/debugging': ['Throwables', 'createThrowables', 'Page', 'Shutdown', 'Debugging'],
  'framework/events': ['Emitter'],
  'framework/http': [
    'Telemetry',
    'Catcher',
    'Resources',
    'RequestEvents',
    'Worker',
    'Observability',
  ],
  'framework/middlewares': [
    'Authentication',
    'Authenticating',
    'SessionGuard',
    'Remember',
    'RateLimit',
  ],
  'framework/observability': [
    'Observability',
    'Counter',
    'Gauge',
    'Histogram',
    'Snapshot',
    'Collectors',
    'Exporters',
  ],
  'framework/orm': [
    'Repository',
    'Selection',
    'Pagination',
    'Modes',
    'Operators',
    'Orders',
    'Scope',
  ],
  'framework/security': [
    'Users',
    'Tokens',
    'Trust',
    'Purposes',
    'Token',
    'Theft',
    'Identity',
    'Password',
  ],
}

const barrels = readBarrels(join(import.meta.dirname, '..', '..'))

for (const [subpath, names] of Object.entries(specified)) {
  test(`${subpath} exports the names that the specification assigns to it`, () => {
    const exported = namesOf(subpath)
    assert.deepEqual(
      names.filter((name) => !exported.includes(name)),
      [],
    )
  })
}

test('a name has one meaning: two subpaths export it only where the specification splits an area', () => {
  const places = new Map<string, string[]>()
  for (const subpath of barrels.keys()) {
    for (const name of namesOf(subpath)) places.set(name, [...(places.get(name) ?? []), subpath])
  }
  const shared = [...places].filter(([, subpaths]) => subpaths.length > 1)
  const { 'framework/middlewares': guards = [], 'framework/security': stores = [] } = specified
  const expected = [
    // The registry, and its route set in a manifest.
    ['Observability', ['framework/http', 'framework/observability']],
    ...stores.map((name) => [name, ['framework/auth', 'framework/security']]),
    ...guards
      .filter((name) => name !== 'RateLimit')
      .map((name) => [name, ['framework/auth', 'framework/middlewares']]),
  ]
  const byName = (one: readonly unknown[], other: readonly unknown[]): number =>
    String(one[0]).localeCompare(String(other[0]))
  assert.deepEqual(shared.toSorted(byName), expected.toSorted(byName))
})

function namesOf(subpath: string): readonly string[] {
  const { values, types } = barrels.get(subpath) ?? { values: new Set(), types: new Set() }
  return [...values, ...types].map(String)
}
