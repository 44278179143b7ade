import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { checkByHand } from './by-hand.ts'
import { plantTree } from './planted-tree.ts'

test('the page about our own code and libraries is right', () => {
  assert.deepEqual(checkByHand(join(import.meta.dirname, '..', '..', '..')), [])
})

const page = `An application that installs the
framework gets 3 packages.

| For | Package | Why |
|---|---|---|
| templates | \`eta/core\`, its \`Parser\` alone | |
| multipart | \`@fastify/busboy\` | |
| Redis | \`ioredis\` | optional |

| What | In \`framework/src\` | Lines | Instead of |
|---|---|---:|---|
| router | \`http/router\` \`paths.ts\` | 110 | \`express\` |
`

function findings(t: TestContext, changed: string): string[] {
  return checkByHand(
    plantTree(t, {
      'docs/decisions/0008-by-hand.md': changed,
      'framework/package.json': JSON.stringify({
        dependencies: { '@fastify/busboy': '3', eta: '4' },
        peerDependencies: { ioredis: '6' },
      }),
      'package-lock.json': JSON.stringify({
        packages: {
          'node_modules/@fastify/busboy': {},
          'node_modules/eta': { dependencies: { tiny: '1' } },
          'node_modules/tiny': { dependencies: { eta: '4' } },
          'node_modules/ioredis': { dependencies: { large: '1' } },
        },
      }),
      'framework/src/http/router/deep/router.ts': 'a\n'.repeat(90),
      'framework/src/http/router/router.test.ts': 'a\n'.repeat(90),
      'framework/src/paths.ts': 'a\n'.repeat(10),
    }),
  )
}

test('a page with all packages, and lines within a tenth, passes', (t) => {
  assert.deepEqual(findings(t, page), [])
  assert.deepEqual(findings(t, page.replace('110', '90')), [])
})

test('stale lines, moved code, and packages that are too many or too few are found', (t) => {
  assert.deepEqual(findings(t, page.replace('110', '1,111')), [
    'router: the page says 1,111 lines, there are 100',
  ])
  assert.deepEqual(findings(t, page.replace('110', '89')), [
    'router: the page says 89 lines, there are 100',
  ])
  assert.deepEqual(findings(t, page.replace('110', 'many')), [
    'router: the page says many lines, there are 100',
  ])
  assert.deepEqual(findings(t, page.replace('paths.ts', 'gone.ts')), [
    'router: there is no gone.ts',
  ])
  assert.deepEqual(findings(t, page.replace('`ioredis`', '`redis`').replace('3', '4')), [
    'the page does not list ioredis',
    'the framework does not use redis',
    'the page says 4 packages, there are 3',
  ])
})
