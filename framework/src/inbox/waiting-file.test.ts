import assert from 'node:assert/strict'
import {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { WaitingFile } from './waiting-file.ts'

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'framework-waiting-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const line = (number: number, length = 20): string =>
  JSON.stringify({ number, text: 'x'.repeat(length) })

test('lines wait in a private file, in a private folder, until they are taken once', async (t) => {
  const folder = join(folderOf(t), 'storage')
  const path = join(folder, 'waiting.jsonl')
  const file = new WaitingFile(path)
  file.create()
  assert.equal(await file.take(), null)
  assert.deepEqual(await file.append([line(1), line(2)]), [])
  file.appendSync([line(3)])
  assert.equal(statSync(path).mode & 0o777, 0o600)
  assert.equal(statSync(folder).mode & 0o777, 0o700)
  const taken = await file.take()
  assert.deepEqual(taken?.lines, [line(1), line(2), line(3)])
  assert.equal(await file.take(), null)
  await taken?.done()
  assert.deepEqual(readdirSync(folder), ['waiting.jsonl'])
})

test('a line that was being written while lines were taken waits for the next time', async (t) => {
  const path = join(folderOf(t), 'waiting.jsonl')
  const file = new WaitingFile(path)
  await file.append([line(1)])
  const writer = openSync(path, 'a')
  const taken = await file.take()
  writeSync(writer, `${line(2)}\n`)
  closeSync(writer)
  await taken?.done()
  assert.deepEqual(taken?.lines, [line(1)])
  assert.deepEqual((await file.take())?.lines, [line(2)])
})

test('of many processes one takes each line', async (t) => {
  const path = join(folderOf(t), 'waiting.jsonl')
  const files = Array.from({ length: 8 }, () => new WaitingFile(path))
  const seen: string[] = []
  await Promise.all(
    files.map(async (file, at) => {
      assert.deepEqual(await file.append([line(at)]), [])
      const taken = await file.take()
      seen.push(...(taken?.lines ?? []))
      await taken?.done()
    }),
  )
  seen.push(...((await files[0]?.take())?.lines ?? []))
  assert.deepEqual(
    seen.toSorted(),
    files.map((_, at) => line(at)),
  )
})

test('it holds at most 1 MiB: the oldest lines make room', async (t) => {
  const path = join(folderOf(t), 'waiting.jsonl')
  const file = new WaitingFile(path)
  const kibibytes = 100
  const dropped: string[] = []
  for (let number = 0; number < 25; number += 1) {
    dropped.push(...(await file.append([line(number, kibibytes * 1024)])))
    assert.ok(statSync(path).size <= 1_048_576)
  }
  const taken = await file.take()
  const lines = [...dropped, ...(taken?.lines ?? [])]
  assert.deepEqual(
    lines.map((text): number => JSON.parse(text).number),
    Array.from({ length: 25 }, (_, number) => number),
  )
  assert.ok(dropped.length > 0 && dropped.length < 25)
})

test('last words need the file, and a full one takes no more', async (t) => {
  const path = join(folderOf(t), 'waiting.jsonl')
  const file = new WaitingFile(path)
  file.appendSync([line(1)])
  assert.equal(await file.take(), null)
  file.create()
  for (let number = 0; number < 30; number += 1) file.appendSync([line(number, 100 * 1024)])
  assert.ok(statSync(path).size <= 1_048_576 + 65_536)
  assert.ok(readFileSync(path, 'utf8').endsWith('\n'))
})

test('lines of a process that died before it had stored them are taken again', async (t) => {
  const folder = folderOf(t)
  const path = join(folder, 'waiting.jsonl')
  await new WaitingFile(path).append([line(1)])
  await new WaitingFile(path).take()
  assert.equal(await new WaitingFile(path).take(), null)
  const left = readdirSync(folder).find((name) => name !== 'waiting.jsonl') ?? ''
  const longAgo = Date.now() / 1000 - 601
  utimesSync(join(folder, left), longAgo, longAgo)
  assert.deepEqual((await new WaitingFile(path).take())?.lines, [line(1)])
})
