import * as fc from 'fast-check'

/** A body and its claimed type. */
interface OddBody {
  readonly type: string
  readonly body: string | Uint8Array
}

const form = 'application/x-www-form-urlencoded'

const word = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }).map((text) => text.toWellFormed()),
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    '\uFEFF',
    '\u202E',
    "' OR 1=1 --",
    '${7*7}',
    '../../etc/passwd',
  ),
  fc.constantFrom('<script>', '%', '%zz', '%ff%fe', '\r\nSet-Cookie: a=b', 'ada@example.com'),
  fc.constantFrom('constructor', '__proto__', 'toString', '9'.repeat(400), '-1', '1e999', 'NaN'),
)

/** A value of a typical or extreme size: passwords, e-mails and bodies have limits. */
const long = fc
  .record({ piece: fc.constantFrom('a', 'é', '%', '&', '=', '\u0000'), size: fc.nat(1_200_000) })
  .map(({ piece, size }) => piece.repeat(size))

const value = fc.oneof({ weight: 30, arbitrary: word }, { weight: 1, arbitrary: long })

const field = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.constantFrom(
      'email',
      'password',
      'password_confirmation',
      'current',
      'remember',
      '_token',
      '_method',
    ),
  },
  { weight: 2, arbitrary: word },
  { weight: 1, arbitrary: fc.constantFrom('email[]', 'email[0]', 'a[b][c]', '__proto__[x]') },
)

const pairs = fc.array(fc.tuple(field, value), { maxLength: 12 })

/** Forms with repeated fields, or hundreds of them, in any encoding. */
const forms: fc.Arbitrary<OddBody> = fc.oneof(
  pairs.map((fields) => ({ type: form, body: new URLSearchParams(fields).toString() })),
  pairs.map((fields) => ({ type: form, body: fields.map((one) => one.join('=')).join('&') })),
  fc.nat(3000).map((count) => ({ type: form, body: 'email=a&'.repeat(count) })),
  fc.uint8Array({ maxLength: 500 }).map((body) => ({ type: form, body })),
)

const json: fc.Arbitrary<OddBody> = fc
  .oneof(
    fc.json({ maxDepth: 6 }),
    { weight: 4, arbitrary: fc.constantFrom('null', '[]', '7', 'true', '{"email":null}') },
    fc.dictionary(field, fc.jsonValue()).map((fields) => JSON.stringify(fields)),
    fc.nat(100_000).map((depth) => '['.repeat(depth) + ']'.repeat(depth)),
    fc.nat(20_000).map((depth) => '{"email":'.repeat(depth) + '1' + '}'.repeat(depth)),
    fc.json().map((text) => text.slice(0, -1)),
    word,
  )
  .map((body) => ({ type: 'application/json', body }))

const multipart: fc.Arbitrary<OddBody> = fc
  .record({ fields: pairs, end: fc.constantFrom('--x--\r\n', '--x--', '--x', '') })
  .map(({ fields, end }) => ({
    type: 'multipart/form-data; boundary=x',
    body:
      fields
        .map(
          ([name, text]) =>
            `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`,
        )
        .join('') + end,
  }))

/** A body of a known type, possibly declared as another. */
export const oddBodies: fc.Arbitrary<OddBody> = fc.oneof(
  { weight: 4, arbitrary: fc.oneof(forms, json, multipart) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.oneof(forms, json, multipart),
        fc.constantFrom(
          form,
          `${form}; charset=utf-16`,
          'application/json; charset=latin1',
          'multipart/form-data',
          `multipart/form-data; boundary="${'b'.repeat(200)}"`,
          'text/plain',
          'application/xml',
          'x',
          '',
        ),
      )
      .map(([{ body }, type]) => ({ type, body })),
  },
)

const segment = fc.oneof(
  word.map((text) => encodeURIComponent(text)),
  fc.constantFrom('0123456789abcdef', 'ab'.repeat(32), '%', '%zz', '%00', '%2e%2e', '..', '.'),
)

const link = fc.tuple(segment, segment).map((parts) => parts.join('/'))

const query = fc.oneof(
  fc.constant(''),
  pairs.map((fields) => `?${new URLSearchParams(fields).toString().slice(0, 2000)}`),
  fc.constantFrom('?', '?%', '?=', '?a[]=1&a=2', '?cursor=%ff'),
)

/** The account routes, with arbitrary parameters. */
export const oddPaths: fc.Arbitrary<string> = fc
  .tuple(
    fc.oneof(
      {
        weight: 6,
        arbitrary: fc.constantFrom(
          '/login',
          '/register',
          '/forgot',
          '/password',
          '/logout',
          '/verify',
        ),
      },
      { weight: 1, arbitrary: fc.constantFrom('/account', '/items', '/devices', '/reset') },
      { weight: 1, arbitrary: link.map((parts) => `/verify/${parts}`) },
      { weight: 1, arbitrary: link.map((parts) => `/reset/${parts}`) },
      { weight: 1, arbitrary: segment.map((id) => `/devices/${id}/revoke`) },
      { weight: 1, arbitrary: segment.map((id) => `/sessions/${id}/revoke`) },
    ),
    query,
  )
  .map((parts) => parts.join(''))

const header = fc.string({ unit: 'grapheme-ascii', maxLength: 80 })

const harmless = fc.record(
  {
    accept: fc.constantFrom('text/html', 'application/json', '*/*', 'application/problem+json', ''),
    'user-agent': header,
    referer: fc.oneof(header, fc.constantFrom('http://localhost/login', 'http://[', '//x')),
    'x-request-id': header,
    purpose: fc.constantFrom('prefetch', 'x'),
  },
  { requiredKeys: [] },
)

/** Headers with which most requests are refused early. */
const refused = fc.record(
  {
    origin: fc.constantFrom('http://localhost', 'null', 'http://evil.example', 'x'),
    'sec-fetch-site': fc.constantFrom('same-origin', 'cross-site', 'none', 'x'),
    'x-csrf-token': header,
    cookie: header.map((text) => `session=${text}; remember=${text}`),
  },
  { requiredKeys: [] },
)

/** Headers that the routes read, often none of them. */
export const oddHeaders: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 5, arbitrary: harmless },
  { weight: 1, arbitrary: fc.tuple(harmless, refused).map((both) => Object.assign({}, ...both)) },
)
