import assert from 'node:assert/strict'
import { createHash, createSecretKey, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { ApplicationKey } from '../../src/settings/application-key.ts'
import type { Disk } from '../../src/storage/disk.ts'

export const png: Buffer = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
  'base64',
)

/** Signs addresses of folders. */
export const diskKey: ApplicationKey = new ApplicationKey(createSecretKey(randomBytes(32)))

/** Tests for every disk. Each gets an empty one. */
export function diskContract(open: (t: TestContext) => Promise<Disk>): void {
  test('an object is what was put, with its size, type and time', async (t) => {
    const disk = await open(t)
    const seconds = Math.floor(Date.now() / 1000)
    const stored = await disk.put('notes/a.txt', 'Käse')
    assert.equal(await text(await disk.get('notes/a.txt')), 'Käse')
    assert.equal(stored.size, 5)
    assert.equal(stored.type, 'text/plain; charset=utf-8')
    assert.ok(Math.abs(stored.modified - seconds) < 120)
    assert.deepEqual(
      { ...(await disk.find('notes/a.txt')), modified: 0 },
      { ...stored, modified: 0 },
    )
  })

  test('what there is not is null, or an error with a code', async (t) => {
    const disk = await open(t)
    assert.equal(await disk.find('none'), null)
    await assert.rejects(disk.get('none'), { code: 'E_STORAGE_MISSING' })
    await assert.rejects(disk.copy('none', 'other'), { code: 'E_STORAGE_MISSING' })
    await disk.delete('none')
    assert.deepEqual(await disk.list(), { objects: [], cursor: null })
  })

  test('putting again replaces the object and its etag', async (t) => {
    const disk = await open(t)
    const first = await disk.put('a', 'one')
    const second = await disk.put('a', 'two')
    assert.notEqual(first.etag, second.etag)
    assert.equal(await text(await disk.get('a')), 'two')
    await assert.rejects(disk.get('a', { etag: first.etag }), { code: 'E_STORAGE_CHANGED' })
    assert.equal(await text(await disk.get('a', { etag: second.etag })), 'two')
  })

  test('an empty object is one too', async (t) => {
    const disk = await open(t)
    assert.equal((await disk.put('empty', '')).size, 0)
    assert.equal(await text(await disk.get('empty')), '')
    assert.equal((await disk.copy('empty', 'other')).size, 0)
  })

  test('a range is the bytes from its start', async (t) => {
    const disk = await open(t)
    await disk.put('a', '0123456789')
    const part = async (range: { start?: number; length?: number }): Promise<string> =>
      text(await disk.get('a', range))
    assert.equal(await part({ start: 3, length: 4 }), '3456')
    assert.equal(await part({ start: 8 }), '89')
    assert.equal(await part({ length: 2 }), '01')
    assert.equal(await part({ start: 5, length: 100 }), '56789')
  })

  test('a long stream arrives as it was, in parts', async (t) => {
    const disk = await open(t)
    // More than two parts of an upload to S3.
    const chunks = Array.from({ length: 300 }, (_, at) => Buffer.alloc(65_537, at))
    const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
    const stored = await disk.put('long', Readable.from(chunks))
    assert.equal(stored.size, 300 * 65_537)
    assert.equal(digest(await buffer(await disk.get('long'))), digest(Buffer.concat(chunks)))
    assert.equal((await disk.find('long'))?.etag, stored.etag)
  })

  test('a stream that fails stores nothing and keeps its error', async (t) => {
    const disk = await open(t)
    await disk.put('a', 'before')
    for (const bytes of [100, 20_000_000]) {
      const body = Readable.from(
        (function* () {
          yield Buffer.alloc(bytes)
          throw new Error('the client went away')
        })(),
      )
      await assert.rejects(disk.put('a', body), { message: 'the client went away' })
    }
    assert.equal(await text(await disk.get('a')), 'before')
    assert.equal((await disk.list()).objects.length, 1)
  })

  test('a file above its limit is refused, and its stream closed', async (t) => {
    const disk = await open(t)
    for (const bytes of [101, 20_000_000]) {
      const body = Readable.from([Buffer.alloc(bytes - 1), Buffer.alloc(1), Buffer.alloc(1_000)])
      await assert.rejects(disk.put('a', body, { maxBytes: bytes - 1 }), { code: 'E_STORAGE_SIZE' })
      assert.ok(body.destroyed)
    }
    assert.equal(await disk.find('a'), null)
    assert.equal((await disk.put('a', Buffer.alloc(100), { maxBytes: 100 })).size, 100)
  })

  test('the type is that of the content, whatever the name says', async (t) => {
    const disk = await open(t)
    const types = { types: ['image/*'] }
    assert.equal((await disk.put('a.png', png, types)).type, 'image/png')
    assert.equal((await disk.put('a.html', png)).type, 'image/png')
    const html = '<script>alert(1)</script>'
    await assert.rejects(disk.put('b.png', html, types), { code: 'E_STORAGE_TYPE' })
    assert.equal(await disk.find('b.png'), null)
    assert.equal((await disk.put('b.png', html)).type, 'application/octet-stream')
    assert.equal((await disk.find('b.png'))?.type, 'application/octet-stream')
    assert.equal((await disk.put('c.csv', Buffer.from([0xe4]))).type, 'application/octet-stream')
    assert.equal((await disk.put('b.csv', 'a,b\n')).type, 'text/csv; charset=utf-8')
    await assert.rejects(disk.put('a.svg', '<svg/>', types), { code: 'E_STORAGE_TYPE' })
    await disk.put('a.svg', '<svg/>', { types: ['image/svg+xml'] })
    assert.equal((await disk.copy('a.html', 'c.png')).type, 'image/png')
  })

  test('a copy is independent of its source', async (t) => {
    const disk = await open(t)
    await disk.put('a/b.txt', 'one')
    assert.equal((await disk.copy('a/b.txt', 'c/d.csv')).type, 'text/csv; charset=utf-8')
    await disk.put('a/b.txt', 'two')
    assert.equal(await text(await disk.get('c/d.csv')), 'one')
    await disk.delete('a/b.txt')
    assert.equal(await disk.find('a/b.txt'), null)
    assert.equal(await text(await disk.get('c/d.csv')), 'one')
  })

  test('a list has every key once, in the order of bytes, page by page', async (t) => {
    const disk = await open(t)
    const keys = ['b/c/d', 'a', 'b-c', 'b/a', 'b.txt', 'B', 'b/c.txt', 'c/1', 'c/10', 'c/2', '_']
    for (const key of keys) await disk.put(key, key)
    const walk = async (prefix: string, limit: number): Promise<string[]> => {
      const found: string[] = []
      let cursor: string | null = null
      do {
        const page = await disk.list(prefix, { cursor, limit })
        assert.ok(page.objects.length <= limit)
        found.push(...page.objects.map(({ key }) => key))
        cursor = page.cursor
      } while (cursor !== null)
      return found
    }
    const inOrder = keys.toSorted((one, other) =>
      Buffer.compare(Buffer.from(one), Buffer.from(other)),
    )
    for (const limit of [1, 2, 3, 11, 1000]) assert.deepEqual(await walk('', limit), inOrder)
    assert.deepEqual(await walk('b/', 1), ['b/a', 'b/c.txt', 'b/c/d'])
    assert.deepEqual(await walk('c/1', 1000), ['c/1', 'c/10'])
    assert.deepEqual(await walk('x', 1000), [])
    const [first] = (await disk.list('a')).objects
    assert.deepEqual([first?.size, first?.etag], [1, (await disk.find('a'))?.etag])
  })

  test('keys that lead elsewhere, or that disks would take for others, are refused', async (t) => {
    const disk = await open(t)
    const keys = ['', '/', '/a', 'a/', 'a//b', '.', '..', '../a', 'a/../b', 'a/./b', '.a', 'a/.b']
    keys.push(
      'a\\b',
      'a\0b',
      'a b',
      'ä',
      'a%2e',
      'a?b',
      'a#b',
      'a'.repeat(256),
      'a/'.repeat(256) + 'a',
    )
    for (const key of keys) {
      const refusal = { code: 'E_STORAGE_KEY' }
      const body = Readable.from(['x'])
      await assert.rejects(disk.put(key, body), refusal, key)
      assert.ok(body.destroyed)
      for (const call of [
        () => disk.get(key),
        () => disk.find(key),
        () => disk.delete(key),
        () => disk.copy(key, 'b'),
        () => disk.copy('b', key),
        () => disk.signedUrl(key),
      ]) {
        await assert.rejects(call, refusal, key)
      }
      assert.throws(() => disk.url(key), refusal, key)
    }
    assert.deepEqual((await disk.list('../')).objects, [])
    assert.deepEqual((await disk.list()).objects, [])
  })

  test('of many puts at once one wins, whole', async (t) => {
    const disk = await open(t)
    const bodies = Array.from({ length: 8 }, (_, at) => String(at).repeat(200_000))
    await Promise.all(bodies.map((body) => disk.put('deep/in/a/folder/a', body)))
    assert.ok(bodies.includes(await text(await disk.get('deep/in/a/folder/a'))))
    assert.equal((await disk.list()).objects.length, 1)
  })

  test('only uploads can be confirmed, never another object', async (t) => {
    const disk = await open(t)
    await disk.put('secret', 'mine')
    const never = 'uploads/00000000000000000000000000000000'
    for (const key of ['secret', 'uploads/../secret', never]) {
      await assert.rejects(disk.confirm(key, 'b', {}), { code: 'E_STORAGE_MISSING' }, key)
    }
    await disk.put(never, png)
    assert.equal((await disk.confirm(never, 'me.png', { types: ['image/png'] })).type, 'image/png')
    assert.equal(await disk.find(never), null)
    for (const limits of [{ types: ['image/png'] }, { maxBytes: 2 }]) {
      await disk.put(never, 'text')
      await assert.rejects(disk.confirm(never, 'c.png', limits), /E_STORAGE|accepted|at most/)
      assert.equal(await disk.find(never), null)
    }
    assert.deepEqual(
      (await disk.list()).objects.map(({ key }) => key),
      ['me.png', 'secret'],
    )
  })
}
