import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { serverScope } from '../http/server/server-settings.ts'
import { releaseOf } from './release.ts'

test('a release is a short name without spaces', () => {
  const { release } = serverScope.variables
  for (const text of ['', '1.4.2+7f3a', 'x'.repeat(100)]) assert.equal(release.parse(text), text)
  for (const text of ['a b', 'x'.repeat(101), 'ä']) assert.equal(release.parse(text), undefined)
})

test('without APP_RELEASE the release is the version of the project', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'framework-release-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  assert.equal(releaseOf('', root), '')
  const manifest = join(root, 'package.json')
  for (const [text, release] of [
    ['{"version":"0.3.1"}', '0.3.1'],
    ['{"version":7}', ''],
    ['{"version":"two words"}', ''],
    ['[]', ''],
    ['not JSON', ''],
  ] as const) {
    writeFileSync(manifest, text)
    assert.equal(releaseOf('', root), release, text)
  }
  assert.equal(releaseOf('1.4', root), '1.4')
})
