import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { errorInboxScope, projectRelease } from './error-inbox-scope.ts'

test('a release is a short name without spaces, and mails go to one mailbox', () => {
  const { release, mail } = errorInboxScope.variables
  assert.equal(release.parse('1.4.2+7f3a'), '1.4.2+7f3a')
  assert.equal(release.parse(''), '')
  for (const text of ['a b', 'x'.repeat(101), 'ä']) assert.equal(release.parse(text), undefined)
  assert.equal(mail.parse('Ops <ops@example.org>'), 'Ops <ops@example.org>')
  assert.equal(mail.parse(''), '')
  assert.equal(mail.parse('a@example.org, b@example.org'), undefined)
})

test('without APP_RELEASE the release is the version of the project', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'framework-release-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  assert.equal(projectRelease('', root), '')
  const manifest = join(root, 'package.json')
  for (const [text, release] of [
    ['{"version":"0.3.1"}', '0.3.1'],
    ['{"version":7}', ''],
    ['{"version":"two words"}', ''],
    ['[]', ''],
    ['not JSON', ''],
  ] as const) {
    writeFileSync(manifest, text)
    assert.equal(projectRelease('', root), release, text)
  }
  assert.equal(projectRelease('1.4', root), '1.4')
})
