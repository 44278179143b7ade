import * as fc from 'fast-check'
import type { RouteTarget } from './hostile-requests.ts'

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
  fc.constantFrom(
    'a\\b',
    '\\\\evil.example',
    '/\\x',
    'Kitchen\u0000',
    '\u0001'.repeat(9),
    '\ud800x',
  ),
  fc.constantFrom('2147483648', '9223372036854775808', '1970-02-31', '0001-01-01', 'Z'.repeat(300)),
)

/** A value of a typical or extreme size: passwords, e-mails and bodies have limits. */
const long = fc
  .record({
    piece: fc.constantFrom('a', 'é', '%', '&', '=', '\u0000', '\u0001', '"', '\ud800'),
    size: fc.oneof(fc.nat(20_000), fc.nat(1_200_000)),
  })
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
    fc.constantFrom(String.raw`{"email":"\ud800a@b.example","password":"\udc00 eight or more"}`),
    fc.constantFrom(String.raw`{"email":"a\u0000@b.example","password":"eight\u0000 or more"}`),
    fc.dictionary(field, value).map((fields) => JSON.stringify(fields)),
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
  word.map((text) => encodeURIComponent(text.toWellFormed())),
  fc.constantFrom('0123456789abcdef', 'ab'.repeat(32), '%', '%zz', '%00', '%2e%2e', '..', '.'),
)

/** A cursor: any list of values in the right form, or hardly a cursor at all. */
const cursor = fc.oneof(
  fc
    .array(fc.oneof(word, fc.integer(), fc.double(), fc.boolean(), fc.bigInt().map(String)), {
      minLength: 1,
      maxLength: 3,
    })
    .map((values) => Buffer.from(JSON.stringify(values)).toString('base64url')),
  fc.constantFrom('', 'WzFd', '%ff', 'e30'),
)

const parameter = fc.oneof(
  fc.tuple(fc.constantFrom('q', 'category', 'available', 'page', 'limit', 'format'), value),
  fc.tuple(fc.constant('order'), fc.constantFrom('name', 'cheapest', 'dearest', 'newest', 'x')),
  fc.tuple(fc.constant('cursor'), cursor),
  fc.tuple(field, value),
)

const query = fc.oneof(
  fc.constant(''),
  fc
    .array(parameter, { maxLength: 6 })
    .map((fields) => `?${new URLSearchParams(fields).toString().slice(0, 4000)}`),
  fc.constantFrom('?', '?%', '?=', '?a[]=1&a=2', '?cursor=%ff', '?q=a\\b', '?q=\x85\xff'),
)

/** A request line. */
interface OddTarget {
  readonly method: string
  readonly url: string
}

const otherMethod = fc.constantFrom('HEAD', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'PURGE')

/** Requests for a route, with arbitrary parameters; some with another method or path. */
export function oddTargets(route: RouteTarget): fc.Arbitrary<OddTarget> {
  return fc
    .record({
      segments: fc.array(segment, { minLength: 3, maxLength: 3 }),
      end: fc.oneof({ weight: 9, arbitrary: fc.constant('') }, fc.constantFrom('/', '//', '\\')),
      query,
      method: fc.oneof({ weight: 9, arbitrary: fc.constant(route.method) }, otherMethod),
    })
    .map(({ segments, end, query: asked, method }) => ({
      method,
      url: fill(route.pattern, segments) + end + asked,
    }))
}

function fill(pattern: string, segments: readonly string[]): string {
  let at = 0
  return pattern.replaceAll(/[:*][^/]+/g, () => segments[at++] ?? 'x')
}

/** The characters that a parser of HTTP lets through. */
const header = fc
  .array(fc.oneof(fc.integer({ min: 0x20, max: 0x7e }), fc.integer({ min: 0x80, max: 0xff })), {
    maxLength: 80,
  })
  .map((codes) => String.fromCharCode(...codes))

const harmless = fc.record(
  {
    accept: fc.constantFrom('text/html', 'application/json', '*/*', 'application/problem+json', ''),
    'user-agent': header,
    referer: fc.oneof(
      header,
      fc.constantFrom('http://localhost/login', 'http://[', '//x', 'http://localhost/a?q=a\\b'),
      header.map((text) => `http://localhost/login?${text}`),
    ),
    'accept-encoding': fc.oneof(header, fc.constantFrom('br;q=9', 'gzip, gzip', 'identity;q=0')),
    'if-none-match': fc.oneof(header, fc.constantFrom('*', 'W/"', '"\\"')),
    'if-modified-since': fc.oneof(header, fc.constantFrom('Thu, 99 Foo 9999 99:99:99 GMT', '0')),
    range: fc.oneof(header, fc.constantFrom('bytes=-', `bytes=0-${'9'.repeat(30)}`, 'bytes=5-1')),
    'x-forwarded-for': fc.oneof(header, fc.constantFrom('::', '1.2.3.4, ,', 'x'.repeat(9000))),
    'x-forwarded-proto': fc.oneof(header, fc.constantFrom('https,http', '')),
    'x-forwarded-host': fc.oneof(header, fc.constantFrom('evil.example', '[::1')),
    forwarded: fc.oneof(header, fc.constantFrom('for="[::1', 'for=;;;', '=')),
    'sec-fetch-mode': fc.constantFrom('navigate', 'cors', 'x'),
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
