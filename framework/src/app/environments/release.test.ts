import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { loadEnvironment } from '../config/env-source.ts'
import { releaseOf } from './release.ts'

function projectWith(t: TestContext, manifest: string | null): string {
  const root = mkdtempSync(join(tmpdir(), 'framework-release-'))
  t.after(() => rmSync(root, { recursive: true }))
  if (manifest !== null) writeFileSync(join(root, 'package.json'), manifest)
  return root
}

test('the release is APP_RELEASE, also from the .env file', (t) => {
  const root = projectWith(t, '{"version":"1.2.3"}')
  const release = (env: Record<string, string>): string | null =>
    releaseOf(root, loadEnvironment({ root, env }))
  assert.equal(release({ APP_RELEASE: ' 2026-11-16\n' }), '2026-11-16')
  writeFileSync(join(root, '.env'), 'APP_RELEASE=a1b2c3\n')
  assert.equal(release({}), 'a1b2c3')
  assert.equal(release({ APP_RELEASE: 'x'.repeat(300) })?.length, 200)
})

test('without it the release is the version of the project', (t) => {
  for (const [manifest, expected] of [
    ['{"version":"1.2.3"}', '1.2.3'],
    ['{"name":"shop"}', null],
    ['{"version":""}', null],
    ['{"version":7}', null],
    ['null', null],
    ['{', null],
    [null, null],
  ] as const) {
    const root = projectWith(t, manifest)
    const source = loadEnvironment({ root, env: { APP_RELEASE: '' } })
    assert.equal(releaseOf(root, source), expected, String(manifest))
  }
})
