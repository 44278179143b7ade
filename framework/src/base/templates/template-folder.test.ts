import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { TemplateFolder, viewName } from './template-folder.ts'
import { InvalidArgumentException } from '../errors.ts'

function temporary(t: TestContext): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'templates-')))
  t.after(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'views', 'errors'), { recursive: true })
  return folder
}

test('a name becomes its file, and a missing one null', (t) => {
  const root = join(temporary(t), 'views')
  writeFileSync(join(root, 'errors', '404.template.html'), '')
  mkdirSync(join(root, 'folder.template.html'))
  const folder = new TemplateFolder(root, true)
  assert.equal(folder.locate('errors/404'), join(root, 'errors', '404.template.html'))
  assert.equal(folder.locate('errors/500'), null)
  assert.equal(folder.locate('errors/404.template.html/x'), null)
  assert.equal(folder.locate('folder'), null, 'a folder is no template')
  assert.equal(folder.locate('x'.repeat(5_000)), null)
})

test('all names are listed, sorted, other files left out', (t) => {
  const root = join(temporary(t), 'views')
  for (const file of ['home.template.html', 'errors/404.template.html', 'notes.txt', 'a.html']) {
    writeFileSync(join(root, file), '')
  }
  assert.deepEqual(new TemplateFolder(root, true).names(), ['errors/404', 'home'])
})

test('a folder that does not exist holds nothing', (t) => {
  const folder = new TemplateFolder(join(temporary(t), 'nowhere'), true)
  assert.deepEqual(folder.names(), [])
  assert.equal(folder.locate('home'), null)
})

test('a symbolic link out of the folder is refused, for a file and for a folder', (t) => {
  const base = temporary(t)
  const root = join(base, 'views')
  mkdirSync(join(base, 'views-other'))
  writeFileSync(join(base, 'views-other', 'secret.template.html'), 'secret')
  symlinkSync(join(base, 'views-other', 'secret.template.html'), join(root, 'a.template.html'))
  symlinkSync(join(base, 'views-other'), join(root, 'b'))
  const folder = new TemplateFolder(root, true)
  assert.throws(() => folder.locate('a'), { code: 'E_VIEW_REFUSED', message: /symbolic link out/ })
  assert.throws(() => folder.locate('b/secret'), { code: 'E_VIEW_REFUSED' })
})

test('a symbolic link inside the folder, and to the folder itself, is followed', (t) => {
  const base = temporary(t)
  const root = join(base, 'views')
  writeFileSync(join(root, 'home.template.html'), '')
  symlinkSync(join(root, 'home.template.html'), join(root, 'start.template.html'))
  symlinkSync(root, join(base, 'link'))
  assert.equal(new TemplateFolder(root, true).locate('start'), join(root, 'home.template.html'))
  assert.equal(
    new TemplateFolder(join(base, 'link'), true).locate('home'),
    join(root, 'home.template.html'),
  )
})

test('a remembering folder looks once, the other one always', (t) => {
  const root = join(temporary(t), 'views')
  const remembering = new TemplateFolder(root, true)
  const looking = new TemplateFolder(root, false)
  assert.equal(remembering.locate('late'), null)
  assert.equal(looking.locate('late'), null)
  writeFileSync(join(root, 'late.template.html'), '')
  assert.equal(remembering.locate('late'), null)
  assert.equal(looking.locate('late'), join(root, 'late.template.html'))
})

test('a name is taken from the views root', () => {
  assert.equal(viewName('account'), 'account')
  assert.equal(viewName('errors/404', 'emails/welcome'), 'errors/404')
  assert.equal(viewName('a..b/c.d'), 'a..b/c.d')
})

test('a name that starts with ./ is relative to the template that uses it', () => {
  assert.equal(viewName('./row', 'items/list'), 'items/row')
  assert.equal(viewName('./parts/row', 'items/list'), 'items/parts/row')
  assert.equal(viewName('./row', 'list'), 'row')
})

test('invalid names and names that leave the folder are rejected with a reason', () => {
  const refused: Array<[unknown, RegExp]> = [
    ['', /is empty/],
    ['../secret', /contains '\.\.'/],
    ['a/../../secret', /contains '\.\.'/],
    ['/etc/passwd', /absolute path/],
    ['a\\b', /backslash/],
    ['a\0b', /control character/],
    ['a\nb', /control character/],
    ['a//b', /empty part/],
    ['a/', /empty part/],
    ['./a', /empty part or '\.'/],
    ['a/./b', /empty part or '\.'/],
    [undefined, /undefined is not a string/],
    [{}, /object is not a string/],
  ]
  for (const [name, why] of refused) {
    assert.throws(
      () => viewName(name),
      (error) =>
        error instanceof InvalidArgumentException &&
        error.code === 'E_VIEW_REFUSED' &&
        why.test(error.message),
      String(name),
    )
  }
  for (const name of ['./../x', './/x', './', './a\0']) {
    assert.throws(() => viewName(name, 'items/list'), { code: 'E_VIEW_REFUSED' }, name)
  }
})
