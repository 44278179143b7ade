import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { checks } from '../../src/project/checks/check-project.ts'

const guides = join(import.meta.dirname, '..', '..', '..', 'docs', 'guides')

test('the guide to production lists every check, in order', () => {
  const guide = readFileSync(join(guides, 'going-to-production.md'), 'utf8')
  const rows = [...guide.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, name]) => name)
  assert.deepEqual(rows, Object.keys(checks))
})
