import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import * as fc from 'fast-check'

import { maskSource, maskText } from './mask-text.ts'

test('user info of URLs is masked anywhere in a text', () => {
  const cases = {
    'postgres://ada:pass@db:5432/x': 'postgres://[redacted]@db:5432/x',
    'no host redis://:pass@cache, and http://u@h/':
      'no host redis://[redacted]@cache, and http://[redacted]@h/',
    'two @: mysql://u:p@ss@h/db': 'two @: mysql://[redacted]@h/db',
    'a slash in it: mysql://u:p/a#s?s@h/db': 'a slash in it: mysql://[redacted]@h/db',
    'x ["http://u:p@h","a@b"]': 'x ["http://[redacted]@h","a@b"]',
  }
  for (const [text, masked] of Object.entries(cases)) assert.equal(maskText(text), masked)
})

test('URLs without user info, mail addresses and ports stay as they are', () => {
  for (const text of [
    'https://example.com/@ada?x=1#a@b',
    'http://localhost:3000/@vite/client',
    'http://[::1]:3000/@vite/client',
    'write to ada@example.com',
    'say "http://a.b" and "c@d"',
    'a://b c@d',
  ]) {
    assert.equal(maskText(text), text)
  }
})

test('the secret half of our own tokens is masked in links and cookies, similar texts are not', () => {
  const selector = '0123456789abcdef'
  const verifier = 'fedcba9876543210'.repeat(4)
  for (const [before, after] of [
    ['http://a.b/reset/', '?x=1'],
    ['Referer: /verify/', ''],
    ['remember=', '; Path=/'],
    ['', ' and more'],
  ] as const) {
    for (const sign of ['/', '.', '%2F', '%2e']) {
      const text = `${before}${selector}${sign}${verifier}${after}`
      assert.equal(maskText(text), `${before}${selector}${sign}[redacted]${after}`)
    }
  }
  for (const text of [
    `sha256 ${verifier}`,
    `${selector}/${verifier}0`,
    `0${selector}/${verifier}`,
    `${selector}-${verifier}`,
  ]) {
    assert.equal(maskText(text), text)
  }
})

test('header lines with credentials are masked', () => {
  for (const name of ['Authorization', 'Cookie', 'X-Auth', 'x-auth-token', 'X-Access-Token']) {
    assert.equal(maskText(`${name}: planted\nHost: a`), `${name}: [redacted]\nHost: a`)
  }
})

test('the code of an error stays readable in a text', () => {
  for (const text of ['{"code":"E_CURSOR"}', 'failed: code=ENOENT'])
    assert.equal(maskText(text), text)
  assert.equal(maskText('{"code":"4/0AX"}'), '{"code":"[redacted]"}')
})

test('values of secret query parameters are masked, others are not', () => {
  assert.equal(
    maskText('GET /reset?page=2&token=abc&api_key=x-y&monkey=1#top'),
    'GET /reset?page=2&token=[redacted]&api_key=[redacted]&monkey=1#top',
  )
  assert.equal(
    maskText('/callback?code=E_X&state=1&jwt=a.b&sid=7'),
    '/callback?code=[redacted]&state=1&jwt=[redacted]&sid=[redacted]',
  )
})

test('pairs with a secret name are masked in forms, fragments, plain words and JSON as well', () => {
  const cases = {
    'x#access_token=abc': 'x#access_token=[redacted]',
    'a=1&amp;token=abc&amp;b=2': 'a=1&amp;token=[redacted]&amp;b=2',
    'a=1;token=abc': 'a=1;token=[redacted]',
    '?user%5Bpassword%5D=abc': '?user%5Bpassword%5D=[redacted]',
    '?to%6ben=abc': '?to%6ben=[redacted]',
    'login with password=abc failed': 'login with password=[redacted] failed',
    'sent {"password":"a\\"bc","name":"ada"}': 'sent {"password":"[redacted]","name":"ada"}',
  }
  for (const [text, masked] of Object.entries(cases)) assert.equal(maskText(text), masked)
})

test('credentials of headers are masked where a text quotes them', () => {
  assert.equal(
    maskText('Authorization: Bearer abc\nCookie: a=1; b=2\nAccept: x'),
    'Authorization: [redacted]\nCookie: [redacted]\nAccept: x',
  )
  assert.equal(maskText('sent bearer abc.def.ghi, refused'), 'sent bearer [redacted], refused')
})

