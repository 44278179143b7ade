import assert from 'node:assert/strict'
import { createSecretKey } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readAssertion, readNewCredential } from '../../src/accounts/passkeys/read-credential.ts'
import { parsePhc } from '../../src/accounts/passwords/phc-string.ts'
import { readApiTokenText } from '../../src/accounts/tokens/api-tokens.ts'
import { readTokenText } from '../../src/accounts/tokens/token.ts'
import { FrameworkError } from '../../src/base/errors.ts'
import { maskText } from '../../src/base/mask-text.ts'
import { parseMoment } from '../../src/database/sql/values/moment.ts'
import { HttpError } from '../../src/http/errors/http-error.ts'
import { acceptedTypes, preferredType } from '../../src/http/request/accept.ts'
import { Cookies } from '../../src/http/request/cookies.ts'
import { decodeJson } from '../../src/http/request/decode-json.ts'
import { boundaryOf, partHeader } from '../../src/http/request/part-header.ts'
import { plainAddress, trustPeers } from '../../src/http/request/peer.ts'
import { lastValues, queryPairs } from '../../src/http/request/query.ts'
import { parsePattern } from '../../src/http/router/route-pattern.ts'
import { completeLimits } from '../../src/http/server/engine/limits.ts'
import { decodeData, encodeData } from '../../src/http/session/session-data.ts'
import { LanguageFormats } from '../../src/i18n/language-formats.ts'
import { parseMessage } from '../../src/i18n/message.ts'
import { parseAddress } from '../../src/mail/address.ts'
import { readMail } from '../../src/mail/read-mail.ts'
import { decodeCursor, encodeCursor, verifyCursor } from '../../src/orm/pagination/cursor.ts'
import { cronTimes } from '../../src/schedule/task.ts'
import { readEnvFile } from '../../src/settings/env-file.ts'
import { formatTraceparent, parseTraceContext } from '../../src/tracing/trace-context.ts'
import { read as readForm } from '../support/multipart-form.ts'
import type { FuzzTarget } from './fuzz-target.ts'

const limits = completeLimits()

/** Runs a parser; undefined if it refuses its input with an error of this kind. */
function refusable<Value>(read: () => Value, ...codes: readonly string[]): Value | undefined {
  try {
    return read()
  } catch (error) {
    assert.ok(isRefusal(error, codes), error instanceof Error ? error : String(error))
    return undefined
  }
}

function isRefusal(error: unknown, codes: readonly string[]): boolean {
  if (error instanceof HttpError) return error.status >= 400 && error.status < 500
  return error instanceof FrameworkError && codes.includes(error.code)
}

/** No input may reach a prototype. */
function assertPlain(values: object): void {
  const prototype: unknown = Object.getPrototypeOf(values)
  assert.ok(prototype === null || prototype === Object.prototype)
  assert.ok(!('polluted' in {}))
}

