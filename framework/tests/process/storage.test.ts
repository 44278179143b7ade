import assert from 'node:assert/strict'
import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, describe, test } from 'node:test'
import type { TestContext } from 'node:test'
import { promisify } from 'node:util'
import type { Disk } from '../../src/storage/disk.ts'
import { diskFrom } from '../../src/storage/storage-settings.ts'
import { diskKey, png } from '../support/disk-contract.ts'
import { startOwnS3 } from '../support/s3-server.ts'
import type { S3Bucket, S3Server } from '../support/s3-server.ts'
import { waitFor } from '../support/wait-for.ts'

const run = promisify(execFile)
const child = join(import.meta.dirname, 'storage-child.ts')
const flags = ['--conditions=source', child]
const found = await startOwnS3().catch((error: Error) => error)
after(() => (found instanceof Error ? undefined : found.stop()))
const skip = found instanceof Error && found.message

function server(): S3Server {
  if (found instanceof Error) throw found
  return found
}

type Values = Pick<S3Bucket, 'url'> & Partial<S3Bucket>

function open(values: Values): Promise<Disk> {
  return diskFrom(values, { root: '/', server: { url: 'http://127.0.0.1' } }, diskKey)
}

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'framework-storage-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function inChild(
  what: string,
  values: Values,
  megabytes: number,
): Promise<Record<string, unknown>> {
  const parameters = [...flags, what, JSON.stringify(values), String(megabytes)]
  const { stdout } = await run(process.execPath, parameters, { timeout: 300_000 })
  return JSON.parse(stdout)
}

/** Puts an object, kills a process that is about to replace it, and looks. */
async function killInPut(values: Values): Promise<Disk> {
  const disk = await open(values)
  await disk.put('a.txt', 'before')
  const victim = spawn(process.execPath, [...flags, 'hang', JSON.stringify(values)])
  await once(victim.stdout, 'data')
  victim.kill('SIGKILL')
  await once(victim, 'exit')
  assert.equal(await text(await disk.get('a.txt')), 'before')
  assert.deepEqual(
    (await disk.list()).objects.map(({ key }) => key),
    ['a.txt'],
  )
  return disk
}

describe('a disk in a folder', () => {
  test('a process that is killed in a put leaves the object as it was', async (t) => {
    const folder = folderOf(t)
    await killInPut({ url: `file:${folder}` })
    // It was in the middle of writing; the next day the rest is removed.
    assert.equal(readdirSync(join(folder, '.parts')).length, 1)
  })

  const canMount = spawnSync('unshare', ['-rm', 'true']).status === 0
  test(
    'a full disk is an error that says so, and leaves what was there',
    { skip: !canMount && 'needs unshare, to mount a small disk' },
    async (t) => {
      const folder = folderOf(t)
      const script = 'mount -t tmpfs -o size=4m none "$0" && shift 0 && exec "$@"'
      const { stdout } = await run('unshare', [
        '-rm',
        'sh',
        '-c',
        script,
        folder,
        process.execPath,
        ...flags,
        'fill',
        JSON.stringify({ url: `file:${folder}` }),
        '8',
      ])
      const { code, message, sizes } = JSON.parse(stdout)
      assert.equal(code, 'E_STORAGE_FULL')
      assert.match(message, /the disk is full \(ENOSPC\): free some space/)
      assert.deepEqual(sizes, [6])
    },
  )

  test('a gigabyte passes without being in memory', async (t) => {
    const { size, read, largest } = await inChild('stream', { url: `file:${folderOf(t)}` }, 1024)
    assert.deepEqual([size, read], [1_073_741_824, 1_073_741_824])
    assert.ok(Number(largest) < 200, `${String(largest)} MB`)
  })
})

