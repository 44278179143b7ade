import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { findEnvReads } from './env-reads.ts'
import { plantTree } from './planted-tree.ts'

const src = join(import.meta.dirname, '..', '..', 'src')

test('only the rooms that read settings read process.env', () => {
  assert.deepEqual(findEnvReads(src), [])
})

for (const line of [
  'export const home = process.env.HOME',
  `export const home = process.env['HOME']`,
  `export const home = process['env'].HOME`,
  'export const home = globalThis.process.env.HOME',
  'const { env } = process',
  'const { pid, env: variables } = process',
  `import { env } from 'node:process'`,
  `import { pid, env as variables } from 'process'`,
]) {
  for (const room of ['base', 'database', 'http']) {
    test(`${room} is found reading it with: ${line}`, (t) => {
      const folder = plantTree(t, { [`${room}/a.ts`]: line })
      assert.deepEqual(findEnvReads(folder), [
        `${room}/a.ts:1 reads process.env: let the project hand the value down`,
      ])
    })
  }
}

test('the rooms that read settings, unit tests and other things named env are allowed', (t) => {
  const folder = plantTree(t, {
    'settings/a.ts': 'process.env.HOME',
    'project/a.ts': 'process.env.HOME',
    'console/a.ts': 'process.env.HOME',
    'base/a.test.ts': 'process.env.HOME',
    'base/a.ts': [
      '// process.env',
      `export const text = 'process.env'`,
      'export const { env } = options',
      'export const value = options.env.HOME',
      `import { env } from './environment.ts'`,
      'export const pid = process.pid',
    ].join('\n'),
  })
  assert.deepEqual(findEnvReads(folder), [])
})
