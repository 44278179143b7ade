import assert from 'node:assert/strict'
import { test } from 'node:test'
import { partialFailure, smtpFailure, smtpTimeout } from './smtp-failure.ts'
import { completeSmtp } from './smtp-options.ts'

const options = completeSmtp({ host: 'mx.example', port: 2525, timeout: 5 })

function failure(properties: Record<string, unknown>): [message: string, permanent: boolean] {
  const thrown = Object.assign(new Error('text of the library'), properties)
  const { message, permanent, cause } = smtpFailure(thrown, options)
  assert.equal(cause, undefined)
  return [message.replace('mail server mx.example:2525 ', ''), permanent]
}

const quoting = '550 5.7.1 <ada@example.org> blocked: https://shop.example/reset/abc/secret'

for (const [properties, expected] of [
  [
    { code: 'EENVELOPE', responseCode: 550, response: quoting, command: 'RCPT TO' },
    ['answered 550 5.7.1 to RCPT TO', true],
  ],
  [
    { code: 'EMESSAGE', responseCode: 554, response: '554 no', command: 'DATA' },
    ['answered 554 to DATA', true],
  ],
  [{ code: 'EENVELOPE', responseCode: 451, response: '451 later' }, ['answered 451', false]],
  [{ code: 'EENVELOPE', responseCode: 503, response: '503 order' }, ['answered 503', false]],
  [
    { code: 'EAUTH', responseCode: 535, response: '535 5.7.8 hunter2?', command: 'AUTH PLAIN' },
    ['did not accept the login: it answered 535 5.7.8 to AUTH PLAIN', false],
  ],
  [{ code: 'EAUTH' }, ['did not accept the login', false]],
  [
    { code: 'ETLS', responseCode: 502, response: '502 no', command: 'STARTTLS' },
    ['does not offer TLS: it answered 502 to STARTTLS; nothing was sent in the clear', false],
  ],
  [
    { code: 'ESOCKET', originalCode: 'ECONNREFUSED', command: 'CONN' },
    ['could not be reached: ECONNREFUSED', false],
  ],
  [{ code: 'ECONNECTION', command: 'CONN' }, ['could not be reached: ECONNECTION', false]],
  [{ code: 'ETIMEDOUT' }, ['took longer than 5 s', false]],
  [{ code: 'EDNS', originalCode: 'ENOTFOUND' }, ['cannot be found in DNS', false]],
  [{ code: 'a text https://shop.example/reset' }, ['could not be reached: EUNKNOWN', false]],
] satisfies [Record<string, unknown>, [string, boolean]][]) {
  test(`a failure is told in codes: ${expected[0]}`, () => {
    assert.deepEqual(failure(properties), expected)
  })
}

test('whatever was thrown becomes a failure', () => {
  for (const thrown of [undefined, null, 'text', 7]) {
    assert.match(smtpFailure(thrown, options).message, /could not be reached: EUNKNOWN$/)
  }
})

test('a message that some have got is never worth another attempt', () => {
  const { message, permanent, partial } = partialFailure(1, 3, smtpTimeout(options))
  assert.match(message, /^1 of 3 mailboxes did not get the message: .* took longer than 5 s$/)
  assert.deepEqual([permanent, partial], [true, true])
})

for (const [option, given] of Object.entries({
  host: { host: '' },
  port: { port: 70_000 },
  timeout: { timeout: 0 },
  pause: { pause: Number.NaN },
  connections: { connections: 0 },
  username: { username: 'ada' },
  secure: JSON.parse('{ "secure": "ssl" }'),
})) {
  test(`an invalid option is rejected without showing its value: ${option}`, () => {
    assert.throws(() => completeSmtp({ host: 'mx.example', password: '', ...given }), {
      name: 'InvalidArgumentException',
      message: new RegExp(`^mail server option "${option}" must be `),
    })
  })
}

test('the default port depends on the security', () => {
  const port = (secure: 'starttls' | 'tls' | 'none'): number =>
    completeSmtp({ host: 'mx', secure, port: null }).port
  assert.deepEqual([port('starttls'), port('tls'), port('none')], [587, 465, 25])
  assert.equal(completeSmtp({ host: 'mx' }).secure, 'starttls')
})
