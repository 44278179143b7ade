import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { open, rm, stat } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import {
  assertNothingLeft,
  encode,
  exchangeOf,
  field,
  file,
  openFilesBelow,
  read,
  readFrom,
  uploadsOf,
} from '../../../tests/support/multipart-form.ts'

test('fields and files come in order, however the network cuts the body', async (t) => {
  await uploadsOf(t)
  const content = Buffer.from(`\r\n--A\r\n--\r\n-B${'x'.repeat(300)}\r`)
  const body = encode(
    field('a', 'one'),
    file('photo', 'C:\\dir\\ä.png', content),
    field('empty', ''),
    field('a', 'zwei ü'),
    file('doc', 'b.txt', ''),
  )
  for (const size of [1, 2, 3, 5, 7, 16, 61, 64, 1000]) {
    const form = await read(body, {}, size)
    assert.deepEqual({ ...form.fields }, { a: 'zwei ü', empty: '' }, `in pieces of ${size}`)
    assert.deepEqual(form.all('a'), ['one', 'zwei ü'])
    const [photo, doc] = form.files
    assert.equal(photo?.filename, 'ä.png')
    assert.equal(photo?.field, 'photo')
    assert.equal(photo?.type, 'text/x-test')
    assert.equal(photo?.size, content.length)
    assert.deepEqual(await photo?.bytes(), content)
    assert.equal(doc?.size, 0)
    form.dispose()
  }
})

test('what browsers encode is understood', async (t) => {
  await uploadsOf(t)
  const data = new FormData()
  data.append('title', 'Grüße "x"')
  data.append('upload', new File(['hello'], 'näme "q".txt', { type: 'text/plain' }))
  data.append('nothing', new File([], ''))
  const encoded = new Response(data)
  const body = Readable.from([Buffer.from(await encoded.arrayBuffer())])
  const type = encoded.headers.get('content-type') ?? ''
  const form = await readFrom(exchangeOf(body, { 'content-type': type }))
  assert.equal(form.fields['title'], 'Grüße "x"')
  assert.equal(form.files.length, 1)
  assert.equal(form.files[0]?.filename, 'näme %22q%22.txt')
})

test('a form without files makes no folder', async (t) => {
  const uploads = await uploadsOf(t)
  await read(encode(field('a', '1')))
  assertNothingLeft(uploads)
})

test('a file input left empty is no file', async (t) => {
  const uploads = await uploadsOf(t)
  const form = await read(encode(file('photo', '', ''), field('a', '1')))
  assert.deepEqual(form.files, [])
  assert.equal(form.fields['a'], '1')
  assertNothingLeft(uploads)
})

test('the folder is private, and dispose removes it', async (t) => {
  const uploads = await uploadsOf(t)
  const form = await read(encode(file('f', 'a', 'x'), file('f', 'b', 'y')))
  const folder = dirname(form.files[0]?.path ?? '')
  assert.equal((await stat(folder)).mode & 0o777, 0o700)
  assert.equal(readdirSync(folder).length, 2)
  form.dispose()
  while (existsSync(folder)) await new Promise(setImmediate)
  assertNothingLeft(uploads)
})

test('a field called __proto__ is a field and nothing else', async () => {
  const form = await read(encode(field('__proto__', 'x')))
  assert.equal(form.fields['__proto__'], 'x')
  assert.equal(Object.getPrototypeOf(form.fields), null)
})

test('an empty form is a form', async () => {
  assert.deepEqual({ ...(await read('--B--\r\n')).fields }, {})
})

test('text before the first and after the last boundary is ignored', async () => {
  const form = await read(
    `preamble\r\n${encode(field('a', '1')).toString()}epilogue ${'x'.repeat(5000)}`,
  )
  assert.equal(form.fields['a'], '1')
})

