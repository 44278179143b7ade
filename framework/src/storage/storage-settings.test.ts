import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import { mkdtempSync, existsSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { ApplicationKey } from '../settings/application-key.ts'
import { diskFrom, storageScope } from './storage-settings.ts'

const key = new ApplicationKey(createSecretKey(randomBytes(32)))
const boot = { root: '/project', server: { url: 'https://shop.example' } }
const keys = { accessKey: 'AK', secretKey: 'SK' }

test('a bucket is at Amazon or at another server, with keys or the role of the machine', async () => {
  for (const [url, start] of [
    ['s3://bucket', 'https://bucket.s3.us-east-1.amazonaws.com/a?'],
    ['s3://bucket?region=eu-west-1', 'https://bucket.s3.eu-west-1.amazonaws.com/a?'],
    ['s3://my.bucket', 'https://s3.us-east-1.amazonaws.com/my.bucket/a?'],
    ['s3://b-1?endpoint=https://s3.example:9000/', 'https://s3.example:9000/b-1/a?'],
  ] as const) {
    const disk = await diskFrom({ url, ...keys }, boot, key)
    assert.equal(disk.label, url.split('?')[0])
    const signed = await disk.signedUrl('a')
    assert.ok(signed.startsWith(start), signed)
  }
  const disk = await diskFrom({ url: 's3://bucket', ...keys, sessionToken: 'to/ken+' }, boot, key)
  const signed = new URL(await disk.signedUrl('a'))
  assert.equal(signed.searchParams.get('X-Amz-Security-Token'), 'to/ken+')
  assert.equal((await diskFrom({ url: 's3://bucket' }, boot, key)).label, 's3://bucket')
})

test('a disk that everybody may read has plain addresses', async () => {
  for (const place of ['s3://bucket', 'file:files']) {
    const disk = await diskFrom({ url: `${place}?public=https://cdn.example/x/` }, boot, key)
    assert.equal(disk.url('a/b'), 'https://cdn.example/x/a/b')
    const hidden = await diskFrom({ url: place }, boot, key)
    assert.throws(() => hidden.url('a'), { code: 'E_STORAGE_URL' })
  }
})

test('a URL that cannot be used says why, without a secret', async () => {
  for (const [url, reason, values] of [
    ['storage/files', /neither file:/],
    ['s3://', /neither/],
    ['s3://Bucket_', /neither/],
    ['s3://AK:secret@bucket', /neither/],
    ['s3://bucket?regoin=x', /no option "regoin"/],
    ['file:files?region=x', /no option "region"/],
    ['file:secret%', /contains a %/],
    ['s3://bucket?timeout=0', /timeout must be/],
    ['s3://bucket?endpoint=ftp://x', /endpoint is the URL/],
    ['s3://bucket?endpoint=http://user:secret@x', /endpoint is the URL/],
    ['s3://bucket', /set both AWS_ACCESS_KEY_ID/, { secretKey: 'secret' }],
  ] as const) {
    await assert.rejects(diskFrom({ url, ...values }, boot, key), (error: Error) => {
      assert.match(error.message, reason, url)
      assert.ok(!error.message.includes('secret'), error.message)
      return 'code' in error && error.code === 'E_STORAGE_URL'
    })
  }
  assert.equal(storageScope.variables.url.parse('s3://'), undefined)
  assert.equal(storageScope.variables.url.parse('file:x'), 'file:x')
})

test('the folder storage is that of the project or of its tests', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'framework-settings-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const disk = await diskFrom(
    { url: 'file:storage/files' },
    { ...boot, storageFolder: folder },
    key,
  )
  await disk.put('a', 'x')
  assert.ok(existsSync(join(folder, 'files/a')))
  assert.equal((await diskFrom({ url: 'file:data' }, boot, key)).label, 'file:/project/data')
  assert.equal((await diskFrom({ url: 'file:///data/a%20b' }, boot, key)).label, 'file:/data/a b')
})
