import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { parseDatabaseUrl } from '../../database/database-url.ts'
import { databaseChoices } from './choices.ts'
import { writeSettings } from './make-project.ts'

const example = '# database of the project\n# DATABASE_URL=sqlite:storage/database.sqlite\n# A=1\n'

function chosen(t: TestContext, kind: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'framework-choice-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, '.env.example'), example)
  writeSettings(folder, databaseChoices[kind] ?? assert.fail(kind), 'my.shop')
  return folder
}

test('a new project is one of development; for SQLite there is nothing else to say', (t) => {
  const folder = chosen(t, 'sqlite')
  assert.equal(readFileSync(join(folder, '.env'), 'utf8'), 'FRAMEWORK_ENVIRONMENT=development\n')
  assert.equal(readFileSync(join(folder, '.env.example'), 'utf8'), example)
})

test('for a database server the URL is written to .env and replaces the default in the example', (t) => {
  for (const kind of ['postgres', 'mariadb']) {
    const folder = chosen(t, kind)
    const [, url = ''] =
      /^FRAMEWORK_ENVIRONMENT=development\nDATABASE_URL=(.+)\n$/.exec(
        readFileSync(join(folder, '.env'), 'utf8'),
      ) ?? []
    assert.equal(parseDatabaseUrl(url).dialect, kind)
    assert.equal(statSync(join(folder, '.env')).mode & 0o777, 0o600)
    assert.equal(
      readFileSync(join(folder, '.env.example'), 'utf8'),
      example.replace('# DATABASE_URL=sqlite:storage/database.sqlite', `DATABASE_URL=${url}`),
    )
  }
})