test(
  'a file that arrives in one piece with the end of the form is taken',
  { timeout: 120_000 },
  async (t) => {
    await uploadsOf(t)
    const body = encode(file('f', 'a', Buffer.alloc(300_000, 'x')))
    const form = await read(Buffer.concat([body, Buffer.from('epilogue')]), {}, body.length)
    assert.equal(form.files[0]?.size, 300_000)
  },
)

test('a file at the limit is taken and one byte more is refused with 413', async (t) => {
  const uploads = await uploadsOf(t)
  const big = (bytes: number) =>
    encode(file('f', 'small', 'x'), file('f', 'big', Buffer.alloc(bytes)))
  const form = await read(big(200_000), { fileBytes: 200_000 }, 65_536)
  assert.equal(form.files[1]?.size, 200_000)
  form.dispose()
  while (readdirSync(uploads).length > 0) await new Promise(setImmediate)
  await assert.rejects(read(big(200_001), { fileBytes: 200_000 }, 65_536), { status: 413 })
  assertNothingLeft(uploads)
})

test('one file more than allowed is refused with 413 and none stays', async (t) => {
  const uploads = await uploadsOf(t)
  const files = Array.from({ length: 3 }, (_, at) => file('f', `${at}`, 'content'))
  for (const chunk of [10, 10_000]) {
    await assert.rejects(read(encode(...files), { files: 2 }, chunk), { status: 413 })
    assertNothingLeft(uploads)
  }
  assert.equal((await read(encode(...files), { files: 3 })).files.length, 3)
})

test('fields together may not be larger than a body, and more than a thousand are refused', async () => {
  const two = encode(field('a', 'x'.repeat(60)), field('b', 'x'.repeat(60)))
  assert.equal((await read(two, { body: 300 })).fields['b']?.length, 60)
  await assert.rejects(read(two, { body: 100 }), { status: 413 })
  const many = Array.from({ length: 1001 }, (_, at) => field(`f${at}`, ''))
  assert.equal(Object.keys((await read(encode(...many.slice(1)))).fields).length, 1000)
  await assert.rejects(read(encode(...many)), { status: 413 })
})

test('a body beyond all limits together is refused with 413, announced or not', async (t) => {
  const uploads = await uploadsOf(t)
  const limits = { body: 1000, files: 1, fileBytes: 1000 }
  await assert.rejects(read(`${'x'.repeat(3000)}\r\n--B--`, limits), { status: 413 })
  const announced = exchangeOf(new Readable({ read() {} }), { 'content-length': '3000' })
  await assert.rejects(readFrom(announced, limits), { status: 413 })
  assertNothingLeft(uploads)
})

for (const [what, body] of Object.entries({
  'that ends inside a field': '--B\r\nContent-Disposition: form-data; name="a"\r\n\r\nunfinis',
  'that ends inside a file':
    '--B\r\nContent-Disposition: form-data; name="a"; filename="x"\r\n\r\nunfinis',
  'that ends inside a head': '--B\r\nContent-Disposition: form-da',
  'without any boundary': 'nothing of the kind',
  'with another boundary': encode(field('a', '1')).toString().replaceAll('--B', '--C'),
  'with a part without a head': '--B\r\nfoo\r\n--B--\r\n',
  'with a part without a head between others': `--B\r\nfoo\r\n${encode(field('a', '1')).toString()}`,
  'with a part without a name': '--B\r\nContent-Disposition: form-data\r\n\r\nx\r\n--B--\r\n',
  'with a part that is no form data': '--B\r\nContent-Type: text/plain\r\n\r\nx\r\n--B--\r\n',
  'with a broken header line': '--B\r\n: x\r\n\r\nx\r\n--B--\r\n',
})) {
  test(`a body ${what} is refused with 400 and leaves nothing`, { timeout: 120_000 }, async (t) => {
    const uploads = await uploadsOf(t)
    for (const chunk of [1, 10, 10_000]) {
      const before = encode(file('f', 'first', 'content'))
        .toString()
        .replace('--B--\r\n', '')
      await assert.rejects(read(before + body, {}, chunk), { status: 400 }, `in pieces of ${chunk}`)
      await assert.rejects(read(body, {}, chunk), { status: 400 })
      assertNothingLeft(uploads)
    }
  })
}

