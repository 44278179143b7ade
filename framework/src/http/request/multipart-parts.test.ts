import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import {
  assertNothingLeft,
  encode,
  exchangeOf,
  field,
  file,
  read,
  split,
  uploadsOf,
} from '../../../tests/support/multipart-form.ts'
import { waitFor } from '../../../tests/support/wait-for.ts'
import { HttpError } from '../errors/http-error.ts'
import { completeLimits } from '../server/engine/limits.ts'
import { readForm } from './form.ts'
import type { Form } from './form.ts'
import type { Values } from './query.ts'
import { ProcessUploads } from './upload-budget.ts'

const refused = (status: number) => (error: unknown) => {
  assert.ok(error instanceof HttpError)
  assert.equal(error.status, status)
  return true
}

test('where no files are accepted a file is refused with 415 before a byte of it reaches the disk', async (t) => {
  // Anything written here would fail with ENOENT.
  await rm(await uploadsOf(t), { recursive: true })
  const body = encode(field('a', '1'), file('f', 'a', Buffer.alloc(3_000_000)), file('f', 'b', 'x'))
  for (const chunk of [10, 65_536, body.length]) {
    const exchange = exchangeOf(Readable.from(split(body, chunk)), {
      'content-length': String(body.length),
    })
    await assert.rejects(readForm(exchange, completeLimits(), null), refused(415))
  }
  const fields = encode(field('a', '1'), file('empty', '', ''))
  const form = await readForm(exchangeOf(Readable.from([fields])), completeLimits(), null)
  assert.deepEqual({ ...form.fields }, { a: '1' })
})

test('where no files are accepted the fields may still not be larger than a body', async () => {
  const body = encode(field('a', 'x'.repeat(2000)))
  const exchange = exchangeOf(Readable.from(split(body, 100)))
  await assert.rejects(readForm(exchange, completeLimits({ body: 1000 }), null), refused(413))
})

test('a file of a type that is not accepted is refused with 415, unstored', async (t) => {
  await rm(await uploadsOf(t), { recursive: true })
  const body = encode(file('f', 'a.svg', '<svg/>'))
  await assert.rejects(read(body, {}, 1000, { types: ['image/*'] }), refused(415))
})

test('files together may not be larger than their total', async (t) => {
  const uploads = await uploadsOf(t)
  const body = encode(file('f', 'a', Buffer.alloc(600)), file('f', 'b', Buffer.alloc(600)))
  await assert.rejects(read(body, {}, 100, { total: 1199 }), refused(413))
  assertNothingLeft(uploads)
  assert.equal((await read(body, {}, 100, { total: 1200 })).files.length, 2)
})

test('a form is admitted once, with the fields before its first file, before anything is stored', async (t) => {
  const uploads = await uploadsOf(t)
  const body = encode(
    field('a', '1'),
    field('b', 'x'.repeat(100)),
    file('f', 'a', 'one'),
    field('c', '3'),
    file('f', 'b', 'two'),
  )
  for (const chunk of [7, body.length]) {
    const seen: unknown[] = []
    const admit = async (fields: Values): Promise<void> => {
      seen.push({ ...fields })
      await new Promise(setImmediate)
      assert.deepEqual(readdirSync(uploads), [])
    }
    const form = await read(body, {}, chunk, { admit })
    assert.equal(form.files.length, 2)
    assert.deepEqual(seen, [{ a: '1', b: 'x'.repeat(100) }])
    form.dispose()
    while (readdirSync(uploads).length > 0) await new Promise(setImmediate)
  }
})

test('a form that is not admitted is refused with the error of the check, and stores nothing', async (t) => {
  await rm(await uploadsOf(t), { recursive: true })
  const body = encode(file('f', 'a', 'one'), field('token', 'late'), file('f', 'b', 'two'))
  const admit = async (): Promise<void> => {
    await new Promise(setImmediate)
    throw new HttpError(403)
  }
  for (const chunk of [7, body.length]) {
    await assert.rejects(read(body, {}, chunk, { admit }), refused(403))
  }
})

test('beyond the budget an upload is refused as overload, and what it took is free again', async (t) => {
  const uploads = await uploadsOf(t)
  const budget = new ProcessUploads(1000)
  const upload = (bytes: number): Promise<Form> =>
    read(encode(file('f', 'a', Buffer.alloc(bytes))), {}, 100, { budget })
  const first = await upload(600)
  await assert.rejects(upload(401), { name: 'OverloadedError', retryAfter: 10 })
  const second = await upload(400)
  await assert.rejects(upload(1), { name: 'OverloadedError' })
  first.dispose()
  first.dispose()
  second.dispose()
  await waitFor('the whole budget', () => budget.take(1000))
  assert.deepEqual(readdirSync(uploads), [])
  assert.equal(budget.take(1), false)
})
