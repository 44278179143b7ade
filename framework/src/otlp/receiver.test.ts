import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidArgumentException } from '../base/errors.ts'
import { parseHeaders } from './otlp-settings.ts'
import { checkHeaders, receiverAt } from './receiver.ts'

for (const [endpoint, url, shown = url] of [
  ['http://localhost:4318', 'http://localhost:4318/v1/metrics'],
  ['http://localhost:4318/', 'http://localhost:4318/v1/metrics'],
  ['https://otel.example/in//', 'https://otel.example/in/v1/metrics'],
  ['http://h:1/in?tenant=a#top', 'http://h:1/in/v1/metrics?tenant=a', 'http://h:1/in/v1/metrics'],
] as const) {
  test(`${endpoint} is posted to ${url}`, () => {
    const receiver = receiverAt(endpoint)
    assert.equal(receiver.url.href, url)
    assert.equal(receiver.label, shown)
    assert.deepEqual(receiver.headers, [])
  })
}

test('user info becomes an Authorization header and leaves the address', () => {
  const { url, label, headers } = receiverAt('http://ada:p%40ss@localhost:4318')
  const basic = Buffer.from('ada:p@ss').toString('base64')
  assert.equal(url.href, 'http://localhost:4318/v1/metrics')
  assert.equal(label, 'http://localhost:4318/v1/metrics')
  assert.deepEqual(headers, [['authorization', `Basic ${basic}`]])
})

test('an Authorization header that is given wins over user info', () => {
  const { headers } = receiverAt('http://ada:pass@localhost', { Authorization: 'Bearer x' })
  assert.deepEqual(headers, [['authorization', 'Bearer x']])
})

for (const endpoint of [
  '',
  'localhost:4318',
  '/v1',
  'ftp://ada:hunter2@host',
  'http://hunter2:99999',
]) {
  test(`the endpoint "${endpoint}" is refused without showing it`, () => {
    assert.throws(
      () => receiverAt(endpoint),
      (error) => {
        assert.ok(error instanceof InvalidArgumentException)
        assert.match(error.message, /starts with http:\/\/ or https:\/\//)
        assert.doesNotMatch(error.message, /hunter2|4318/)
        return true
      },
    )
  })
}

test('what others say is shown without secrets', () => {
  const receiver = receiverAt('http://ada:p%40ss@host?key=k-123', {
    authorization: 'Bearer abc.def',
    'x-org': '7',
    'x-quoted': 'say "x"',
  })
  for (const secret of [
    'ada',
    'p%40ss',
    'p@ss',
    'k-123',
    'Bearer abc.def',
    'abc.def',
    String.raw`say \"x\"`,
    'say%20%22x%22',
  ]) {
    assert.equal(receiver.redact(`no to ${secret}!`), 'no to [redacted]!')
  }
  assert.equal(receiver.redact('17 points of 7'), '17 points of 7')
  assert.equal(receiver.redact('see https://me:pw@other/'), 'see https://[redacted]@other/')
})

test('what others say is one line of bounded length that cannot steer a terminal', () => {
  const receiver = receiverAt('http://host')
  assert.equal(receiver.redact(' one\n two\u001B[31m\t'), 'one two\uFFFD[31m')
  assert.equal(receiver.redact('x'.repeat(100_000)).length, 301)
})

test('names are kept in lower case and of two the later one counts', () => {
  const headers = checkHeaders({ 'X-Key': 'one', 'x-key': ' two\t' })
  assert.deepEqual([...headers], [['x-key', 'two']])
})

test('a name such as __proto__ is a name like any other', () => {
  assert.deepEqual([...checkHeaders(parseHeaders('__proto__=x') ?? {})], [['__proto__', 'x']])
})

for (const [name, value] of [
  ['x-key', 'hunter2\r\nx-other: 1'],
  ['x-key', 'hunter2\u0000'],
  ['x-key', 'hunter2€'],
  ['hunter2 is no name', 'x'],
  ['Content-Type', 'hunter2'],
  ['content-length', 'hunter2'],
  ['Content-Encoding', 'hunter2'],
  ['host', 'hunter2'],
  ['Transfer-Encoding', 'hunter2'],
] as const) {
  test(`the header ${JSON.stringify([name, value])} is refused without showing it`, () => {
    assert.throws(
      () => checkHeaders({ [name]: value }),
      (error) => {
        assert.ok(error instanceof InvalidArgumentException)
        assert.equal(error.code, 'E_INVALID_ARGUMENT')
        assert.doesNotMatch(error.message, /hunter2/)
        return true
      },
    )
  })
}
