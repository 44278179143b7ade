import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { exchangeOf as multipartExchange } from '../../../tests/support/multipart-form.ts'
import { HttpError } from '../errors/http-error.ts'
import type { Exchange } from '../server/engine/engine.ts'
import { completeLimits } from '../server/engine/limits.ts'
import { emptyForm, isForm, readForm } from './form.ts'
import type { Form } from './form.ts'

function exchangeOf(body: Readable, type: string, hasBody = true): Exchange {
  return { ...multipartExchange(body, { 'content-type': type }), hasBody }
}

function readUrlencoded(text: string | Buffer, limits = {}): Promise<Form> {
  const body = Readable.from([Buffer.from(text)])
  const type = 'application/x-www-form-urlencoded; charset=UTF-8'
  return readForm(exchangeOf(body, type), completeLimits(limits), null)
}

const refusedWith = (status: number) => (error: unknown) =>
  error instanceof HttpError && error.status === status

test('the two media types of forms are known', () => {
  assert.ok(isForm('application/x-www-form-urlencoded'))
  assert.ok(isForm('multipart/form-data'))
  assert.ok(!isForm('application/json'))
  assert.ok(!isForm('multipart/mixed'))
})

test('a urlencoded form gives the last value under a name and all of them when asked', async () => {
  const form = await readUrlencoded('a=1&b=two+words&a=%C3%A4')
  assert.deepEqual({ ...form.fields }, { a: 'ä', b: 'two words' })
  assert.deepEqual(form.all('a'), ['1', 'ä'])
  assert.deepEqual(form.all('none'), [])
  assert.deepEqual(form.files, [])
})

test('a field called __proto__ is a field and nothing else', async () => {
  const form = await readUrlencoded('__proto__=x&constructor=y')
  assert.equal(form.fields['__proto__'], 'x')
  assert.equal(Object.getPrototypeOf(form.fields), null)
  assert.equal(Object.hasOwn(Object.prototype, 'x'), false)
})

test('a thousand fields are read and one more is refused with 413', async () => {
  const fields = (count: number) => Array.from({ length: count }, (_, at) => `f${at}=`).join('&')
  assert.equal(Object.keys((await readUrlencoded(fields(1000))).fields).length, 1000)
  await assert.rejects(readUrlencoded(fields(1001)), refusedWith(413))
})

test('a urlencoded body above the limit is refused with 413', async () => {
  await assert.rejects(readUrlencoded(`a=${'x'.repeat(100)}`, { body: 50 }), refusedWith(413))
})

test('a urlencoded body that is not UTF-8 is refused with 400', async () => {
  await assert.rejects(readUrlencoded(Buffer.from([0x61, 0x3d, 0xff])), refusedWith(400))
})

test('a body of another type is refused with 415', async () => {
  const exchange = exchangeOf(Readable.from([Buffer.from('{}')]), 'application/json')
  await assert.rejects(readForm(exchange, completeLimits(), null), refusedWith(415))
})

test('a request without a body has an empty form', async () => {
  const form = await readForm(exchangeOf(Readable.from([]), '', false), completeLimits(), null)
  assert.equal(form, emptyForm)
  assert.deepEqual(form.all('a'), [])
  form.dispose()
})

test('a body that somebody else read is an error and not an endless wait', async () => {
  const body = Readable.from([Buffer.from('a=1')])
  await body.toArray()
  const exchange = exchangeOf(body, 'application/x-www-form-urlencoded')
  await assert.rejects(readForm(exchange, completeLimits(), null), { code: 'E_BODY_USED' })
})

test(
  'a body whose client has left is refused with 400 and not waited for',
  { timeout: 120_000 },
  async () => {
    const body = new Readable({ read() {} })
    body.destroy()
    await once(body, 'close')
    const exchange = exchangeOf(body, 'application/x-www-form-urlencoded')
    await assert.rejects(readForm(exchange, completeLimits(), null), refusedWith(400))
  },
)
