import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { TestContext } from 'node:test'
import { diskContract } from '../../tests/support/disk-contract.ts'
import { ApplicationKey } from '../settings/application-key.ts'
import type { Disk } from './disk.ts'
import { diskFrom } from './storage-settings.ts'

function folderOf(t: TestContext): string {
  const root = mkdtempSync(join(tmpdir(), 'framework-disk-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  return join(root, 'files')
}

const key = new ApplicationKey(createSecretKey(randomBytes(32)))

function open(folder: string): Promise<Disk> {
  const boot = { root: '/', server: { url: 'https://shop.example' } }
  return diskFrom({ url: `file:${folder}` }, boot, key)
}

describe('a disk in a folder', () => {
  diskContract((t) => open(folderOf(t)))

  test('files and folders are for their owner alone', async (t) => {
    const folder = folderOf(t)
    const disk = await open(folder)
    await disk.put('a/b', 'x')
    await disk.copy('a/b', 'a/c')
    const mode = (path: string): number => statSync(join(folder, path)).mode & 0o777
    assert.deepEqual(['', 'a', '.parts'].map(mode), [0o700, 0o700, 0o700])
    assert.deepEqual(['a/b', 'a/c'].map(mode), [0o600, 0o600])
  })

  test('nothing is left of what failed, and no key names what is unfinished', async (t) => {
    const folder = folderOf(t)
    const disk = await open(folder)
    await assert.rejects(disk.put('a', 'four', { maxBytes: 3 }))
    assert.ok(!existsSync(folder))
    await disk.put('b', 'x')
    assert.deepEqual(readdirSync(join(folder, '.parts')), [])
    await assert.rejects(disk.get('.parts/x'), { code: 'E_STORAGE_KEY' })
  })

  test('what killed processes left is removed after a day, and not what is being written', async (t) => {
    const folder = folderOf(t)
    mkdirSync(join(folder, '.parts'), { recursive: true })
    for (const name of ['old', 'new']) writeFileSync(join(folder, '.parts', name), 'x')
    const yesterday = Date.now() / 1000 - 90_000
    utimesSync(join(folder, '.parts/old'), yesterday, yesterday)
    await (await open(folder)).put('a', 'x')
    assert.deepEqual(readdirSync(join(folder, '.parts')), ['new'])
  })

  test('a folder that could not be made once is made by the next put', async (t) => {
    const folder = folderOf(t)
    const disk = await open(folder)
    writeFileSync(folder, 'a file')
    await assert.rejects(disk.put('a', 'x'), { code: 'E_STORAGE_KEY' })
    rmSync(folder)
    await disk.put('a', 'x')
  })

  test('links and folders are no objects', async (t) => {
    const folder = folderOf(t)
    const disk = await open(folder)
    await disk.put('a/b', 'x')
    symlinkSync('/etc/passwd', join(folder, 'link'))
    assert.equal(await disk.find('link'), null)
    assert.equal(await disk.find('a'), null)
    await assert.rejects(disk.get('a'), { code: 'E_STORAGE_MISSING' })
    await disk.delete('a')
    assert.notEqual(await disk.find('a/b'), null)
  })

  test('an object in the place of a folder is an error that says so', async (t) => {
    const disk = await open(folderOf(t))
    await disk.put('a', 'x')
    await assert.rejects(disk.put('a/b', 'x'), { code: 'E_STORAGE_KEY', message: /cannot both be/ })
    await disk.put('c/d', 'x')
    await assert.rejects(disk.put('c', 'x'), { code: 'E_STORAGE_KEY', message: /cannot both be/ })
  })
})
