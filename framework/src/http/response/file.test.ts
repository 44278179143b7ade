import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, truncateSync } from 'node:fs'
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { after, before, describe, test } from 'node:test'
import { openFilesBelow } from '../../../tests/support/multipart-form.ts'
import { KeptFiles, fileResponse } from './file.ts'
import type { FileResponse, FileOptions } from './file.ts'

const modified = new Date('2024-05-06T07:08:09Z')
const modifiedText = 'Mon, 06 May 2024 07:08:09 GMT'
const letters = 'abcdefghijklmnopqrstuvwxyz'
const largeSize = 300_000
let folder = ''

/** Bytes of which no part is like another. */
function numbered(length: number): Buffer {
  return Buffer.from(
    Uint32Array.from({ length: Math.ceil(length / 4) }, (_, at) => at).buffer,
    0,
    length,
  )
}

interface Read {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  readonly body: FileResponse['body']
}

async function send(
  name: string,
  headers: Record<string, string> = {},
  options: FileOptions = {},
  method = 'GET',
): Promise<Read> {
  const answer = await fileResponse(join(folder, name), { method, headers }, options)
  const { body } = answer
  const bytes =
    body instanceof Readable ? Buffer.concat(await body.toArray()) : Buffer.from(body ?? '')
  return {
    status: answer.status,
    headers: Object.fromEntries(answer.headers),
    text: bytes.toString(),
    body,
  }
}

