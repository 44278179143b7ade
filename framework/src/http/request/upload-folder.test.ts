import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { uploadsOf } from '../../../tests/support/multipart-form.ts'
import { makeUploadFolder, removeAbandonedUploads, removeUploadFolder } from './upload-folder.ts'

/** A folder as another process would have left it. */
async function leftBy(pid: number): Promise<string> {
  const own = await makeUploadFolder()
  const left = own.replace(`-${process.pid}-`, `-${pid}-`)
  if (left !== own) renameSync(own, left)
  await removeUploadFolder(own)
  mkdirSync(left, { recursive: true })
  writeFileSync(join(left, '0'), 'content')
  return left
}

test('the folders of ended processes are removed, and no others', async (t) => {
  const uploads = await uploadsOf(t)
  const ended = spawnSync(process.execPath, ['--version']).pid
  const [dead, alive, sameId] = [await leftBy(ended), await leftBy(1), await leftBy(process.pid)]
  const ours = await makeUploadFolder()
  mkdirSync(join(uploads, 'framework-upload-0-9999999-x'))
  mkdirSync(join(uploads, 'other'))
  await removeAbandonedUploads()
  assert.ok(!existsSync(dead))
  assert.ok(!existsSync(sameId))
  assert.ok(existsSync(alive))
  assert.ok(existsSync(ours))
  assert.equal(readdirSync(uploads).length, 4)
})

test('the folders of one process are removed when it is known to have ended', async (t) => {
  const uploads = await uploadsOf(t)
  const [dead, other] = [await leftBy(1), await leftBy(2)]
  await removeAbandonedUploads((pid) => pid === 1)
  assert.deepEqual(readdirSync(uploads), [other.slice(uploads.length + 1)])
  assert.ok(!existsSync(dead))
})

test('a temporary folder that cannot be read is no failure', async (t) => {
  const uploads = await uploadsOf(t)
  await removeUploadFolder(uploads)
  await removeAbandonedUploads()
})
