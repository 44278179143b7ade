import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AttachmentInput, MessageOptions } from './message.ts'
import { Message } from './message.ts'

const simple: MessageOptions = { to: 'ada@example.org', subject: 'Hello', text: 'Hi' }

for (const [what, options] of Object.entries({
  subject: { subject: 'Hello\r\nBcc: eve@example.org' },
  'subject with a lone line feed': { subject: 'Hello\nBcc: eve@example.org' },
  'subject with a carriage return': { subject: 'Hello\rBcc: eve@example.org' },
  'subject with NUL': { subject: 'Hello\u0000' },
  'name of a recipient': { to: { address: 'ada@example.org', name: 'A\r\nBcc: eve@example.org' } },
  'name of a sender': { from: 'A\nB <ada@example.org>' },
  'header value': { headers: { 'X-Tag': 'a\r\nBcc: eve@example.org' } },
  'header name': { headers: { 'X-Tag: a\r\nBcc': 'eve@example.org' } },
  'name of an attachment': { attachments: [{ name: 'a\r\nX: y', content: '' }] },
  'type of an attachment': { attachments: [{ name: 'a', content: '', type: 'a/b\r\nX: y' }] },
  'cid of an attachment': { attachments: [{ name: 'a', content: '', cid: 'a>\r\nX: y' }] },
} satisfies Record<string, Partial<MessageOptions>>)) {
  test(`a line break is refused, and not repeated: ${what}`, () => {
    assert.throws(
      () => new Message({ ...simple, ...options }),
      (error: unknown) => {
        assert.ok(error instanceof Error && 'code' in error)
        assert.equal(error.name, 'InvalidArgumentException')
        assert.equal(error.code, 'E_MAIL_HEADER')
        assert.doesNotMatch(error.message, /[\r\n]/)
        return true
      },
    )
  })
}

for (const field of ['to', 'cc', 'bcc', 'replyTo', 'from'] as const) {
  test(`a line break in an address of ${field} is refused`, () => {
    const address = 'ada@example.org\r\nBcc: eve@example.org'
    assert.throws(() => new Message({ ...simple, [field]: address }), {
      name: 'InvalidArgumentException',
      code: 'E_MAIL_ADDRESS',
    })
  })
}

for (const name of ['Bcc', 'to', 'Subject', 'Content-Type', 'MESSAGE-ID', 'Delivered-To']) {
  test(`the header ${name} cannot be set beside the mailer`, () => {
    assert.throws(() => new Message({ ...simple, headers: { [name]: 'x' } }), {
      code: 'E_MAIL_HEADER',
      message: /is written by the mailer itself/,
    })
  })
}

test('a header that is too long is rejected', () => {
  assert.throws(() => new Message({ ...simple, subject: 'x'.repeat(901) }), {
    code: 'E_MAIL_HEADER',
    message: 'the subject has 901 characters; at most 900 fit into a header',
  })
})

for (const [what, attachment] of Object.entries({
  'a folder in its name': { name: '../a.txt', content: '' },
  'a folder in the Windows way': { name: 'c:\\a.txt', content: '' },
  'no name': { name: '', content: '' },
  'a type that is none': { name: 'a', content: '', type: 'pdf' },
  'a type that is read as mail again': { name: 'a', content: '', type: 'message/rfc822' },
  'a content that is none': { name: 'a', ...JSON.parse('{ "content": 7 }') },
} satisfies Record<string, AttachmentInput>)) {
  test(`an attachment is refused for ${what}`, () => {
    assert.throws(() => new Message({ ...simple, attachments: [attachment] }), {
      name: 'InvalidArgumentException',
      code: 'E_MAIL_HEADER',
    })
  })
}

for (const [what, options] of Object.entries({
  'nothing to read': { to: 'a@example.org', subject: '' },
  'both a view and a text': { ...simple, view: 'mails/hello' },
  'data for no view': { ...simple, data: {} },
  'nobody to go to': { ...simple, to: [] },
  'a text that is none': { ...simple, ...JSON.parse('{ "text": {} }') },
} satisfies Record<string, MessageOptions>)) {
  test(`a message is refused that has ${what}`, () => {
    assert.throws(() => new Message(options), { code: 'E_INVALID_ARGUMENT' })
  })
}

test('a message cannot be changed after validation', () => {
  const headers = { 'X-Tag': 'a' }
  const message = new Message({ ...simple, headers })
  headers['X-Tag'] = 'a\r\nBcc: eve@example.org'
  assert.equal(message.headers['X-Tag'], 'a')
  assert.throws(() => Object.assign(message, { subject: 'a\r\nb' }), TypeError)
  assert.throws(() => Object.assign(message.headers, headers), TypeError)
  assert.throws(() => Object.assign(message.to[0] ?? {}, { address: 'x' }), TypeError)
})