test('a secret behind its name is masked in every spelling', () => {
  const cases = {
    'failed with password: abc': 'failed with password: [redacted]',
    'token: Bearer a, b and c\nnext': 'token: [redacted]\nnext',
    'password = abc def': 'password = [redacted]',
    'password="a b" user="ada"': 'password="[redacted]" user="ada"',
    "password = 'it\\'s' in x": "password = '[redacted]' in x",
    "{ password: 'x', name: 'ada' }": "{ password: '[redacted]', name: 'ada' }",
    "{ 'x-api-key': 'x' }": "{ 'x-api-key': '[redacted]' }",
    "{ api: { tokens: [ 'x', 'y' ], id: 1 } }": '{ api: { tokens: [redacted], id: 1 } }',
    '{"password":12345678,"id":7}': '{"password":[redacted],"id":7}',
    '{"credentials":{"a":"x","b":["y"]},"id":7}': '{"credentials":[redacted],"id":7}',
    '"{\\"password\\":\\"a\\\\\\"b\\",\\"id\\":7}"':
      '"{\\"password\\":\\"[redacted]\\",\\"id\\":7}"',
    "Map(1) { 'token' => 'x' }": "Map(1) { 'token' => '[redacted]' }",
    "{\n  password: 'a\\n' +\n    'b',\n  id: 1\n}": "{\n  password: '[redacted]',\n  id: 1\n}",
    'a={password=abc}': 'a={password=[redacted]',
    'api_key:abc': 'api_key:[redacted]',
    '{ "token": "never ends': '{ "token": "[redacted]',
  }
  for (const [text, masked] of Object.entries(cases)) assert.equal(maskText(text), masked)
})

test('a text about secrets, a place in a file and a placeholder stay readable', () => {
  for (const text of [
    'the token expired',
    'Unexpected token < in JSON at position 0',
    'TokenError: the token has expired',
    'TypeError [ERR_CRYPTO_INVALID_KEYLEN]: Invalid key length',
    'E_TOKEN_USED: the link was used before',
    'at mint (src/tokens.ts:12:5)',
    'http://keycloak:8080/realms',
    'GET /reset/:token',
    'code: E_CURSOR',
    '{ code: 255, signal: null }',
    '{ foreignKeys: false, token: null }',
    'exited with code: 1',
    'UPDATE t SET token = $1 WHERE "key" = ?',
    'a::token::b',
    'monkey: 1, keyboard = 2',
    'the password:',
    'bad token:\n    at mint (a.ts:1:1)',
  ]) {
    assert.equal(maskText(text), text)
  }
})

test('in source code texts behind a secret name are masked, expressions are not', () => {
  const cases = {
    "const apiKey = 'x'": "const apiKey = '[redacted]'",
    'login({ password: "x", "token": `y` })':
      'login({ password: "[redacted]", "token": `[redacted]` })',
    "fetch('https://u:p@h/?token=abc')": "fetch('https://[redacted]@h/?token=[redacted]",
  }
  for (const [line, masked] of Object.entries(cases)) assert.equal(maskSource(line), masked)
  for (const line of [
    'const token = await tokens.mint(user)',
    'function sign(key: string, password: string | null) {',
    "if (event.key === 'Enter') return keys.map((key) => 'a')",
    'SELECT "a"."key" FROM "a" JOIN "b" ON "a"."key" = "b"."key" WHERE token=$1',
  ]) {
    assert.equal(maskSource(line), line)
  }
})

const planted = 'pl4nted'
const secretNames =
  `password newPassword user_password PASSWD pwd pass passphrase secret clientSecret token
  _token accessToken X-CSRF-Token csrf key API_KEY x-api-key privateKeyPem Authorization Cookie set-cookie
  credential jwt verifier validator X-Auth-Token otp-code connect.sid sessionId signature`.split(
    /\s+/,
  )

/** A value with the planted text in it, and anything else that `without` does not match. */
function secretWithout(without: RegExp): fc.Arbitrary<string> {
  const rest = fc
    .oneof(fc.string({ maxLength: 40 }), fc.string({ unit: 'binary', maxLength: 40 }))
    .map((text) => text.replaceAll(without, ''))
  return fc.tuple(rest, rest).map(([before, after]) => before + planted + after)
}

const anySecret = secretWithout(/(?!)/g)