describe('a file as an answer', () => {
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'framework-test-'))
    await writeFile(join(folder, 'letters.txt'), letters)
    await writeFile(join(folder, 'empty.txt'), '')
    await writeFile(join(folder, 'large.bin'), Buffer.alloc(largeSize, 'x'))
    for (const name of ['letters.txt', 'empty.txt', 'large.bin'])
      await utimes(join(folder, name), modified, modified)
  })

  after(() => rm(folder, { recursive: true, force: true }))

  test('a small file comes as bytes with its type and validators', async () => {
    const answer = await send('letters.txt')
    assert.equal(answer.status, 200)
    assert.equal(answer.text, letters)
    assert.ok(answer.body instanceof Uint8Array)
    assert.equal(answer.headers['Content-Type'], 'text/plain; charset=utf-8')
    assert.equal(answer.headers['Last-Modified'], modifiedText)
    assert.match(answer.headers['ETag'] ?? '', /^"[\w-]+"$/)
    assert.equal(answer.headers['Accept-Ranges'], 'bytes')
    assert.equal(answer.headers['Cache-Control'], undefined)
    assert.equal(answer.headers['Content-Length'], undefined)
    assert.deepEqual(openFilesBelow(folder), [])
  })

  test('a large file is streamed with its Content-Length', async () => {
    const answer = await send('large.bin')
    assert.equal(answer.headers['Content-Length'], String(largeSize))
    assert.equal(answer.text.length, largeSize)
    assert.equal(answer.headers['Content-Type'], 'application/octet-stream')
    assert.deepEqual(openFilesBelow(folder), [])
  })

  test('an unread stream closes its file when it is destroyed', async () => {
    const { body } = await fileResponse(join(folder, 'large.bin'), { method: 'GET', headers: {} })
    assert.ok(body instanceof Readable)
    body.destroy()
    await once(body, 'close')
    assert.deepEqual(openFilesBelow(folder), [])
  })

  test('a stream that is left in the middle closes its file', async () => {
    const { body } = await fileResponse(join(folder, 'large.bin'), { method: 'GET', headers: {} })
    assert.ok(body instanceof Readable)
    await once(body, 'readable')
    body.destroy()
    await once(body, 'close')
    assert.deepEqual(openFilesBelow(folder), [])
  })

  async function sendTo(receiver: Writable, size = largeSize): Promise<void> {
    const path = join(folder, 'sent.bin')
    await writeFile(path, numbered(size))
    const { body } = await fileResponse(path, { method: 'GET', headers: {} })
    assert.ok(body instanceof Readable && 'sendTo' in body && typeof body.sendTo === 'function')
    await once(body, 'readable')
    await body.sendTo(receiver)
    assert.equal(body.destroyed, true)
    assert.deepEqual(openFilesBelow(folder), [])
  }

  test('a file that writes itself waits until the receiver is done with a chunk', async () => {
    const parts: Buffer[] = []
    const receiver = new Writable({
      write(chunk: Buffer, _encoding, done) {
        setImmediate(() => {
          parts.push(Buffer.from(chunk))
          done()
        })
      },
    })
    await sendTo(receiver, 1_000_003)
    assert.ok(Buffer.concat(parts).equals(numbered(1_000_003)))
  })

  test(
    'a file that writes itself is closed if the receiver closes in the middle',
    { timeout: 60_000 },
    async () => {
      const receiver: Writable = new Writable({ write: () => receiver.destroy() })
      await sendTo(receiver)
    },
  )

  test('a file that shrinks while it writes itself fails', async () => {
    const receiver = new Writable({
      write(_chunk, _encoding, done) {
        truncateSync(join(folder, 'sent.bin'), 100)
        done()
      },
    })
    await assert.rejects(sendTo(receiver), /became shorter/)
    assert.deepEqual(openFilesBelow(folder), [])
  })

  test('files in memory have a limit, and what was not looked at for longest leaves', async (t) => {
    const nowMs = Date.now() + 10_000
    t.mock.method(Date, 'now', () => nowMs)
    const kept = new KeptFiles()
    const request = { method: 'GET', headers: {} }
    const names = Array.from({ length: 33 }, (_, at) => join(folder, `kept-${at}`))
    for (const name of names) {
      await writeFile(name, '')
      truncateSync(name, 1_048_576)
      await fileResponse(name, request, {}, kept)
      await fileResponse(names[0] ?? '', request, {}, kept)
    }
    const missing = names.filter((name) => kept.get(name) === undefined)
    assert.deepEqual(missing, [names[1]])
    truncateSync(names[0] ?? '', 1_048_577)
    await fileResponse(names[0] ?? '', { method: 'HEAD', headers: {} }, {}, kept)
    assert.equal(kept.get(names[0] ?? ''), undefined)
    await fileResponse(names[1] ?? '', request, {}, kept)
    assert.equal(names.filter((name) => kept.get(name) === undefined).length, 1)
  })

  test('a file that shrinks while it is sent fails the stream instead of cutting it short', async () => {
    const path = join(folder, 'shrinking.bin')
    await writeFile(path, Buffer.alloc(largeSize))
    const { body } = await fileResponse(path, { method: 'GET', headers: {} })
    assert.ok(body instanceof Readable)
    truncateSync(path, 100_000)
    await assert.rejects(body.toArray(), /became shorter/)
    assert.deepEqual(openFilesBelow(folder), [])
  })

  test('HEAD has the headers of GET, the length too, and no file stays open', async () => {
    for (const [name, size] of [
      ['letters.txt', 26],
      ['large.bin', largeSize],
      ['empty.txt', 0],
    ] as const) {
      const answer = await send(name, { range: 'bytes=0-1' }, {}, 'HEAD')
      assert.equal(answer.status, 200)
      assert.ok(answer.body instanceof Readable)
      assert.equal(answer.headers['Content-Length'], String(size))
      assert.equal(answer.text, '')
      assert.deepEqual(openFilesBelow(folder), [])
    }
  })

  for (const [range, expected] of Object.entries({
    'bytes=0-0': ['a', '0-0'],
    'bytes=2-4': ['cde', '2-4'],
    'bytes=24-': ['yz', '24-25'],
    'bytes=-3': ['xyz', '23-25'],
    'bytes=-1000': [letters, '0-25'],
    'bytes=20-1000': ['uvwxyz', '20-25'],
    'bytes=0-99999999999999999999999': [letters, '0-25'],
    'Bytes=0-1': ['ab', '0-1'],
  })) {
    test(`${range} answers 206 with that part`, async () => {
      const answer = await send('letters.txt', { range })
      assert.equal(answer.status, 206)
      assert.equal(answer.text, expected[0])
      assert.equal(answer.headers['Content-Range'], `bytes ${expected[1]}/26`)
    })
  }

  test('a large range is streamed with the length of the range', async () => {
    const answer = await send('large.bin', { range: 'bytes=100000-249999' })
    assert.equal(answer.status, 206)
    assert.equal(answer.headers['Content-Length'], '150000')
    assert.equal(answer.headers['Content-Range'], `bytes 100000-249999/${largeSize}`)
    assert.equal(answer.text.length, 150_000)
  })

  for (const range of ['bytes=26-', 'bytes=100-200', 'bytes=-0', 'bytes=99999999999999999999-']) {
    test(`${range} lies outside and answers 416 with the size`, async () => {
      const answer = await send('letters.txt', { range })
      assert.equal(answer.status, 416)
      assert.equal(answer.headers['Content-Range'], 'bytes */26')
      assert.equal(answer.body, null)
    })
  }

  test('no range of an empty file can be had', async () => {
    for (const range of ['bytes=0-', 'bytes=-5'])
      assert.equal((await send('empty.txt', { range })).status, 416)
    assert.equal((await send('empty.txt')).status, 200)
  })

  for (const range of [
    'bytes=0-1,3-4',
    'bytes=',
    'bytes=-',
    'bytes=5-2',
    'lines=0-1',
    'bytes=a-b',
    'bytes=1-2-3',
    'bytes=+1-2',
  ]) {
    test(`${range} is several ranges or none, and answers the whole file`, async () => {
      const answer = await send('letters.txt', { range })
      assert.equal(answer.status, 200)
      assert.equal(answer.text, letters)
    })
  }

  test('If-None-Match answers 304 for the tag, weak or strong, in a list, and for any', async () => {
    const { headers } = await send('letters.txt')
    const etag = headers['ETag'] ?? ''
    for (const value of [etag, `W/${etag}`, `"x", W/"y,z" ,${etag}`, '*']) {
      for (const method of ['GET', 'HEAD']) {
        const answer = await send('letters.txt', { 'if-none-match': value }, { maxAge: 5 }, method)
        assert.equal(answer.status, 304, value)
        assert.equal(answer.body, null)
        assert.equal(answer.headers['ETag'], etag)
        assert.equal(answer.headers['Cache-Control'], 'public, max-age=5')
        assert.equal(answer.headers['Content-Type'], undefined)
      }
    }
    assert.equal((await send('letters.txt', { 'if-none-match': '"other"' })).status, 200)
    assert.deepEqual(openFilesBelow(folder), [])
  })

  test('If-Modified-Since answers 304 unless the file is newer or If-None-Match decides', async () => {
    const since = (date: string, more = {}) =>
      send('letters.txt', { 'if-modified-since': date, ...more })
    assert.equal((await since(modifiedText)).status, 304)
    assert.equal((await since('Tue, 07 May 2024 00:00:00 GMT')).status, 304)
    assert.equal((await since('Mon, 06 May 2024 07:08:08 GMT')).status, 200)
    assert.equal((await since('Mon May  6 07:08:09 2024')).status, 304)
    assert.equal((await since('Monday, 06-May-24 07:08:09 GMT')).status, 304)
    assert.equal((await since(modifiedText, { 'if-none-match': '"other"' })).status, 200)
    for (const bad of ['soon', '0', '']) assert.equal((await since(bad)).status, 200)
  })

  test('If-Match and If-Unmodified-Since answer 412 for another state of the file', async () => {
    const etag = (await send('letters.txt')).headers['ETag'] ?? ''
    const status = async (headers: Record<string, string>) =>
      (await send('letters.txt', headers)).status
    assert.equal(await status({ 'if-match': etag }), 200)
    assert.equal(await status({ 'if-match': '*' }), 200)
    assert.equal(await status({ 'if-match': `W/${etag}` }), 412)
    assert.equal(await status({ 'if-match': '"other"' }), 412)
    assert.equal(await status({ 'if-unmodified-since': modifiedText }), 200)
    assert.equal(await status({ 'if-unmodified-since': 'Mon, 06 May 2024 07:08:08 GMT' }), 412)
    assert.equal(await status({ 'if-unmodified-since': '0' }), 200)
    assert.equal(await status({ 'if-match': etag, 'if-none-match': etag }), 304)
  })

  test('If-Range returns the range only for the same version of the file', async () => {
    const etag = (await send('letters.txt')).headers['ETag'] ?? ''
    const status = async (condition: string) =>
      (await send('letters.txt', { range: 'bytes=0-1', 'if-range': condition })).status
    assert.equal(await status(etag), 206)
    assert.equal(await status(modifiedText), 206)
    assert.equal(await status(`W/${etag}`), 200)
    assert.equal(await status('"other"'), 200)
    assert.equal(await status('Tue, 07 May 2024 00:00:00 GMT'), 200)
  })

  test('a file that has just changed has a weak tag, which is no ground for a range', async () => {
    const path = join(folder, 'fresh.txt')
    await writeFile(path, letters)
    await utimes(path, new Date(), new Date(Date.now() + 60_000))
    const { headers } = await send('fresh.txt')
    assert.match(headers['ETag'] ?? '', /^W\//)
    assert.equal((await send('fresh.txt', { 'if-none-match': headers['ETag'] ?? '' })).status, 304)
    for (const condition of [headers['ETag'] ?? '', headers['Last-Modified'] ?? '']) {
      assert.equal(
        (await send('fresh.txt', { range: 'bytes=0-1', 'if-range': condition })).status,
        200,
      )
    }
  })

  test('the tag changes with the size and with the time of change', async () => {
    const path = join(folder, 'changing.txt')
    const tag = async (content: string, time: number): Promise<string> => {
      await writeFile(path, content)
      await utimes(path, time, time)
      return (await send('changing.txt')).headers['ETag'] ?? ''
    }
    const tags = [
      await tag('a', 1_000_000),
      await tag('ab', 1_000_000),
      await tag('a', 1_000_000.001),
    ]
    assert.equal(new Set(tags).size, 3)
    assert.equal(await tag('b', 1_000_000), tags[0])
  })

  test('other methods than GET and HEAD get the file whatever the conditions say', async () => {
    const answer = await send(
      'letters.txt',
      { 'if-none-match': '*', range: 'bytes=0-1' },
      {},
      'POST',
    )
    assert.equal(answer.status, 200)
    assert.equal(answer.text, letters)
  })

  test('Cache-Control follows the options', async () => {
    const cache = async (options: FileOptions) =>
      (await send('letters.txt', {}, options)).headers['Cache-Control']
    assert.equal(await cache({ maxAge: 0 }), 'public, max-age=0')
    assert.equal(await cache({ maxAge: 60, immutable: true }), 'public, max-age=60, immutable')
    assert.equal(await cache({ immutable: true }), 'public, max-age=31536000, immutable')
  })

  test('type and download name can be given', async () => {
    const answer = await send('letters.txt', {}, { type: 'text/x', download: 'größe.txt' })
    assert.equal(answer.headers['Content-Type'], 'text/x')
    assert.equal(
      answer.headers['Content-Disposition'],
      'attachment; filename="gr__e.txt"; filename*=UTF-8\'\'gr%C3%B6%C3%9Fe.txt',
    )
    const plain = await send('letters.txt', {}, { download: true })
    assert.equal(plain.headers['Content-Disposition'], 'attachment; filename="letters.txt"')
  })

  test(
    'what is no file answers 404: missing, folder, pipe, device, NUL, too long, below a file',
    { timeout: 120_000 },
    async () => {
      const pipe = join(folder, 'pipe')
      execFileSync('mkfifo', [pipe])
      mkdirSync(join(folder, 'sub'))
      const paths = [
        'none',
        'sub',
        'pipe',
        'letters.txt\0',
        'letters.txt/',
        'letters.txt/x',
        'x'.repeat(300),
      ]
      for (const path of [...paths.map((name) => `${folder}/${name}`), '/dev/zero', '']) {
        await assert.rejects(
          fileResponse(path, { method: 'GET', headers: {} }),
          { status: 404 },
          path,
        )
      }
      assert.deepEqual(openFilesBelow(folder), [])
    },
  )

  test('a file that may not be read answers 404 like one that is not there', async () => {
    const path = join(folder, 'locked.txt')
    await writeFile(path, 'x')
    chmodSync(path, 0)
    // The superuser reads it all the same.
    const sending = fileResponse(path, { method: 'GET', headers: {} })
    if (process.getuid?.() === 0) assert.equal((await sending).status, 200)
    else await assert.rejects(sending, { status: 404 })
  })

  test('a dotfile answers 404 unless it is asked for', async () => {
    await writeFile(join(folder, '.secret'), 'x')
    await assert.rejects(send('.secret'), { status: 404 })
    assert.equal((await send('.secret', {}, { dotfiles: true })).text, 'x')
  })
})
