import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { leaveOutParts } from './leave-out-parts.ts'
import { parts, withDependents } from './parts.ts'

const demo = join(import.meta.dirname, '..', '..', '..', '..', 'demo')

function plant(t: TestContext, files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'framework-parts-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  return folder
}

test('every file that a part names is in the demo', () => {
  for (const { files } of Object.values(parts)) {
    for (const file of files) assert.ok(existsSync(join(demo, file)), file)
  }
})

test('a part that cannot be without another goes with it', () => {
  const dependents = Object.keys(parts).filter((name) => parts[name]?.needs === 'auth')
  assert.ok(dependents.length > 1)
  assert.deepEqual(withDependents(['auth', 'ci']), ['auth', 'ci', ...dependents])
  assert.deepEqual(withDependents(['activity']), ['activity'])
  assert.deepEqual(withDependents(['items']), ['items'])
})

test('files of a part that is left out go, and what others say of it', (t) => {
  const folder = plant(t, {
    'routes/items.ts': '',
    'routes/manifest.ts': 'a // part: items\nb // part: docker\n',
    Dockerfile: '',
  })
  leaveOutParts(folder, ['items'])
  assert.deepEqual(readdirSync(join(folder, 'routes')), ['manifest.ts'])
  assert.equal(readFileSync(join(folder, 'routes/manifest.ts'), 'utf8'), 'b\n')
  assert.ok(existsSync(join(folder, 'Dockerfile')))
})

test('a folder that loses its last file stays, also in git', (t) => {
  const folder = plant(t, { 'seeds/items.ts': '', 'views/home.template.html': '' })
  leaveOutParts(folder, ['items'])
  assert.deepEqual(readdirSync(join(folder, 'seeds')), ['.gitkeep'])
  assert.ok(!existsSync(join(folder, 'entities')))
})

test('a file that is no text stays as it is, byte by byte', (t) => {
  const bytes = Uint8Array.of(0xff, 0xd8, 0x00, 0x0a)
  const folder = plant(t, { 'public/photo.jpg': bytes })
  leaveOutParts(folder, ['items'])
  assert.deepEqual(new Uint8Array(readFileSync(join(folder, 'public/photo.jpg'))), bytes)
})