describe('a disk on S3', { skip }, () => {
  test('a process that is killed in a put leaves the object as it was', async () => {
    await killInPut(await server().bucket())
  })

  test('a gigabyte passes without being in memory', async () => {
    const { size, read, largest } = await inChild('stream', await server().bucket(), 1024)
    assert.deepEqual([size, read], [1_073_741_824, 1_073_741_824])
    assert.ok(Number(largest) < 320, `${String(largest)} MB`)
  })

  test('a signed address works without keys until it expires, and for its object alone', async () => {
    const disk = await open(await server().bucket())
    await disk.put('a/b.txt', 'hello')
    const url = await disk.signedUrl('a/b.txt', { download: 'Käse & "Brot" + 1.txt' })
    const response = await fetch(url)
    assert.equal(await response.text(), 'hello')
    assert.equal(response.headers.get('content-type'), 'text/plain; charset=utf-8')
    const disposition = response.headers.get('content-disposition') ?? ''
    assert.match(disposition, /^attachment; .*K%C3%A4se%20%26%20%22Brot%22%20%2B%201\.txt/)
    assert.equal((await fetch(url.replace('b.txt?', 'c.txt?'))).status, 403)
    assert.equal((await fetch(url.replace(/\?.*/, ''))).status, 403)
    const short = await disk.signedUrl('a/b.txt', { expires: 1 })
    await waitFor('the end of the address', async () => (await fetch(short)).status === 403)
  })

  test('a browser uploads by a signed form, within its limits, and the server confirms it', async () => {
    const disk = await open(await server().bucket())
    const { action, fields, key } = await disk.form({ maxBytes: 100 })
    const post = (changes: Record<string, string>, file: Uint8Array): Promise<Response> => {
      const form = new FormData()
      for (const [name, value] of Object.entries({ ...fields, ...changes })) form.set(name, value)
      form.set('file', new Blob([Uint8Array.from(file)]))
      return fetch(action, { method: 'POST', body: form })
    }
    await assert.rejects(disk.confirm(key, 'me.png', {}), { code: 'E_STORAGE_MISSING' })
    assert.equal((await post({}, Buffer.alloc(101))).status, 400)
    assert.equal((await post({ key: 'other' }, png)).status, 403)
    assert.equal((await post({ 'Content-Type': 'text/html' }, png)).status, 403)
    assert.equal((await post({ 'x-amz-signature': '0'.repeat(64) }, png)).status, 403)
    assert.deepEqual((await disk.list()).objects, [])
    const sent = await post({}, png)
    assert.equal(sent.status, 204, await sent.text())
    assert.equal((await disk.find(key))?.type, 'application/octet-stream')
    const types = ['image/png']
    assert.equal((await disk.confirm(key, 'me.png', { types })).type, 'image/png')
    assert.equal((await disk.find('me.png'))?.type, 'image/png')
    assert.equal((await post({}, Buffer.from('<html>'))).status, 204)
    await assert.rejects(disk.confirm(key, 'me.png', { types }), { code: 'E_STORAGE_TYPE' })
    assert.deepEqual(
      (await disk.list()).objects.map((object) => object.key),
      ['me.png'],
    )
  })

  test('a server that is gone is an error that says so, and nothing has to be started again', async () => {
    const disk = await open(await server().bucket())
    await disk.put('a', 'x')
    await server().kill()
    try {
      for (const work of [() => disk.put('a', 'y'), () => disk.get('a'), () => disk.list()]) {
        await assert.rejects(work(), {
          name: 'StorageError',
          code: 'E_STORAGE_LOST',
          native: 'ECONNREFUSED',
        })
      }
    } finally {
      await server().restart()
    }
    assert.equal(await text(await disk.get('a')), 'x')
  })

  test('a server that dies while it sends is an error of the stream', async () => {
    const disk = await open(await server().bucket())
    await disk.put('long', Buffer.alloc(30_000_000))
    const body = await disk.get('long')
    const killed: Promise<void>[] = []
    const reading = (async () => {
      for await (const _ of body) if (killed.length === 0) killed.push(server().kill())
    })()
    await assert.rejects(reading, { code: 'E_STORAGE_LOST' })
    await Promise.all(killed)
    await server().restart()
    assert.equal((await disk.find('long'))?.size, 30_000_000)
  })

  test('no secret is in an error, and a wrong key is one', async () => {
    const disk = await open({ ...(await server().bucket()), secretKey: 'wrong-secret' })
    const failed: unknown = await disk.put('a', 'x').catch((error: unknown) => error)
    assert.ok(failed instanceof Error && 'native' in failed)
    assert.equal(failed.native, 'SignatureDoesNotMatch')
    const shown = [JSON.stringify(failed), failed.stack, disk.label].join()
    assert.ok(!/wrong-secret|AKIA|Signature=/.test(shown), shown)
  })
})

