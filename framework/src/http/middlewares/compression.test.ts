import assert from 'node:assert/strict'
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { Environments } from '../../settings/environments.ts'
import type { Request } from '../request/request.ts'
import type { Response } from '../response/response.ts'
import type { InjectedResponse } from '../server/inject.ts'
import { Server } from '../server/server.ts'
import { Compression, isCompressible } from './compression.ts'
import type { CompressionOptions } from './compression.ts'

const page = '<p>a page that repeats itself</p>'.repeat(100)
const decoders = { br: brotliDecompressSync, gzip: gunzipSync, zstd: zstdDecompressSync }

function answerOf(
  handler: (request: Request, response: Response) => unknown,
  headers: Record<string, string> = { 'accept-encoding': 'br' },
  { method = 'GET', ...options }: CompressionOptions & { method?: string } = {},
): Promise<InjectedResponse> {
  const server = new Server({ environment: Environments.Test })
  server.use(new Compression(options))
  server.router.get('/', handler)
  return server.inject({ method, url: '/', headers })
}

const html = (_request: Request, response: Response): Response => response.html(page)

async function folderFor(context: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'framework-test-'))
  context.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

for (const encoding of ['br', 'zstd', 'gzip'] as const) {
  test(`a whole body is sent as ${encoding} when the client takes that`, async () => {
    const answer = await answerOf(html, { 'accept-encoding': encoding })
    assert.equal(answer.headers['content-encoding'], encoding)
    assert.equal(answer.headers['vary'], 'Accept-Encoding')
    assert.equal(answer.headers['content-length'], String(answer.bytes.length))
    assert.ok(answer.bytes.length < page.length / 5)
    assert.equal(decoders[encoding](answer.bytes).toString(), page)
  })

  test(`a large body is sent as ${encoding}, too`, async () => {
    const answer = await answerOf(() => page.repeat(100), { 'accept-encoding': encoding })
    assert.equal(answer.headers['content-encoding'], encoding)
    assert.equal(decoders[encoding](answer.bytes).toString(), page.repeat(100))
  })

  test(`a stream is sent as ${encoding} when the client takes that`, async () => {
    const stream = (_: Request, response: Response) =>
      response
        .stream(Readable.from([page, page]), 'text/html')
        .header('Content-Length', String(page.length * 2))
    const answer = await answerOf(stream, { 'accept-encoding': encoding })
    assert.equal(answer.headers['content-encoding'], encoding)
    assert.equal(answer.headers['content-length'], undefined)
    assert.equal(decoders[encoding](answer.bytes).toString(), page + page)
  })
}

test('among equally accepted encodings the configured order decides', async () => {
  const headers = { 'accept-encoding': 'gzip, br, zstd' }
  assert.equal((await answerOf(html, headers)).headers['content-encoding'], 'zstd')
  const answer = await answerOf(html, headers, { encodings: ['br', 'gzip'] })
  assert.equal(answer.headers['content-encoding'], 'br')
})

test('without Accept-Encoding the response is uncompressed, but has Vary', async () => {
  const answer = await answerOf(html, {})
  assert.equal(answer.headers['content-encoding'], undefined)
  assert.equal(answer.headers['vary'], 'Accept-Encoding')
  assert.equal(answer.text, page)
})

test('a small body stays plain unless the client refuses plain', async () => {
  const small = () => 'x'.repeat(1023)
  assert.equal((await answerOf(small)).headers['content-encoding'], undefined)
  assert.equal((await answerOf(() => 'x'.repeat(1024))).headers['content-encoding'], 'br')
  assert.equal(
    (await answerOf(small, undefined, { threshold: 10 })).headers['content-encoding'],
    'br',
  )
  const strict = await answerOf(small, { 'accept-encoding': 'identity;q=0, gzip' })
  assert.equal(strict.headers['content-encoding'], 'gzip')
  assert.equal(gunzipSync(strict.bytes).length, 1023)
})

test('the threshold counts bytes, not characters', async () => {
  assert.equal((await answerOf(() => 'ä'.repeat(512))).headers['content-encoding'], 'br')
})

for (const [what, handler] of Object.entries<(request: Request, response: Response) => unknown>({
  'an image': (_, response) => response.bytes(Buffer.alloc(5000), 'image/png'),
  'an event stream': (_, response) => response.stream(Readable.from([page]), 'text/event-stream'),
  'what is encoded already': (_, response) =>
    response.html(page).header('Content-Encoding', 'gzip'),
  'what may not be transformed': (_, response) =>
    response.html(page).header('Cache-Control', 'private, No-Transform'),
  'a part of something': (_, response) => response.html(page).status(206),
  'bytes without a type': (_, response) => response.bytes(Buffer.alloc(5000)),
})) {
  test(`${what} is left alone`, async () => {
    const answer = await answerOf(handler)
    assert.notEqual(answer.headers['content-encoding'], 'br')
    assert.ok(answer.bytes.length >= page.length)
  })
}

