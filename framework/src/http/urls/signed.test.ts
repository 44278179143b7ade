import assert from 'node:assert/strict'
import { createSecretKey } from 'node:crypto'
import { test } from 'node:test'
import { Environments } from '../../settings/environments.ts'
import { ApplicationKey } from '../../settings/application-key.ts'
import { Server } from '../server/server.ts'
import { defineRoutes } from './define-routes.ts'
import { SignedUrls } from './signed-urls.ts'
import { Signed } from './signed.ts'

const route = defineRoutes({ file: '/files/:id', 'file.keep': '/files/:id/keep' })
const secret = (byte: number) => createSecretKey(Buffer.alloc(32, byte))
const key = new ApplicationKey(secret(1))
let now = 1_800_000_000

function urlsOf(applicationKey: ApplicationKey = key): SignedUrls<typeof route.patterns> {
  return new SignedUrls({
    route,
    key: applicationKey,
    url: 'https://shop.example',
    clock: () => now,
  })
}

const urls = urlsOf()
const server = new Server({ environment: Environments.Production, reporter: null })
server.router
  .get('/files/:id', ({ params }) => `file ${params.id}`, { middlewares: [new Signed(urls)] })
  .post('/files/:id', () => 'posted', { middlewares: [new Signed(urls)] })
  .post('/files/:id/keep', () => 'kept', { middlewares: [new Signed(urls, { methods: ['post'] })] })

const targetOf = (url: string) => url.slice('https://shop.example'.length)
async function ask(url: string, method = 'GET'): Promise<string> {
  const headers = { accept: 'application/problem+json' }
  const { status, text } = await server.inject({ method, url, headers })
  return status === 200 ? text : `${status} ${/"detail":"([^"]*)"/.exec(text)?.[1] ?? ''}`
}

test('a signed URL is absolute, and lets GET and HEAD through', async () => {
  const url = urls.signedUrl('file', { id: 'a b' }, { query: { v: 2 } })
  assert.match(url, /^https:\/\/shop\.example\/files\/a%20b\?v=2&signature=[\w-]{43}$/)
  assert.equal(await ask(targetOf(url)), 'file a b')
  assert.equal((await server.inject({ method: 'HEAD', url: targetOf(url) })).status, 200)
})

test('any change is refused: path, query, order, additions, signature', async () => {
  const url = targetOf(urls.signedUrl('file', { id: 'a' }, { expires: 60, query: { v: 2, w: 3 } }))
  assert.equal(await ask(url), 'file a')
  const signature = /signature=.*/.exec(url)?.[0] ?? ''
  const flipped = signature.replace(/=(.)/, (_, first) => (first === 'A' ? '=B' : '=A'))
  const changed = [
    '/files/a',
    '/files/a?signature=',
    url.replace('/files/a', '/files/b'),
    url.replace('v=2', 'v=9'),
    url.replace('v=2&w=3', 'w=3&v=2'),
    url.replace('?', '?utm_source=mail&'),
    `${url}&utm_source=mail`,
    `${url}&${signature}`,
    url.replace(/expires=\d+/, 'expires=99999999999'),
    url.replace(/&expires=\d+/, ''),
    url.replace(signature, flipped),
    url.slice(0, -1),
    `${url}A`,
  ]
  const plain = targetOf(urls.signedUrl('file', { id: 'a' }))
  // Otherwise a part of the path, and with it of the id, would be signed as something else.
  changed.push(plain.replace('?', '&'), url.replace('&signature', '?signature'))
  // The last sign has two bits that no byte needs.
  const end = url.slice(-1)
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  changed.push(
    ...digits
      .split('')
      .filter((sign) => sign !== end)
      .map((sign) => url.slice(0, -1) + sign),
  )
  for (const target of changed)
    assert.equal(await ask(target), '403 This link is not valid.', target)
})

test('an expired link says so, but only if its signature is valid', async () => {
  const url = targetOf(urls.signedUrl('file', { id: 'a' }, { expires: 60 }))
  now += 59
  assert.equal(await ask(url), 'file a')
  now += 2
  assert.equal(await ask(url), '403 This link has expired.')
  assert.equal(await ask(url.replace('/a?', '/b?')), '403 This link is not valid.')
  assert.equal(await ask(targetOf(urls.signedUrl('file', { id: 'a' }))), 'file a')
})

test('a signature allows other methods only if the guard does', async () => {
  const url = targetOf(urls.signedUrl('file', { id: 'a' }))
  assert.equal(await ask(url, 'POST'), '403 This link is not valid.')
  const keep = targetOf(urls.signedUrl('file.keep', { id: 'a' }))
  assert.equal(await ask(keep, 'POST'), 'kept')
  assert.throws(() => new Signed(urls, { methods: [] }), { code: 'E_INVALID_ARGUMENT' })
})

test('what a previous key signed stays valid, another key signs nothing', () => {
  const target = targetOf(urls.signedUrl('file', { id: 'a' }))
  assert.equal(urlsOf(new ApplicationKey(secret(2), [secret(1)])).check(target), 'valid')
  assert.equal(urlsOf(new ApplicationKey(secret(2))).check(target), 'invalid')
})

test('invalid options are refused', () => {
  for (const expires of [0, -1, Number.NaN, Infinity]) {
    assert.throws(() => urls.signedUrl('file', { id: 'a' }, { expires }), { code: 'E_SIGNED_URL' })
  }
  for (const name of ['expires', 'signature']) {
    const query = { [name]: '1' }
    assert.throws(() => urls.signedUrl('file', { id: 'a' }, { query }), { code: 'E_SIGNED_URL' })
  }
})
