import assert from 'node:assert/strict'
import { posix } from 'node:path'
import { test } from 'node:test'
import { array, assert as assertProperty, boolean, constantFrom, property } from 'fast-check'
import { isHidden, staticPath } from './static-path.ts'

test('a path below the prefix is decoded once', () => {
  assert.equal(staticPath('/a/b.txt', '/', false), 'a/b.txt')
  assert.equal(staticPath('/assets/a%20b/%C3%A4.txt', '/assets/', false), 'a b/ä.txt')
  assert.equal(staticPath('/', '/', false), '')
  assert.equal(staticPath('/docs/', '/', false), 'docs/')
  assert.equal(staticPath('/a..b/c...', '/', false), 'a..b/c...')
})

test('a double encoding stays literal', () => {
  assert.equal(staticPath('/%252e%252e/x', '/', false), '%2e%2e/x')
  assert.equal(staticPath('/a%252fb', '/', false), 'a%2fb')
})

test('a path elsewhere is none of ours', () => {
  for (const path of ['/other/a', '/assets', '/assetsx/a', '*', '']) {
    assert.equal(staticPath(path, '/assets/', false), null)
  }
})

const climbing = [
  '/..',
  '/../x',
  '/a/../x',
  '/a/..',
  '/./x',
  '/a/.',
  '/%2e%2e/x',
  '/%2E%2e/x',
  '/.%2e/x',
  '/%2e./x',
  '/a/%2e%2e',
  '/..%2fx',
  '/..%2Fx',
  '/a%2fb',
  '/..%5cx',
  '/a%5Cb',
  '/..\\x',
  '/a\\b',
  '/a%00',
  '/a%00.txt',
  '/a\0',
  '/a%0d%0ab',
  '/a%7f',
  '//etc/passwd',
  '/a//b',
  '///x',
]

for (const path of climbing) {
  test(`${JSON.stringify(path)} never means a file, dotfiles or not`, () => {
    assert.equal(staticPath(path, '/', false), null)
    assert.equal(staticPath(path, '/', true), null)
  })
}

test('names that begin with a dot mean files only when asked for', () => {
  for (const path of ['/.env', '/a/.git/config', '/%2eenv', '/...', '/.well-known/x']) {
    assert.equal(staticPath(path, '/', false), null)
    assert.notEqual(staticPath(path, '/', true), null)
  }
})

for (const path of ['/%', '/%4', '/%zz', '/a%c3%28', '/%ff', '/%c0%af']) {
  test(`${path} is broken percent-encoding and refused with 400`, () => {
    assert.throws(() => staticPath(path, '/', false), { status: 400 })
  })
}

test('whatever the path, the file stays below the folder', () => {
  const piece = constantFrom(
    '..',
    '.',
    '/',
    '%2e',
    '%2E',
    '%2f',
    '%5c',
    '\\',
    '%00',
    '%25',
    '2e',
    'a',
    '%',
    'é',
    ' ',
  )
  const paths = array(piece, { maxLength: 12 }).map((pieces) => `/${pieces.join('')}`)
  assertProperty(
    property(paths, boolean(), (path, dotfiles) => {
      let relative: string | null = null
      try {
        relative = staticPath(path, '/', dotfiles)
      } catch {
        return
      }
      if (relative === null) return
      const resolved = posix.resolve('/folder', relative)
      assert.ok(resolved === '/folder' || resolved.startsWith('/folder/'), path)
      assert.ok(!relative.includes('\0') && !relative.includes('\\'), path)
    }),
    { numRuns: 5000 },
  )
})

test('hidden is a path through any name that begins with a dot', () => {
  for (const path of ['.env', 'a/.git/x', 'a/..']) assert.ok(isHidden(path))
  for (const path of ['', 'a', 'a.b/c.d']) assert.ok(!isHidden(path))
})
