import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { LoadRequest } from '../method/load.ts'
import { type Exchanged, exchange, tokenIn } from './exchange.ts'
import { member } from './plant.ts'
import { megabyte } from './stage.ts'
import type { Task } from './tasks.ts'
import { enter, note, type Place, sendOnce } from './visit.ts'

/**
 * Sends the request of a task once and compares the response with the right one, headers included.
 * @throws Error that names the difference.
 */
export async function probe(task: Task, place: Place, request: LoadRequest): Promise<void> {
  if (task.kind === 'login') return probeLogin(place)
  const response = await sendOnce(request)
  checkHeaders(task, response)
  await checks[task.kind](task, place, response)
}

type Check = (task: Task, place: Place, response: Exchanged) => Promise<void> | void

const checks: Readonly<Record<Exclude<Task['kind'], 'login'>, Check>> = {
  async list({ encoding }, _place, response) {
    const page = decoded(response, encoding)
    await checkPage('items', { ...response, text: page })
  },
  form: checkForm,
  async newcomer(task, place, response) {
    await checkForm(task, place, response)
    assert.ok(response.headers['set-cookie'] !== undefined, 'a newcomer gets no cookie')
  },
  async guarded(_task, { origin }, response) {
    await checkPage('account', response)
    const { status, headers } = await exchange({ url: `${origin}/account` })
    assert.ok(status === 302 || status === 303, `a guest gets ${status} for /account`)
    assert.match(headers.location ?? '', /\/login$/)
  },
  async api({ path }, { origin }, response) {
    assert.deepEqual(JSON.parse(response.text), JSON.parse(await expected('api.json')))
    const authorization = `Bearer ${'x'.repeat(40)}`
    for (const headers of [{}, { authorization }]) {
      const { status } = await exchange({ url: origin + path, headers })
      assert.equal(status, 401, `a wrong token gets ${status}`)
    }
  },
  async insert({ path }, { origin, token }, response) {
    const { id, ...added } = Object(JSON.parse(response.text))
    assert.ok(Number.isInteger(id) && id > 0, `the id of the new note is ${id}`)
    assert.deepEqual(added, note)
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    for (const wrong of [{ title: '' }, { priority: 4 }, { text: 'x'.repeat(2001) }]) {
      const body = JSON.stringify({ ...note, ...wrong })
      const { status } = await exchange({ url: origin + path, method: 'POST', headers, body })
      assert.ok(status === 400 || status === 422, `an invalid note gets ${status}`)
    }
  },
  static({ path }, _place, { body, headers }) {
    assert.equal(body.length, path.endsWith('.css') ? 10_000 : megabyte)
    assert.ok(headers.etag ?? headers['last-modified'], 'the file has no validator')
  },
  unchanged(_task, _place, { body }) {
    assert.equal(body.length, 0)
  },
  upload(_task, _place, { text }) {
    assert.deepEqual(JSON.parse(text), { name: 'file.bin', size: megabyte })
  },
}

async function checkForm({ path }: Task, _place: Place, response: Exchanged): Promise<void> {
  const token = tokenIn(response.text)
  assert.ok(token !== null && token.value.length >= 20, 'the form has no token')
  await checkPage(path.slice(1), response)
}

async function probeLogin({ origin }: Place): Promise<void> {
  const right = await enter(origin, member.password)
  checkRedirect(right.entered, '/account')
  assert.notEqual(right.after, right.before, 'the session keeps its id')
  const account = await exchange({ url: `${origin}/account`, headers: { cookie: right.after } })
  await checkPage('account', account)
  const wrong = (await enter(origin, 'not the password')).entered
  if (wrong.status < 400 || wrong.status >= 500) checkRedirect(wrong, '/login')
  // The form of another site: without a token.
  const body = new URLSearchParams({ email: member.email, password: member.password }).toString()
  const headers = { cookie: right.before, 'content-type': 'application/x-www-form-urlencoded' }
  const forged = await exchange({ url: `${origin}/login`, method: 'POST', headers, body })
  assert.ok(forged.status >= 400 && forged.status < 500, `a forged form gets ${forged.status}`)
}

function checkRedirect({ status, headers }: Exchanged, to: string): void {
  assert.ok(status === 302 || status === 303, `the form gets ${status}`)
  assert.equal(new URL(headers.location ?? '', 'http://x').pathname, to)
}

const statuses: Partial<Record<Task['kind'], number>> = { insert: 201, unchanged: 304 }
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

function checkHeaders({ kind, tls }: Task, { status, headers, text }: Exchanged): void {
  const right = statuses[kind] ?? 200
  assert.equal(status, right, `answers ${status} ${text.slice(0, 300)}, expected ${right}`)
  assert.match(String(headers['x-request-id']), uuid, 'X-Request-Id')
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.ok(headers['referrer-policy'], 'Referrer-Policy is missing')
  assert.ok(headers['x-frame-options'], 'X-Frame-Options is missing')
  assert.ok(headers['content-security-policy'], 'Content-Security-Policy is missing')
  if (tls) assert.ok(headers['strict-transport-security'], 'HSTS is missing')
}

/** Compares a page with the right one, and its nonce with the policy. */
async function checkPage(name: string, { headers, text }: Exchanged): Promise<void> {
  assert.match(headers['content-type'] ?? '', /^text\/html; ?charset=utf-8$/i)
  const nonce = /<script nonce="([^"]{16,})"/.exec(text)?.[1] ?? ''
  const policy = headers['content-security-policy'] ?? ''
  assert.ok(
    nonce !== '' && String(policy).includes(`'nonce-${unescaped(nonce)}'`),
    `the nonce "${nonce}" is not in the policy`,
  )
  assert.equal(comparable(text), comparable(await expected(`${name}.html`)))
}

/** A page without what differs between two of one server, and with its whitespace made equal. */
function comparable(html: string): string {
  return (
    html
      .replace(/<script nonce="[^"]*"/, '<script nonce=""')
      .replace(/<input[^>]*type="hidden"[^>]*>/g, '<input type="hidden">')
      // Ours names the limit of the list in its links.
      .replaceAll('limit=10&amp;', '')
      .replaceAll(/(style)\.[0-9a-f]{12}\.css/g, '$1.css')
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/> </g, '>\n<')
      .replaceAll(/ ?(<[^>]+>) ?/g, '$1')
      .trim()
  )
}

function decoded({ body, headers, text }: Exchanged, encoding: Task['encoding']): string {
  if (encoding === null) return text
  assert.equal(headers['content-encoding'], encoding)
  return (encoding === 'br' ? brotliDecompressSync(body) : gunzipSync(body)).toString()
}

// As HTML escapes base64.
function unescaped(nonce: string): string {
  return nonce
    .replaceAll(/&#(?:x2b|43);/gi, '+')
    .replaceAll(/&#(?:x3d|61);/gi, '=')
    .replaceAll(/&#(?:x2f|47);/gi, '/')
}

function expected(name: string): Promise<string> {
  return readFile(`${import.meta.dirname}/expected/${name}`, 'utf8')
}
