import type { InjectedRequest } from '../../src/http/server/inject.ts'

/** A route, or a path that a file or nothing is at. */
export interface RouteTarget {
  readonly method: string
  readonly pattern: string
}

/** Values that some layer counts, encodes, compares or stores in another way than the one before it. */
const values: readonly string[] = [
  'Kitchen\u0000',
  '\u0001'.repeat(15_000),
  'a\\b',
  '\ud800',
  'é'.repeat(9_000),
  '2147483648',
  '2026-02-31 25:00:00',
  `%_'"<\`\${}`,
]

const names = ['q', 'category', 'order', 'page', 'limit', 'email', 'password', 'current', 'title']
const form = 'application/x-www-form-urlencoded'

/** Requests for a route with each hostile value in all its places: path, query, body and headers. */
export function* hostileRequests(
  { method, pattern }: RouteTarget,
  token: string,
): Generator<InjectedRequest> {
  for (const value of values) {
    const text = value.toWellFormed()
    const path = pattern.replaceAll(/[:*][^/]+/g, encodeURIComponent(text).slice(0, 3_000))
    // What a browser leaves as it is in a query and a Referer.
    const raw = text.slice(0, 500).replaceAll(/[^\x21-\x7e]/g, encodeURIComponent)
    const cursor = Buffer.from(JSON.stringify([value, 7])).toString('base64url')
    const referer = `http://localhost/login?q=${raw}`
    const headers = { referer, 'x-request-id': raw, 'x-forwarded-for': raw, 'if-none-match': raw }
    if (method === 'GET') {
      const fields = Object.fromEntries(names.map((name) => [name, text.slice(0, 500)]))
      yield { url: `${path}?${new URLSearchParams(fields).toString()}`, headers }
      yield { url: `${path}?cursor=${cursor.slice(0, 4_000)}`, headers }
      yield { url: `${path}/?q=${raw}`, headers }
      continue
    }
    const fields = Object.fromEntries(names.map((name) => [name, value]))
    const known = { 'x-csrf-token': token, 'content-type': form }
    const body = new URLSearchParams(fields).toString()
    yield { url: path, method, body, headers: { ...headers, ...known } }
    // Without a token the form is sent back to its page, with its input.
    yield { url: path, method, body, headers: { ...headers, 'content-type': form } }
    yield {
      url: path,
      method,
      body: JSON.stringify(fields),
      headers: { ...known, 'content-type': 'application/json', accept: 'application/json' },
    }
  }
}
