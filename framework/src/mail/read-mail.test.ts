import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { readMail } from './read-mail.ts'

function read(...lines: string[]): ReturnType<typeof readMail> {
  return readMail(Buffer.from(lines.join('\r\n')))
}

test('headers are unfolded and decoded, words that belong together joined', async () => {
  const mail = await read(
    'Subject: =?UTF-8?Q?Gr=C3=BC=C3?= =?UTF-8?Q?=9Fe_an?=',
    ' =?UTF-8?B?8J+Riw==?= all',
    'X-Old: =?iso-8859-1?Q?caf=E9?=',
    'X-Raw: grün',
    'not a header',
    '',
    'body',
  )
  assert.equal(mail.header('subject'), 'Grüße an👋 all')
  assert.equal(mail.header('X-Old'), 'café')
  assert.equal(mail.header('x-raw'), 'grün')
  assert.equal(mail.header('x-none'), null)
  assert.equal(mail.headers.length, 3)
  assert.equal(mail.text, 'body\n')
})

test('a text in another encoding and character set is read', async () => {
  const mail = await read(
    'Content-Type: text/plain; charset="iso-8859-1"',
    'Content-Transfer-Encoding: Quoted-Printable',
    '',
    'caf=E9 =',
    'au lait=20',
    '=3D',
  )
  assert.equal(mail.text, 'café au lait \n=\n')
})

test('nested parts are found, preamble and epilogue are ignored', async () => {
  const mail = await read(
    'Content-Type: multipart/mixed; boundary="a b"',
    '',
    'preamble',
    '--a b',
    'Content-Type: multipart/alternative; boundary=inner',
    '',
    '--inner',
    '',
    'text',
    '--inner',
    'Content-Type: text/html',
    'Content-Transfer-Encoding: base64',
    '',
    'PHA+aGk8L3A+',
    '--inner--',
    '--a b',
    'Content-Type: text/plain; name="no.txt"',
    "Content-Disposition: attachment; filename*0*=utf-8''gr%C3%BC; filename*1=n.txt",
    '',
    'file',
    '--a b--',
    'epilogue',
  )
  assert.deepEqual([mail.text, mail.html], ['text\n', '<p>hi</p>'])
  assert.deepEqual(
    mail.attachments.map(({ name, type, content }) => [name, type, content.toString().trim()]),
    [['grün.txt', 'text/plain', 'file']],
  )
})

test('a message in a mail is a file, and its own parts are not mixed in', async () => {
  const mail = await read(
    'Content-Type: multipart/mixed; boundary=x',
    '',
    '--x',
    '',
    'outer',
    '--x',
    'Content-Type: message/rfc822',
    '',
    'Subject: inner',
    '',
    'inner text',
    '--x--',
  )
  assert.equal(mail.text, 'outer\n')
  assert.deepEqual(
    mail.attachments.map(({ name, type, cid }) => [name, type, cid]),
    [['unnamed', 'message/rfc822', null]],
  )
})

test('line ends do not depend on the encoding of a part', async () => {
  const content = Buffer.from('a\r\nb\r\n\r\n').toString('base64')
  const mail = await read('Content-Transfer-Encoding: base64', '', content)
  assert.equal(mail.text, 'a\nb\n')
})

test('a mail of boundaries alone ends, and so does one without an end', async () => {
  const nested = 'Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n'
  assert.equal((await readMail(Buffer.from(nested.repeat(3_000)))).text, null)
  const flat = `Content-Type: multipart/mixed; boundary=x\r\n\r\n${'--x\r\n\r\n'.repeat(3_000)}--x--`
  assert.deepEqual((await readMail(Buffer.from(flat))).attachments, [])
})

test('whatever bytes are read, nothing is thrown', async () => {
  const pieces = fc.constantFrom(
    'Content-Type: multipart/mixed; boundary=x',
    '--x',
    '--x--',
    '',
    '=?utf-8?B?',
    'a: =?x?q?=zz?=',
    '=',
    ';;;="',
  )
  const texts = fc
    .array(fc.oneof(pieces, fc.string({ unit: 'binary' })))
    .map((lines) => lines.join('\r\n'))
  await fc.assert(fc.asyncProperty(texts, async (text) => void (await readMail(Buffer.from(text)))))
  const bytes = fc.uint8Array({ maxLength: 400 })
  await fc.assert(fc.asyncProperty(bytes, async (given) => void (await readMail(given))))
})