test(
  'a part without a head after a large file does not stop everything',
  { timeout: 120_000 },
  async (t) => {
    const uploads = await uploadsOf(t)
    const before = encode(file('f', 'a', Buffer.alloc(100_000, 'x')))
      .toString()
      .replace('--B--\r\n', '')
    await assert.rejects(read(`${before}--B\r\r\n--B--\r\n`, {}, 1_000_000), { status: 400 })
    assertNothingLeft(uploads)
  },
)

test('a field that is not UTF-8 is refused with 400', async () => {
  const body = encode({
    head: 'Content-Disposition: form-data; name="a"',
    content: Buffer.from([0xff]),
  })
  await assert.rejects(read(body), { status: 400 })
})

test('a compressed body is refused with 415', async () => {
  const exchange = exchangeOf(Readable.from([encode()]), { 'content-encoding': 'gzip' })
  await assert.rejects(readFrom(exchange), { status: 415 })
})

for (const [how, leave] of Object.entries({
  'closes its connection': (body: Readable) => body.destroy(),
  'resets its connection': (body: Readable) => body.destroy(new Error('ECONNRESET')),
})) {
  test(`when the client ${how} mid-file, nothing stays on disk and no file stays open`, async (t) => {
    const uploads = await uploadsOf(t)
    const body = new Readable({ read() {} })
    const reading = readFrom(exchangeOf(body))
    const bytes = encode(file('f', 'first', 'done'), file('f', 'second', Buffer.alloc(500_000)))
    body.push(bytes.subarray(0, 400_000))
    while (openFilesBelow(uploads).length === 0 && existsSync('/proc/self/fd'))
      await new Promise(setImmediate)
    leave(body)
    await assert.rejects(reading, { status: 400 })
    assertNothingLeft(uploads)
  })
}

test('when the client leaves before the folder is made, it is removed all the same', async (t) => {
  const uploads = await uploadsOf(t)
  const body = new Readable({ read() {} })
  const reading = readFrom(exchangeOf(body))
  body.push(encode(file('f', 'a', Buffer.alloc(100_000))).subarray(0, 50_000))
  body.once('data', () => body.destroy())
  await assert.rejects(reading, { status: 400 })
  assertNothingLeft(uploads)
})

test('a disk that cannot be written to is a failure of ours', async (t) => {
  const uploads = await uploadsOf(t)
  await rm(uploads, { recursive: true })
  await assert.rejects(read(encode(file('f', 'a', 'x'))), { code: 'ENOENT' })
})

test('a file is written 256 KiB at a time, once the budget has room for that', async (t) => {
  await uploadsOf(t)
  const content = randomBytes(600_000)
  const taken: number[] = []
  const budget = { take: (bytes: number) => taken.push(bytes) > 0, give() {} }
  const form = await read(encode(file('a', 'a.bin', content)), {}, 1000, { budget })
  t.after(() => form.dispose())
  assert.ok(
    taken.length > 1 && taken.slice(0, -1).every((bytes) => bytes >= 256 * 1024),
    taken.join(' '),
  )
  assert.equal(
    taken.reduce((sum, bytes) => sum + bytes),
    content.length,
  )
  assert.ok((await form.files[0]?.bytes())?.equals(content))
})

test('what a disk takes only in part is written to the end', async (t) => {
  const folder = await uploadsOf(t)
  const handle = await open(join(folder, 'any'), 'w')
  await handle.close()
  t.mock.method(
    Object.getPrototypeOf(handle),
    'writev',
    function (this: FileHandle, [first = Buffer.alloc(0)]: readonly Buffer[]) {
      return this.write(first)
    },
  )
  const content = randomBytes(300_000)
  const form = await read(encode(file('a', 'a.bin', content)))
  t.after(() => form.dispose())
  assert.ok((await form.files[0]?.bytes())?.equals(content))
})
