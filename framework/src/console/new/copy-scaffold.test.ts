import assert from 'node:assert/strict'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { assembleProject } from './make-project.ts'
import { databaseChoices, starters } from './choices.ts'
import { inOwnWords, titleOf } from './copy-scaffold.ts'

function assemble(t: TestContext, name: string, starter: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'framework-own-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const database = databaseChoices['sqlite'] ?? assert.fail()
  const chosen = starters[starter] ?? assert.fail()
  assembleProject(folder, { name, database, starter: chosen }, 'framework-1.2.3.tgz')
  return folder
}

function filesOf(folder: string): ReadonlyMap<string, string> {
  const found = globSync(['**/*', '**/.*', '**/.*/**/*'], { cwd: folder, withFileTypes: true })
  const files = found.filter((entry) => entry.isFile())
  const paths = files.map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
  return new Map(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')]))
}

for (const starter of Object.keys(starters)) {
  test(`a ${starter} project says nowhere that it was a demo`, (t) => {
    const files = filesOf(assemble(t, 'corner-shop', starter))
    assert.ok(files.size > 5)
    for (const [path, text] of files) {
      assert.doesNotMatch(path, /demo/i)
      const line = text.split('\n').find((candidate) => /demo|starter/i.test(candidate))
      assert.equal(line, undefined, path)
    }
  })
}

test('its own name is the title of its pages and mails, and that of its package and image', (t) => {
  const files = filesOf(assemble(t, 'corner-shop', 'full'))
  const file = (path: string): string => files.get(path) ?? assert.fail(path)
  assert.match(file('project.ts'), /name: 'corner-shop'/)
  assert.match(file('package.json'), /"name": "corner-shop"/)
  assert.match(file('configs/app/app.config.ts'), /default: 'Corner shop'/)
  assert.match(file('.env.example'), /^# APP_TITLE=Corner shop$/m)
  assert.match(file('README.md'), /^# corner-shop$/m)
  assert.match(file('README.md'), /^docker build --tag corner-shop \.$/m)
  assert.match(
    file('README.md'),
    /corner-shop-storage:\/app\/storage corner-shop node node_modules/,
  )
  assert.match(file('README.md'), /--env APP_KEY corner-shop$/m)
  assert.match(file('.github/workflows/test.yml'), /docker build --tag corner-shop \./)
  assert.match(file('tests/home.test.ts'), /<h1>Corner shop<\\\/h1>/)
})

test('a project whose own name has the word keeps it', (t) => {
  const files = filesOf(assemble(t, 'demo-shop', 'full'))
  assert.match(files.get('project.ts') ?? '', /name: 'demo-shop'/)
  assert.match(files.get('configs/app/app.config.ts') ?? '', /default: 'Demo shop'/)
})

test('the starter auth has accounts and none of the examples', (t) => {
  const files = filesOf(assemble(t, 'shop', 'auth'))
  assert.ok(files.has('accounts.ts'))
  assert.doesNotMatch([...files.values()].join('\n'), /\/hello|\/items\b|greet/i)
})

test('a name becomes a title', () => {
  assert.equal(titleOf('shop'), 'Shop')
  assert.equal(titleOf('my-corner_shop.2'), 'My corner shop 2')
})

test('other words stay as they are', () => {
  const text = 'the app node, an app\n/app/storage app.ts'
  assert.equal(inOwnWords(text, 'shop'), text)
})