/** A text that contains a secret value, of how people and programs write a name and a value. */
const spelled = fc.constantFrom(...secretNames).chain((name) =>
  fc.oneof(
    // Objects, as JSON and `util.inspect` write them.
    fc
      .tuple(anySecret, fc.constantFrom<(value: unknown) => unknown>(...nestings))
      .chain(([secret, nest]) =>
        fc.constantFrom<unknown>(secret, [secret], { of: { it: secret } }).map((value) => {
          const id = ['ada', 7, null]
          return nest({ id, [name]: value, user: 'ada' })
        }),
      )
      .chain((value) => fc.constantFrom(...writers).map((write) => write(value))),
    // Pairs, in quotes or not, with and without spaces.
    fc
      .tuple(anySecret, fc.constantFrom(': ', ':', ' : ', '=', ' = ', '= ', ' => '))
      .map(([secret, sign]) => `${name}${sign}${JSON.stringify(secret)}`),
    fc
      .tuple(secretWithout(/[\r\n]/g), fc.constantFrom(': ', ' : ', ' = ', ':\t'))
      .map(([secret, sign]) => `${name}${sign}v${secret}`),
    secretWithout(/[&\s#"'<>\\`]/g).map((secret) => `${name}=v${secret}`),
    secretWithout(/[&\s#"'<>\\`]/g).map((secret) => `?page=2&${name}=v${secret}&x=1`),
    // Numbers.
    fc.constantFrom(`{"${name}":4711${planted}}`, `{ '${name}': 4711${planted}n }`),
  ),
)

class Wrapper {
  readonly content: unknown
  constructor(content: unknown) {
    this.content = content
  }
}

const nestings: readonly ((value: unknown) => unknown)[] = [
  (value) => value,
  (value) => ({ deep: { er: value } }),
  (value) => [1, [value]],
  (value) => new Map([['map', value]]),
  (value) => new Wrapper(value),
  (value) => Object.assign(new Error('failed'), { stack: 'Error: failed\n    at a.ts:1:1', value }),
  (value) => ({ text: JSON.stringify(value) }),
  (value) => ({ text: JSON.stringify({ text: JSON.stringify(value) }) }),
]

const writers: readonly ((value: unknown) => string)[] = [
  (value) => inspect(value, { depth: 9 }),
  (value) => inspect(value, { depth: 9, compact: false }),
  (value) => inspect(value, { depth: 9, compact: true, breakLength: 40 }),
  (value) => inspect(value, { depth: 9, breakLength: Infinity }),
  (value) => inspect(value, { depth: 9, colors: true }),
  (value) => JSON.stringify(value instanceof Map ? [...value.values()] : { value }),
  (value) => JSON.stringify(value instanceof Map ? [...value.values()] : { value }, null, 2),
]

const contexts: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `could not sign in:\n${text}\n    at signIn (routes/tokens.ts:12:5)`,
  (text) => `request {a, b} failed: ${text}`,
  (text) => `it's "Ada's" ${text}`,
  (text) => `${'long '.repeat(300)}${text} ${'long '.repeat(300)}`,
  (text) => `x=1\n//${text}`,
]

test('a secret behind a secret name never survives, however name and value are written', () => {
  fc.assert(
    fc.property(spelled, fc.constantFrom(...contexts), (text, inContext) => {
      const masked = maskText(inContext(text))
      assert.equal(masked.includes(planted), false, masked)
      assert.equal(maskText(masked).includes(planted), false)
    }),
    { numRuns: 3_000 },
  )
})

test('a long text is cut, and a secret at the cut does not come through', () => {
  const long = maskText('x'.repeat(10_000))
  assert.equal(long.length < 8_300, true)
  assert.match(long, /… \(1808 more characters\)$/)
  for (let shift = 0; shift < 40; shift++) {
    for (const edge of [8_192, 65_536]) {
      const text = `${'x'.repeat(edge - shift)}http://user:planted@host/${'y'.repeat(300_000)}`
      assert.equal(maskText(text).includes('planted'), false)
    }
    // Masking makes the text shorter: what was far behind comes within the shown part.
    const shrinking = `http://${'u'.repeat(1_000)}@h `.repeat(65).slice(0, 65_530 - shift)
    assert.equal(
      maskText(`${shrinking} http://u:planted@host${'y'.repeat(999)}`).includes('planted'),
      false,
    )
  }
})

test('a hostile text costs no more than its length', () => {
  const started = process.cpuUsage()
  maskText('://a:'.repeat(50_000))
  maskText('?token'.repeat(50_000))
  maskText('://'.repeat(80_000))
  maskText('token%'.repeat(50_000))
  maskText('"token":"'.repeat(40_000))
  maskText('cookie:'.repeat(40_000))
  maskText('bearer '.repeat(40_000))
  assert.ok(process.cpuUsage(started).user < 1_000_000)
})

test('twice the text costs twice the time, wherever names and values seem to start', () => {
  for (const piece of [
    'token:',
    'token: ',
    'token = ',
    "token: '",
    'token:"\\',
    '"token":\\"',
    "token: 'a' + ",
    'token: \n',
    '{token:[',
    '{ token: {',
    '{token:a',
    'a}token:',
    'code:"E_',
    'code: 1 ',
    'SELECT token = ',
    `${'x'.repeat(200)}:`,
    `token${' '.repeat(200)}`,
    `token: '${'\\'.repeat(200)}`,
  ]) {
    const [short, long] = [costOf(piece, 4_096), costOf(piece, 32_768)]
    assert.ok(long < 24 * short + 20_000, `${piece}: ${short} and ${long} µs`)
  }
})

/** The least of a few runs, in microseconds of CPU time. */
function costOf(piece: string, length: number): number {
  const text = piece.repeat(length / piece.length)
  const costs = [1, 2, 3].map(() => {
    const started = process.cpuUsage()
    maskText(text)
    return process.cpuUsage(started).user
  })
  return Math.min(...costs)
}
