import { OPEN } from './leaky-errors.ts'
import { spiced } from './planted-secrets.ts'
import type { Place, Secrets } from './planted-secrets.ts'

/** A request as raw bytes, sent on its own connection. */
export interface LeakyRequest {
  /** Its name in failure messages. */
  readonly title: string
  readonly bytes: string
  /** The expected status, so that the request cannot miss its target unnoticed. */
  readonly status: number
}

const accepts = ['text/html', 'application/json', 'application/problem+json']
const boundary = 'seam'

/** Requests that carry secrets wherever a request can, to each route in each format. */
export function leakyRequests(
  secrets: Secrets,
  routes: readonly string[],
): readonly LeakyRequest[] {
  const asked = asksOf(secrets, routes)
  return accepts.flatMap((accept) => {
    const head = headOf(secrets, accept)
    return asked.map(({ line, status = 500, type = '', body = '' }) => ({
      title: `${line.slice(0, 30)} as ${accept}`,
      bytes: `${line} HTTP/1.1\r\n${head}${body === '' ? '' : bodyHead(type, body)}\r\n${body}`,
      status,
    }))
  })
}

interface Ask {
  readonly line: string
  readonly status?: number
  readonly type?: string
  readonly body?: string
}

function asksOf(secrets: Secrets, routes: readonly string[]): readonly Ask[] {
  const value = (place: Place): string => encodeURIComponent(spiced(secrets, place))
  const query = `page=${OPEN}&token=${value('query')}&user%5Bpassword%5D=${value('nested query')}`
  const path = `${value(':verifier')}/${value(':token')}`
  const json = 'application/json'
  const body = JSON.stringify({ open: OPEN, key: spiced(secrets, 'json body') })
  // A form sent as JSON, so short that the parser's error message quotes all of it.
  const broken = `key=${secrets['broken json body'][0].slice(0, 16)}`
  return [
    ...routes.map((name) => ({ line: `GET /${name}?${query}` })),
    { line: `GET /reset/${OPEN}/${path}?${query}` },
    { line: 'POST /message', type: 'application/x-www-form-urlencoded', body: form(value) },
    {
      line: 'POST /message?multipart',
      type: `multipart/form-data; boundary=${boundary}`,
      body: multipart(secrets),
    },
    { line: 'POST /json', type: json, body },
    { line: 'POST /json?broken', status: 400, type: json, body: broken },
    { line: 'POST /wrapped', type: json, body: broken },
  ]
}

function headOf(secrets: Secrets, accept: string): string {
  // Headers allow printable characters; special ones stay, except those that would end a value early.
  const header = (place: Place): string => spiced(secrets, place)
  const cookie = encodeURIComponent(spiced(secrets, 'cookie'))
  const referer = encodeURIComponent(spiced(secrets, 'referer query'))
  return [
    'Host: localhost',
    'Connection: close',
    `Accept: ${accept}`,
    `X-Open: ${OPEN}`,
    `Authorization: Bearer ${header('authorization')}`,
    `Proxy-Authorization: Basic ${Buffer.from(header('proxy-authorization')).toString('base64')}`,
    `Cookie: open=${OPEN}; session=${cookie}`,
    `X-Api-Key: ${header('x-api-key')}`,
    `X-Csrf-Token: ${header('x-csrf-token')}`,
    `Referer: http://localhost/sign-in?next=${OPEN}&access_token=${referer}`,
    '',
  ].join('\r\n')
}

function bodyHead(type: string, body: string): string {
  return `Content-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`
}

function form(value: (place: Place) => string): string {
  return `open=${OPEN}&new-password=${value('form field')}`
}

function multipart(secrets: Secrets): string {
  const part = (disposition: string, text: string): string =>
    `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${text}\r\n`
  return (
    part('name="open"', OPEN) +
    part('name="card[secret]"', spiced(secrets, 'multipart field')) +
    part('name="file"; filename="keys.txt"', spiced(secrets, 'uploaded file')) +
    `--${boundary}--\r\n`
  )
}
