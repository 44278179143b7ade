import assert from 'node:assert/strict'
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { FileLane } from './file-lane.ts'
import type { RawMessage } from './raw-message.ts'

function folder(t: TestContext): string {
  const root = mkdtempSync(join(tmpdir(), 'framework-mails-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  return join(root, 'storage', 'mails')
}

function message(text = 'Subject: Hello\r\n\r\nHi\r\n'): RawMessage {
  return {
    id: 'a@b',
    from: 'shop@example.org',
    to: ['ada@example.org', 'eve@example.org'],
    raw: Buffer.from(text),
  }
}

test('a message is a file named after the second and its place in it, for the owner only', async (t) => {
  const path = folder(t)
  let now = 1_700_000_000.9
  const lane = new FileLane(path, { clock: () => now })
  await lane.send(message())
  await lane.send(message())
  now += 1
  await lane.send(message())
  assert.deepEqual(readdirSync(path).sort(), [
    '1700000000-0001.eml',
    '1700000000-0002.eml',
    '1700000001-0001.eml',
  ])
  assert.equal(statSync(join(path, '1700000000-0001.eml')).mode & 0o777, 0o600)
  assert.equal(statSync(path).mode & 0o777, 0o700)
})

test('a dry run leaves no file', async (t) => {
  const path = folder(t)
  const lane = new FileLane(path, { clock: () => 1 })
  await lane.dryRun(message())
  assert.deepEqual(readdirSync(path), [])
  await lane.send(message())
  assert.equal(readdirSync(path).length, 1)
})

test('the file starts with the envelope sender and recipients', async (t) => {
  const path = folder(t)
  await new FileLane(path, { clock: () => 1 }).send(message())
  assert.equal(
    readFileSync(join(path, '1-0001.eml'), 'utf8'),
    'Return-Path: <shop@example.org>\r\nDelivered-To: ada@example.org\r\n' +
      'Delivered-To: eve@example.org\r\nSubject: Hello\r\n\r\nHi\r\n',
  )
})

test('names that are taken are never used again, and drafts do not stay', async (t) => {
  const path = folder(t)
  mkdirSync(path, { recursive: true })
  writeFileSync(join(path, '5-0001.eml'), 'of another worker')
  const lane = (): FileLane => new FileLane(path, { clock: () => 5 })
  const lanes = [lane(), lane(), lane()]
  const texts = Array.from({ length: 60 }, (_, at) => `message ${at}`)
  const share = (at: number): string[] => texts.filter((_, number) => number % 3 === at)
  const sending = lanes.flatMap((one, at) => share(at).map((text) => one.send(message(text))))
  await Promise.all(sending)
  const files = readdirSync(path).filter((name) => /^5-\d{4}\.eml$/.test(name))
  assert.equal(readFileSync(join(path, '5-0001.eml'), 'utf8'), 'of another worker')
  const written = files.map(
    (name) => readFileSync(join(path, name), 'utf8').split('\r\n').at(-1) ?? '',
  )
  assert.deepEqual(written.sort(), ['of another worker', ...texts].sort())
  assert.deepEqual(
    readdirSync(path).filter((name) => name.startsWith('.')),
    [],
  )
})

test('a folder that cannot be had is an error, and leaves nothing behind', async (t) => {
  const path = folder(t)
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, 'a file')
  await assert.rejects(new FileLane(path).send(message()), { code: 'E_UNWRITABLE' })
})
