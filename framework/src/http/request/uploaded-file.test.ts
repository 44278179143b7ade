import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { UploadedFile, baseName } from './uploaded-file.ts'

async function folderFor(context: TestContext, parent = tmpdir()): Promise<string> {
  const folder = await mkdtemp(join(parent, 'framework-test-'))
  context.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function fileIn(folder: string): Promise<UploadedFile> {
  const path = join(folder, '0')
  await writeFile(path, 'content')
  return new UploadedFile({ field: 'f', filename: '../a.txt', type: 'text/plain', size: 7, path })
}

test('a file name keeps no folder, no control character and is never empty', () => {
  assert.equal(baseName('a.txt'), 'a.txt')
  assert.equal(baseName('/etc/passwd'), 'passwd')
  assert.equal(baseName('..\\..\\boot.ini'), 'boot.ini')
  assert.equal(baseName('C:\\x/y.png'), 'y.png')
  assert.equal(baseName('a\0b\r\n\u0085c.txt'), 'abc.txt')
  for (const nothing of ['', '.', '..', '../', 'a/..', '\0', ' '])
    assert.equal(baseName(nothing), 'unnamed')
})

test('a file can be read whole and as a stream', async (t) => {
  const file = await fileIn(await folderFor(t))
  assert.equal(file.filename, 'a.txt')
  assert.equal((await file.bytes()).toString(), 'content')
  assert.equal(Buffer.concat(await file.stream().toArray()).toString(), 'content')
})

test('a moved file is gone from where it was and is read from its new place', async (t) => {
  const folder = await folderFor(t)
  const file = await fileIn(folder)
  const to = join(folder, 'kept.txt')
  await file.move(to)
  assert.equal(file.path, to)
  assert.equal((await file.bytes()).toString(), 'content')
  assert.equal(existsSync(join(folder, '0')), false)
})

test('a move creates the folders that are missing', async (t) => {
  const folder = await folderFor(t)
  const file = await fileIn(folder)
  await file.move(join(folder, 'storage', 'receipts', 'a.txt'))
  assert.equal((await file.bytes()).toString(), 'content')
  assert.equal(existsSync(join(folder, '0')), false)
  await file.move(join(folder, 'elsewhere', 'a.txt'), { overwrite: true })
  assert.equal((await file.bytes()).toString(), 'content')
})

test('a move never replaces an existing file unless overwrite is set', async (t) => {
  const folder = await folderFor(t)
  const file = await fileIn(folder)
  const to = join(folder, 'taken.txt')
  await writeFile(to, 'mine')
  await assert.rejects(file.move(to), { code: 'E_UPLOAD_EXISTS' })
  assert.equal(await readFile(to, 'utf8'), 'mine')
  assert.equal((await file.bytes()).toString(), 'content')
  await file.move(to, { overwrite: true })
  assert.equal(await readFile(to, 'utf8'), 'content')
})

test('a move to another device copies, and still never replaces', async (t) => {
  const folder = await folderFor(t)
  // Where there is no second device this is a move like any other, and holds all the same.
  const other = await folderFor(t, existsSync('/dev/shm') ? '/dev/shm' : tmpdir())
  const first = await fileIn(folder)
  await first.move(join(other, 'a'))
  assert.equal(existsSync(join(folder, '0')), false)
  const second = await fileIn(folder)
  await assert.rejects(second.move(join(other, 'a')), { code: 'E_UPLOAD_EXISTS' })
  assert.equal((await stat(second.path)).size, 7)
  await second.move(join(other, 'a'), { overwrite: true })
  assert.equal(await readFile(join(other, 'a'), 'utf8'), 'content')
  assert.equal(existsSync(join(folder, '0')), false)
})

test('a move into what is no folder says so, and leaves the file', async (t) => {
  const folder = await folderFor(t)
  const file = await fileIn(folder)
  await assert.rejects(file.move(join(file.path, 'a')), { code: 'ENOTDIR' })
  assert.equal(existsSync(file.path), true)
})