/** A server that does what no good one does. */
async function serving(t: TestContext, answer: RequestListener, options = ''): Promise<Disk> {
  const slow = createServer(answer).listen(0, '127.0.0.1')
  await once(slow, 'listening')
  t.after(() => {
    slow.closeAllConnections()
    slow.close()
  })
  const address = slow.address()
  const port = typeof address === 'object' ? address?.port : 0
  const url = `s3://bucket?endpoint=http://127.0.0.1:${port}${options}`
  return open({ url, accessKey: 'a', secretKey: 'b' })
}

describe('a disk on a bad server', () => {
  test('one that does not answer in time is left', async (t) => {
    const disk = await serving(t, () => {}, '&timeout=0.05')
    const failure = { code: 'E_STORAGE_TIMEOUT', message: /within 0.05 seconds/ }
    await assert.rejects(disk.find('a'), failure)
    await assert.rejects(disk.put('a', 'x'), failure)
  })

  test('one that stops in the middle is left, a slow reader is not', async (t) => {
    const disk = await serving(
      t,
      ({ url = '' }, response) => {
        response.writeHead(200, { 'Content-Length': 200_000 }).write(Buffer.alloc(100_000))
        if (url.includes('whole')) response.end(Buffer.alloc(100_000))
      },
      '&timeout=0.2',
    )
    await assert.rejects(text(await disk.get('half')), { code: 'E_STORAGE_TIMEOUT' })
    const body = await disk.get('whole')
    // Longer than the server may take: nothing is asked of it meanwhile.
    const started = performance.now()
    let size = 0
    for await (const chunk of body) {
      while (performance.now() - started < 300) await new Promise((next) => setTimeout(next, 10))
      size += Buffer.byteLength(chunk)
    }
    assert.equal(size, 200_000)
  })

  test('one that is overloaded is asked again, and one that refuses is not', async (t) => {
    let asked = 0
    // The last but one is asked what it has stored.
    const answers = [503, 500, 200, 200, 403]
    const disk = await serving(t, (request, response) => {
      request
        .resume()
        .on('end', () => response.writeHead(answers[asked++] ?? 200, { etag: '"1"' }).end())
    })
    assert.equal((await disk.put('a', 'x')).etag, '"1"')
    assert.equal(asked, 4)
    await assert.rejects(disk.put('a', 'x'), { code: 'E_STORAGE', native: '403' })
    assert.equal(asked, 5)
  })

  test('one that says at the end of its work that it failed is believed', async (t) => {
    const disk = await serving(t, (request, response) => {
      request.resume().on('end', () => {
        const isCopy = request.headers['x-amz-copy-source'] === 'bucket/a'
        // What was looked at is what is copied.
        assert.equal(request.headers['x-amz-copy-source-if-match'], isCopy ? '"1"' : undefined)
        response.writeHead(200, { 'Content-Length': isCopy ? 47 : 4, etag: '"1"' })
        response.end(isCopy ? '      <Error><Code>InternalError</Code></Error>' : 'text')
      })
    })
    const failure = { code: 'E_STORAGE_LOST', native: 'InternalError' }
    await assert.rejects(disk.copy('a', 'b'), failure)
  })

  test('the parts of an upload that fails are removed', async (t) => {
    const asked: string[] = []
    const disk = await serving(t, (request, response) => {
      const { method, url = '' } = request
      asked.push(`${method} ${url.slice('/bucket/a?'.length)}`)
      const body = method === 'POST' ? '<Result><UploadId>7</UploadId></Result>' : ''
      request.resume().on('end', () => response.writeHead(200, { etag: '"1"' }).end(body))
    })
    async function* failing(): AsyncGenerator<Buffer> {
      yield Buffer.alloc(20_000_000)
      throw new Error('gone')
    }
    await assert.rejects(disk.put('a', failing()), { message: 'gone' })
    assert.deepEqual(asked.at(-1), 'DELETE uploadId=7&x-id=AbortMultipartUpload')
  })
})
