import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { framesOf, nearestOwn } from './frames.ts'
import { sourceLines } from './source-file.ts'
import { originalPosition } from './source-map.ts'

// Line 3 column 5 of the compiled file is line 3 column 4 of the first source.
const mappings = ';;IAEG'

function folderFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'framework-map-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'dist'))
  mkdirSync(join(folder, 'src'))
  writeFileSync(join(folder, 'src', 'x.ts'), '// one\n// two\nfail()\n')
  return folder
}

function compiled(folder: string, url: string, name = 'x.js'): string {
  const file = join(folder, 'dist', name)
  writeFileSync(file, `'use strict'\n\n    fail()\n//# sourceMappingURL=${url}\n`)
  return file
}

function mapOf(more: object = {}): string {
  return JSON.stringify({ version: 3, sources: ['../src/x.ts'], names: [], mappings, ...more })
}

function inline(json: string): string {
  return `data:application/json;charset=utf-8;base64,${Buffer.from(json).toString('base64')}`
}

test('a map beside the compiled file leads to the source', (t) => {
  const folder = folderFor(t)
  const file = compiled(folder, 'x.js.map')
  writeFileSync(`${file}.map`, mapOf())
  assert.deepEqual(originalPosition({ file, line: 3, column: 5 }), {
    file: join(folder, 'src', 'x.ts'),
    line: 3,
    column: 4,
  })
})

test('a map inside the compiled file leads to the source, for frames too', (t) => {
  const folder = folderFor(t)
  const file = compiled(folder, inline(mapOf()))
  const error = Object.defineProperty(new Error(''), 'stack', {
    value: `Error\n    at fail (${file}:3:5)`,
  })
  const [frame] = framesOf(error)
  assert.deepEqual([frame?.file, frame?.line], [join(folder, 'src', 'x.ts'), 3])
  assert.equal(frame?.origin, 'application')
})

test('a position whose source is missing is unchanged', (t) => {
  const folder = folderFor(t)
  const file = compiled(folder, inline(mapOf({ sources: ['../src/gone.ts'] })))
  assert.deepEqual(originalPosition({ file, line: 3, column: 5 }), { file, line: 3, column: 5 })
})

test('of several maps that a file names the last one counts', (t) => {
  const folder = folderFor(t)
  const file = compiled(folder, inline(mapOf()))
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replace('\n\n', '\n//# sourceMappingURL=gone.js.map\n'))
  assert.equal(originalPosition({ file, line: 3, column: 5 }).file, join(folder, 'src', 'x.ts'))
})

test('a source that was not shipped is shown from the map', (t) => {
  const folder = folderFor(t)
  rmSync(join(folder, 'src'), { recursive: true })
  const file = compiled(folder, inline(mapOf({ sourcesContent: ['// one\n// two\nfail()'] })))
  const at = originalPosition({ file, line: 3, column: 5 })
  assert.deepEqual(sourceLines(at.file), ['// one', '// two', 'fail()'])
})

test('a source named by a file URL is its path', (t) => {
  const folder = folderFor(t)
  const file = compiled(
    folder,
    inline(mapOf({ sources: ['file:///srv/my%20app/x.ts'], sourcesContent: ['1\n2\n3'] })),
  )
  assert.equal(originalPosition({ file, line: 3, column: 5 }).file, '/srv/my app/x.ts')
})

test("sources are resolved against the map's root", (t) => {
  const folder = folderFor(t)
  const map = mapOf({ sourceRoot: '../lib/', sources: ['x.ts'], sourcesContent: ['1\n2\n3'] })
  const at = originalPosition({ file: compiled(folder, inline(map)), line: 3, column: 5 })
  assert.equal(at.file, join(folder, 'lib', 'x.ts'))
  assert.deepEqual(sourceLines(at.file), ['1', '2', '3'])
})

test('without a map, or with one that cannot be read, the place stays', (t) => {
  const folder = folderFor(t)
  const urls = {
    none: 'none.map',
    folder: '.',
    broken: inline('{'),
    nothing: inline('null'),
    list: inline('[]'),
    sources: inline('{"version":3,"sources":7,"mappings":7}'),
    remote: 'https://example.com/x.js.map',
    host: inline(mapOf({ sources: ['file://other-host/x.ts'] })),
  }
  for (const [name, url] of Object.entries(urls)) {
    const position = { file: compiled(folder, url, `${name}.js`), line: 3, column: 5 }
    assert.deepEqual(originalPosition(position), position, name)
  }
})

test('a place without a line, in no file and in a file that is not compiled stays', (t) => {
  const folder = folderFor(t)
  const file = compiled(folder, inline(mapOf()))
  for (const position of [
    { file, line: 0, column: 0 },
    { file: join(folder, 'none.js'), line: 3, column: 5 },
    { file: file.replace('.js', '.ts'), line: 3, column: 5 },
    { file: file.replace('.js', '.html'), line: 3, column: 5 },
  ]) {
    assert.deepEqual(originalPosition(position), position)
  }
})

test('to find the nearest call of the project, the maps of packages above it are not read', (t) => {
  const folder = join(folderFor(t), 'node_modules', 'kit')
  for (const name of ['dist', 'src']) mkdirSync(join(folder, name), { recursive: true })
  const vendor = compiled(folder, 'x.js.map')
  const own = compiled(join(folder, '..', '..'), 'x.js.map')
  for (const file of [vendor, own]) writeFileSync(`${file}.map`, mapOf())
  const error = new Error('boom')
  error.stack = `Error: boom\n    at kit (${vendor}:3:5)\n    at run (${own}:3:5)`
  const nearest = nearestOwn(error, 2)
  assert.deepEqual([nearest?.file, nearest?.call], [join(own, '../../src/x.ts'), 'run'])
  assert.equal(nearestOwn(error, 1), null)
  rmSync(`${vendor}.map`)
  assert.equal(framesOf(error)[0]?.file, vendor)
})