test('answers without a body are left alone', async () => {
  const answer = await answerOf((_, response) => response.empty())
  assert.equal(answer.status, 204)
  assert.equal(answer.headers['content-encoding'], undefined)
  assert.equal(
    (await answerOf((_, response) => response.html(''))).headers['content-encoding'],
    undefined,
  )
})

test('what does not get smaller is sent plain', async () => {
  const noise = crypto.getRandomValues(new Uint8Array(2000))
  const answer = await answerOf((_, response) => response.bytes(noise, 'text/plain'))
  assert.equal(answer.headers['content-encoding'], undefined)
  assert.deepEqual(answer.bytes, Buffer.from(noise))
})

test('a strong tag becomes weak, since the bytes are others', async () => {
  const tagged = (tag: string) => answerOf((_, response) => response.html(page).header('ETag', tag))
  assert.equal((await tagged('"x"')).headers['etag'], 'W/"x"')
  assert.equal((await tagged('W/"x"')).headers['etag'], 'W/"x"')
})

test('HEAD has the headers of GET and no body', async () => {
  const get = await answerOf(html)
  const head = await answerOf(html, undefined, { method: 'HEAD' })
  assert.equal(head.headers['content-encoding'], 'br')
  assert.equal(head.headers['content-length'], get.headers['content-length'])
  assert.equal(head.bytes.length, 0)
})

test('files, small and large, are compressed, and their HEAD promises no wrong length', async (t) => {
  const folder = await folderFor(t)
  for (const size of [10_000, 200_000]) {
    const path = join(folder, `${size}.txt`)
    await writeFile(path, 'x'.repeat(size))
    await utimes(path, 1_000_000, 1_000_000)
    const handler = (_: Request, response: Response) => response.file(path)
    const get = await answerOf(handler)
    assert.equal(get.headers['content-encoding'], 'br')
    assert.equal(get.headers['accept-ranges'], undefined)
    assert.match(get.headers['etag'] ?? '', /^W\//)
    assert.equal(brotliDecompressSync(get.bytes).length, size)
    const head = await answerOf(handler, undefined, { method: 'HEAD' })
    assert.equal(head.headers['content-encoding'], 'br')
    assert.equal(head.headers['content-length'], undefined)
    const again = await answerOf(handler, {
      'accept-encoding': 'br',
      'if-none-match': get.headers['etag'] ?? '',
    })
    assert.equal(again.status, 304)
    const part = await answerOf(handler, { 'accept-encoding': 'br', range: 'bytes=0-4' })
    assert.equal(part.text, 'xxxxx')
    assert.equal(part.headers['content-encoding'], undefined)
  }
})

test('a source that fails before anything was sent is a plain 500', async () => {
  const broken = Readable.from(
    (async function* () {
      yield page
      await Promise.resolve()
      throw new Error('the source broke')
    })(),
  )
  const { status, headers } = await answerOf((_, response) => response.stream(broken, 'text/html'))
  assert.deepEqual([status, headers['content-encoding']], [500, undefined])
})

test('a response that is dropped lets go of the source behind the encoder', async () => {
  const source = new Readable({ read() {} })
  const server = new Server({ environment: Environments.Test })
  server.use((_request, response, next) => {
    next()
    return response.text('something else')
  })
  server.use(new Compression())
  server.router.get('/', (_request, response) => response.stream(source, 'text/html'))
  const answer = await server.inject({ url: '/', headers: { 'accept-encoding': 'br' } })
  assert.equal(answer.text, 'something else')
  if (!source.closed) await new Promise((resolve) => source.once('close', resolve))
  assert.equal(source.destroyed, true)
})

test('compressible types are distinguished from others', () => {
  for (const type of [
    'text/html; charset=utf-8',
    'Application/JSON',
    'application/problem+json',
    'application/atom+xml; charset=utf-8',
    'image/svg+xml',
    'application/manifest+json',
    'text/javascript',
    'font/ttf',
  ]) {
    assert.ok(isCompressible(type), type)
  }
  for (const type of [
    'text/event-stream',
    'image/png',
    'font/woff2',
    'application/zip',
    'video/mp4',
    '',
  ]) {
    assert.ok(!isCompressible(type), type)
  }
})
