import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { readMail } from './read-mail.ts'

function read(...lines: string[]): ReturnType<typeof readMail> {
  return readMail(Buffer.from(lines.join('\r\n')))
}

test('headers are unfolded and decoded, words that belong together joined', () => {
  const mail = read(
    'Subject: =?UTF-8?Q?Gr=C3=BC=C3?= =?utf-8?Q?=9Fe_an?=',
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
  assert.equal(mail.text, 'body')
})

test('a text in another encoding and character set is read', () => {
  const mail = read(
    'Content-Type: text/plain; charset="iso-8859-1"',
    'Content-Transfer-Encoding: Quoted-Printable',
    '',
    'caf=E9 =',
    'au lait=20  ',
    '=3D',
  )
  assert.equal(mail.text, 'café au lait \n=')
})

test('parts inside of parts are found, and what stands around them is not', () => {
  const mail = read(
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
  assert.deepEqual([mail.text, mail.html], ['text', '<p>hi</p>'])
  assert.deepEqual(
    mail.attachments.map(({ name, type, content }) => [name, type, content.toString()]),
    [['grün.txt', 'text/plain', 'file']],
  )
})

test('a second text is a file without a name', () => {
  const part = ['--x', 'Content-Type: text/plain', '']
  const mail = read(
    'Content-Type: multipart/mixed; boundary=x',
    '',
    ...part,
    'a',
    ...part,
    'b',
    '--x--',
  )
  assert.equal(mail.text, 'a')
  assert.deepEqual(
    mail.attachments.map(({ name, content }) => [name, content.toString()]),
    [['unnamed', 'b']],
  )
})

test('a mail of boundaries alone ends, and so does one without an end', () => {
  const nested = 'Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n'
  assert.equal(readMail(Buffer.from(nested.repeat(3_000))).text, null)
  const flat = readMail(
    Buffer.from(
      `Content-Type: multipart/mixed; boundary=x\r\n\r\n${'--x\r\n\r\n'.repeat(3_000)}--x--`,
    ),
  )
  assert.ok(flat.attachments.length < 200)
})

test('whatever bytes are read, nothing is thrown', () => {
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
  fc.assert(fc.property(texts, (text) => void readMail(Buffer.from(text))))
  fc.assert(fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => void readMail(bytes)))
})
