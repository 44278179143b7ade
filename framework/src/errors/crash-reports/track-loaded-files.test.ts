import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { pathToFileURL } from 'node:url'
import { fileOfFailedLoad, trackLoadedFiles } from './track-loaded-files.ts'

function plant(t: TestContext, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'framework-loaded-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'a b.mjs')
  writeFileSync(file, text)
  return file
}

async function failedImport(file: string): Promise<Error> {
  try {
    await import(pathToFileURL(file).href)
  } catch (thrown) {
    if (thrown instanceof Error) return thrown
  }
  throw new Error('it loaded')
}

test('the file of a failed load is known, even after other loads', async (t) => {
  t.after(trackLoadedFiles())
  const broken = plant(t, 'const a = ;')
  const error = await failedImport(broken)
  await import(pathToFileURL(plant(t, 'export {}')).href)
  assert.equal(fileOfFailedLoad(error), broken)
})

test('tracking continues until the last user has stopped it, and each stop counts once', async (t) => {
  const [first, second] = [trackLoadedFiles(), trackLoadedFiles()]
  first()
  first()
  const broken = plant(t, 'const a = ;')
  assert.equal(fileOfFailedLoad(await failedImport(broken)), broken)
  second()
  assert.equal(fileOfFailedLoad(await failedImport(plant(t, 'const a = ;'))), null)
})
