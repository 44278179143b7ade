import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { LoadRequest } from '../method/load.ts'

/** A response as it came: compressed if it was. */
export interface Exchanged {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  readonly text: string
}

/** Sends one request on a connection of its own; the certificate is not checked. */
export function exchange(
  { url, method = 'GET', headers = {}, body }: LoadRequest,
  bytes?: Buffer,
): Promise<Exchanged> {
  const send = url.startsWith('https:') ? httpsRequest : httpRequest
  const content = bytes ?? (body === undefined ? null : Buffer.from(body))
  const sent = {
    ...headers,
    connection: 'close',
    ...(content !== null && { 'content-length': String(content.length) }),
  }
  return new Promise((resolve, reject) => {
    const asked = send(url, { method, headers: sent, rejectUnauthorized: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const all = Buffer.concat(chunks)
        const { statusCode: status = 0, headers } = response
        resolve({ status, headers, body: all, text: all.toString() })
      })
    })
    asked.on('error', reject)
    asked.end(content ?? undefined)
  })
}

/** The cookies that a browser has after these responses, as its header `Cookie`. */
export class CookieJar {
  readonly #cookies = new Map<string, string>()

  take({ headers }: Pick<Exchanged, 'headers'>): void {
    for (const line of headers['set-cookie'] ?? []) {
      const [pair = ''] = line.split(';')
      const mark = pair.indexOf('=')
      const isOver = /;\s*max-age=0\b/i.test(line) || pair.slice(mark + 1) === ''
      if (isOver) this.#cookies.delete(pair.slice(0, mark))
      else this.#cookies.set(pair.slice(0, mark), pair.slice(mark + 1))
    }
  }

  get header(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }
}

/** Name and value of the token in a page with a form; null if there is none. */
export function tokenIn(html: string): { readonly name: string; readonly value: string } | null {
  for (const [input] of html.matchAll(/<input[^>]*>/g)) {
    if (!/type=["']hidden["']/.test(input)) continue
    const name = /name=["']([^"']*)["']/.exec(input)?.[1]
    const value = /value=["']([^"']*)["']/.exec(input)?.[1]
    if (name !== undefined && value !== undefined) return { name, value }
  }
  return null
}
