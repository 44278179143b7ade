import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import sharp from 'sharp'
import {
  isAccepted,
  picturePixels,
  recognizedTypes,
  recognizeFile,
  recognizeStart,
  startBytes,
} from './recognize-file.ts'

const folder = await mkdtemp(join(tmpdir(), 'framework-test-'))
after(() => rm(folder, { recursive: true }))
const path = join(folder, 'file')

async function typesOf(content: string | Uint8Array): Promise<readonly string[]> {
  await writeFile(path, typeof content === 'string' ? Buffer.from(content, 'latin1') : content)
  return recognizeFile(path)
}

const box = (brand: string): string => `\0\0\0\x20ftyp${brand}\0\0\x02\0`
const starts: Readonly<Record<string, string>> = {
  'application/pdf': '%PDF-1.7\n<html><script>',
  'image/png': '\x89PNG\r\n\x1a\n',
  'image/jpeg': '\xff\xd8\xff\xe1',
  'image/gif': 'GIF89a=/*',
  'image/webp': 'RIFF\x24\0\0\0WEBPVP8 ',
  'image/avif': box('mif1') + 'miafavif',
  'image/heic': box('heic') + 'mif1',
  'audio/mp4': box('M4A '),
  'video/quicktime': box('qt  '),
  'video/mp4': box('isom'),
  'video/webm': '\x1aE\xdf\xa3\x9fB\x86\x81\x01B\x82\x84webm',
  'audio/mpeg': 'ID3\x04',
  'audio/wav': 'RIFF\x24\0\0\0WAVEfmt ',
  'audio/ogg': 'OggS\0',
  'application/gzip': '\x1f\x8b\x08\0',
  'application/zip': 'PK\x03\x04\x14\0',
}

test('a file is what its first bytes say', async () => {
  for (const [type, start] of Object.entries(starts)) {
    assert.deepEqual(await typesOf(start), [type])
    assert.ok(recognizedTypes.has(type))
  }
})

test('a document of an office program is an archive with a file that is only in those', async () => {
  const [docx = '', zip] = await typesOf(
    `PK\x03\x04${'\0'.repeat(600_000)}word/document.xml\0PK\x05\x06`,
  )
  assert.equal(recognizedTypes.get(docx), 'DOCX')
  assert.equal(zip, 'application/zip')
})

test('text is valid UTF-8 without NUL, to its end', async () => {
  const text = ['text/plain', 'text/csv', 'text/markdown']
  const long = 'x'.repeat(524_287)
  // A character that two blocks share.
  for (const content of ['', 'a;b\n', '<script>alert(1)</script>', `${long}\xc3\xbc`]) {
    assert.deepEqual(await typesOf(content), text)
  }
  for (const content of ['a\0b', 'M\xfcnchen', `${long}\xc3`, `${long}ab\0`, 'MZ\x90\0']) {
    assert.deepEqual(await typesOf(content), [])
  }
})

test('the pixels of a picture are read from its header, also behind what cameras write', async () => {
  const drawn = sharp({ create: { width: 40, height: 30, channels: 3, background: 'red' } })
  const exif = { IFD0: { ImageDescription: 'x'.repeat(60_000) } }
  const pictures = {
    'image/jpeg': drawn.clone().withExif(exif).jpeg(),
    'image/png': drawn.clone().png(),
    'image/gif': drawn.clone().gif(),
    'image/webp': drawn.clone().webp(),
  }
  for (const [type, picture] of Object.entries(pictures)) {
    const bytes = await picture.toBuffer()
    assert.deepEqual(await typesOf(bytes), [type])
    assert.equal(await picturePixels(path, type), 1200, type)
    await writeFile(path, bytes.subarray(0, 12))
    assert.equal(await picturePixels(path, type), type === 'image/gif' ? 1200 : null, type)
  }
  for (const options of [{ lossless: true }, { alphaQuality: 50 }]) {
    await writeFile(path, await drawn.clone().ensureAlpha(0.5).webp(options).toBuffer())
    assert.equal(await picturePixels(path, 'image/webp'), 1200)
  }
})

test('a picture without a size, or with a header that does not end, has none', async () => {
  const endless = Buffer.alloc(600_000, 0xff)
  for (const [type, bytes] of [
    ['image/jpeg', endless],
    ['image/jpeg', Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(100)])],
    ['image/gif', Buffer.from('GIF89a\0\0\0\0')],
    ['image/svg+xml', Buffer.from('<svg width="1" height="1"/>')],
  ] as const) {
    await writeFile(path, bytes)
    assert.equal(await picturePixels(path, type), null)
  }
})

test('a type is accepted if it is listed, or of a listed kind', () => {
  const accepts = (types: readonly string[], type: string): boolean => isAccepted(type, types)
  assert.ok(accepts([], 'anything/at-all'))
  assert.ok(accepts(['text/plain', 'image/*'], 'image/svg+xml'))
  assert.ok(accepts(['image/*', 'text/plain'], 'text/plain'))
  assert.ok(!accepts(['image/*'], 'imagery/png'))
  assert.ok(!accepts(['image/png'], 'image/png2'))
  assert.ok(!accepts(['image/png'], 'application/octet-stream'))
})

test('the start of a file tells its type, and the name kinds of text and of archives', () => {
  const typeOf = (start: string | Buffer, name: string): string =>
    recognizeStart(typeof start === 'string' ? Buffer.from(start, 'latin1') : start, name)
  for (const [type, start] of Object.entries(starts)) {
    assert.equal(typeOf(start, 'a.html'), type)
    assert.equal(typeOf(start, 'a'), type)
  }
  const document = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
  assert.equal(typeOf('PK\x03\x04', 'a.docx'), document)
  assert.equal(typeOf('PK\x03\x04', 'a.pdf'), 'application/zip')
  assert.equal(typeOf('%PDF-1.7', 'a.docx'), 'application/pdf')
  assert.equal(typeOf('a,b\n', 'a.csv'), 'text/csv; charset=utf-8')
  assert.equal(typeOf('<svg/>', 'a.svg'), 'image/svg+xml; charset=utf-8')
  const unknown = 'application/octet-stream'
  assert.equal(typeOf('text', 'a.png'), unknown)
  assert.equal(typeOf('text', 'a'), unknown)
  for (const bytes of ['a\0b', '\xff\xfe', '\xe4,b']) assert.equal(typeOf(bytes, 'a.csv'), unknown)
  // The start may end within a letter, a file does not.
  const letters = Buffer.from('ä'.repeat(startBytes))
  assert.equal(typeOf(letters.subarray(1, startBytes + 1), 'a.txt'), unknown)
  assert.equal(typeOf(letters.subarray(0, startBytes + 1), 'a.txt'), 'text/plain; charset=utf-8')
  assert.equal(typeOf(letters.subarray(0, 3), 'a.txt'), unknown)
  assert.equal(typeOf('', 'a.txt'), 'text/plain; charset=utf-8')
})
