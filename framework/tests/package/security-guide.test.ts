import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const framework = join(import.meta.dirname, '..', '..')
const guide = readFileSync(join(framework, '..', 'docs', 'guides', 'security.md'), 'utf8')
const [, promised = ''] = guide.split('## What is promised')
const [tables = ''] = promised.split('## How it is tested')
const rows = tables.split('\n').filter((line) => /^\| (?!Promise )/.test(line))

test('each promise of the security guide names tests that exist', () => {
  assert.ok(rows.length >= 20)
  for (const row of rows) {
    const files = [...row.matchAll(/`((?:src|tests)\/[^`]+)`/g)].map(([, file = '']) => file)
    assert.ok(files.length > 0, row)
    for (const file of files) assert.ok(existsSync(join(framework, file)), file)
  }
})