/** The parsers that need nothing but a text. */
export const parsers: readonly FuzzTarget[] = [
  {
    name: 'cookies',
    words: ['session=', 'remember=', '__Host-', '; ', '="', '%22'],
    run(input) {
      for (const [name, value] of new Cookies(input.toString('latin1')).all()) {
        assert.ok(name !== '' && name === name.trim() && !/[;=]/.test(name))
        assert.equal(typeof value, 'string')
      }
    },
  },
  {
    name: 'query',
    words: ['a=1', '&', '%2B', '__proto__[polluted]=1', 'a[]=', 'cursor='],
    run(input) {
      const text = input.toString('utf8')
      const pairs = queryPairs(text)
      assert.deepEqual(pairs, [...new URLSearchParams(text)])
      assertPlain(lastValues(pairs))
    },
  },
  {
    name: 'json',
    words: [
      '{"',
      '":',
      '[[',
      ']]',
      '"__proto__":{"polluted":1}',
      '\\u0000',
      '\\ud800',
      'true',
      '1e400',
    ],
    run(input) {
      const value = refusable(() => decodeJson(input, limits))
      if (value === undefined) return
      const plain: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(input))
      if (!/__proto__|\\u/.test(input.toString('latin1'))) assert.deepEqual(value, plain)
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) assertPlain(value)
    },
  },
  {
    name: 'multipart',
    words: [
      '--B',
      '--B--',
      '\r\n\r\n',
      'Content-Disposition: form-data; name="',
      '"; filename="',
      'Content-Type: ',
      'filename*=',
      'Content-Transfer-Encoding: base64',
    ],
    async run(input) {
      const outcome = async (size: number): Promise<unknown> => {
        try {
          const form = await readForm(input, {}, size)
          const files = form.files.map(({ field, filename, type, size }) => ({
            field,
            filename,
            type,
            size,
          }))
          const fields = { ...form.fields }
          form.dispose()
          return { fields, files }
        } catch (error) {
          assert.ok(isRefusal(error, []), error instanceof Error ? error : String(error))
          return error instanceof HttpError ? error.status : null
        }
      }
      // However the network cuts it.
      const whole = await outcome(input.length + 1)
      assert.deepEqual(await outcome(1 + (input.length % 61)), whole)
    },
  },
  {
    name: 'part-header',
    words: ['form-data', '; name=', '; filename="', 'multipart/form-data; boundary=', '\\"'],
    run(input) {
      const text = input.toString('latin1')
      const part = refusable(() => partHeader({ 'content-disposition': [text] }))
      if (part !== undefined) assert.equal(typeof part.name, 'string')
      const boundary = refusable(() => boundaryOf(text))
      assert.ok(boundary === undefined || (boundary !== '' && boundary.length <= 70))
    },
  },
  {
    name: 'accept',
    words: ['text/html', '*/*', ';q=0.5', 'application/json', ', ', ';q=', 'q=1.001'],
    run(input) {
      const text = input.toString('latin1')
      const offers = ['text/html', 'application/json', 'text/plain']
      const preferred = preferredType(text, offers)
      assert.ok(preferred === null || offers.includes(preferred))
      for (const { quality } of acceptedTypes(text)) assert.ok(quality >= 0 && quality <= 1)
    },
  },
  {
    name: 'forwarded',
    words: [
      '127.0.0.1',
      '::1',
      '::ffff:10.0.0.1',
      ', ',
      '10.0.0.0/8',
      ':8080',
      '[::1]:1',
      'unknown',
    ],
    run(input) {
      const text = input.toString('latin1')
      const peers = trustPeers(['127.0.0.1', '10.0.0.0/8'])
      assert.equal(typeof peers.peer('127.0.0.1', text), 'string')
      assert.equal(peers.peer('203.0.113.9', text), '203.0.113.9', 'a stranger has no say')
      assert.equal(plainAddress(plainAddress(text)), plainAddress(text))
      refusable(() => trustPeers([text]), 'E_PROXY')
    },
  },
  {
    name: 'cursor',
    words: ['WzFd', 'WyJhIl0', '=', '.', '_', '-', 'WzEsImEiXQ'],
    run(input) {
      const token = input.toString('latin1')
      for (const arity of [1, 2, 3]) {
        const values = refusable(() => decodeCursor(token, arity), 'E_CURSOR')
        if (values !== undefined) assert.equal(encodeCursor(values), token)
      }
      const key = createSecretKey(Buffer.alloc(32, 1))
      assert.equal(
        refusable(() => verifyCursor(token, [key], 'items'), 'E_CURSOR'),
        undefined,
      )
    },
  },
  {
    name: 'traceparent',
    words: [
      '00-',
      'ff-',
      '0af7651916cd43dd8448eb211c80319c',
      '-b7ad6b7169203331-',
      '01',
      '\n',
      'a@b=',
      ',',
    ],
    run(input) {
      const [parent, ...state] = input.toString('latin1').split('\n')
      const context = parseTraceContext(parent, state.join('\n'))
      if (context === null) return
      const again = parseTraceContext(formatTraceparent(context), context.state)
      assert.deepEqual(again, context)
      assert.ok(context.state.length <= 512 && !/[\r\n]/.test(context.state))
    },
  },
  {
    name: 'cron',
    words: ['*', '*/5', '0 7 * * 1', '1-5', 'MON', 'JAN', 'L', '#2', '?', 'W', '59', '@daily'],
    run(input) {
      const times = refusable(
        () => cronTimes(input.toString('latin1'), 'Europe/Berlin'),
        'E_SCHEDULE',
      )
      const now = Date.UTC(2026, 9, 24)
      const next = times?.next(now) ?? null
      assert.ok(next === null || next > now)
    },
  },
  {
    name: 'message',
    words: [
      '{n}',
      '{n, plural, ',
      'one {#}',
      'other {',
      '}',
      "'{'",
      'select, ',
      'offset:1',
      ', number',
      ', date',
    ],
    run(input) {
      const message = refusable(() => parseMessage(input.toString('utf8')), 'E_MESSAGE')
      if (message === undefined) return
      const values = Object.fromEntries([...message.names].map((name) => [name, 3]))
      const write = (): string => message.format(values, new LanguageFormats('de', (part) => part))
      assert.equal(write(), write())
    },
  },
  {
    name: 'env',
    words: ['A=1\n', 'export ', '="', "='", '#', '\\n', '${A}', '`'],
    run(input) {
      const folder = mkdtempSync(join(tmpdir(), 'framework-fuzz-'))
      try {
        const path = join(folder, '.env')
        writeFileSync(path, input)
        const values = refusable(() => readEnvFile(path, '.env'), 'E_ENV_FILE')
        for (const [name, value] of values ?? []) {
          assert.match(name, /^[A-Za-z_][\w.]*$/)
          assert.equal(typeof value, 'string')
        }
        const text = input.toString('utf8')
        if (values === undefined || /["'`]/.test(text)) return
        for (const [, name = ''] of text.matchAll(/^[ \t]*([A-Za-z_]\w*)[ \t]*=/gm)) {
          assert.ok(values.has(name), `${name} is lost`)
        }
      } finally {
        rmSync(folder, { recursive: true })
      }
    },
  },
  {
    name: 'mail',
    words: [
      'Content-Type: multipart/mixed; boundary=',
      'text/html',
      '; charset="',
      '--b\r\n',
      '--b--',
      '=?UTF-8?Q?',
      '=?utf-8?B?',
      '?=',
      'Content-Transfer-Encoding: ',
      'base64',
      'quoted-printable',
      'Subject: ',
      '\r\n ',
      '=\r\n',
      '=C3',
    ],
    async run(input) {
      const mail = await readMail(input)
      for (const { name, value } of mail.headers) {
        assert.ok(name !== '' && typeof value === 'string')
      }
    },
  },
  {
    name: 'address',
    words: ['ada@example.com', '<', '>', '@', 'xn--', '"', '..', 'ü', '\r\nBcc: '],
    run(input) {
      const parsed = refusable(
        () => parseAddress('to', input.toString('utf8')),
        'E_MAIL_ADDRESS',
        'E_MAIL_HEADER',
      )
      if (parsed === undefined) return
      assert.doesNotMatch(`${parsed.name}${parsed.address}`, /[\r\n\0]/)
      assert.deepEqual(parseAddress('to', parsed.address).address, parsed.address)
    },
  },
  {
    name: 'moment',
    words: ['2026-11-19', 'T', '12:00:00', '.123456', 'Z', '+02:00', '24:00', '02-30', '0000'],
    run(input) {
      const moment = parseMoment(input.toString('latin1'))
      assert.ok(moment === null || typeof moment === 'object')
    },
  },
  {
    name: 'phc',
    words: ['$argon2id$', 'v=19$', 'm=65536,t=3,p=4', '$scrypt$', 'ln=17,r=8,p=1', '$'],
    run: (input) => parsePhc(input.toString('latin1')),
  },
  {
    name: 'credential',
    words: [
      '"type":"public-key"',
      '"id":"',
      '"response":{',
      '"clientDataJSON":"',
      '"transports":[',
      'usb',
    ],
    run(input) {
      const text = input.toString('utf8')
      const credential = readNewCredential(text)
      assert.ok(credential === null || credential.transports.length <= 4)
      readAssertion(text)
    },
  },
  {
    name: 'token',
    words: ['.', 'fwk_', '0123456789abcdef', '_'],
    run(input) {
      const text = input.toString('latin1')
      const proof = readTokenText(text)
      if (proof !== null) assert.match(text, /^[0-9a-f]{16}\.[0-9a-f]{64}$/)
      const api = readApiTokenText(text)
      assert.ok(api === null || /^[0-9a-f]{64}$/.test(api.digest))
    },
  },
  {
    name: 'session',
    words: ['{"values":{', '"flash":{', '}', '"__proto__":', 'null', '"pending":'],
    run(input) {
      const data = decodeData(input.toString('utf8'))
      if (data === null || input.length > 3_000) return
      assert.deepEqual(decodeData(encodeData(data)), data)
      assertPlain(data.values)
    },
  },
  {
    name: 'pattern',
    words: ['/users', '/:id', '<int>', '<\\d+>', '?', '/*rest', '<', '>'],
    run: (input) => refusable(() => parsePattern(input.toString('utf8')), 'E_ROUTE_PATTERN'),
  },
  {
    name: 'mask',
    words: [
      'password=',
      '"token":"',
      'Authorization: Bearer ',
      'postgres://a:b@',
      'Cookie: ',
      'secret',
    ],
    run(input) {
      const text = input.toString('utf8')
      const masked = maskText(text)
      assert.ok(masked.length <= text.length * 12 + 100)
      assert.ok(!maskText(`password=planted-${'x'.repeat(8)}\n${text}`).includes('planted-x'))
    },
  },
]

/** What comes on a connection, to a server of the test's own. */
export function httpTarget(port: number, reported: readonly Error[]): FuzzTarget {
  return {
    name: 'http',
    words: [
      'GET / HTTP/1.1\r\n',
      'POST /echo HTTP/1.1\r\n',
      'Host: localhost\r\n',
      'Content-Length: 5\r\n',
      'Transfer-Encoding: chunked\r\n',
      '5\r\nhello\r\n',
      '0\r\n\r\n',
      'Connection: close\r\n',
      'Expect: ',
      'Content-Type: application/x-www-form-urlencoded\r\n',
      'Cookie: a=b\r\n',
      'Range: bytes=',
      '/items/1',
      'Content-Type: multipart/form-data; boundary=B\r\n',
      'Accept: ',
      'HTTP/1.0',
      'OPTIONS *',
      '?a=1&a=2',
    ],
    async run(input) {
      const socket = connect({ port, host: '127.0.0.1' })
      let answer = ''
      socket.on('data', (chunk) => (answer += chunk.toString('latin1')))
      // A server may reset a connection that it refuses.
      socket.on('error', () => {})
      const closed = once(socket, 'close')
      socket.end(input)
      await closed
      const statuses = [...answer.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) =>
        Number(status),
      )
      assert.ok(answer === '' || statuses.length > 0, `no answer: ${answer.slice(0, 200)}`)
      assert.ok(
        statuses.every((status) => status < 500 || status === 501 || status === 505),
        answer,
      )
      assert.deepEqual(reported, [])
    },
  }
}
