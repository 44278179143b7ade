import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Statics } from '../../src/http/middlewares/statics.ts'
import { rawAnswer, rawAnswers } from '../support/raw-answer.ts'
import { RawClient, exchange } from '../support/raw-client.ts'
import { assertHealthy, serve } from '../support/serve.ts'
import { waitFor } from '../support/wait-for.ts'

/** Requests exactly this target on a new connection. */
function ask(port: number, method: string, target: string, host = 'site.example'): Promise<string> {
  return exchange(
    port,
    `${method} ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
  )
}

test('an absolute target that names the host arrives as path and query', async (t) => {
  const { port } = await serve(t, (server) => {
    server.router.get('/*rest', ({ URI, path }, response) => response.json([URI, path]))
  })
  const targets = {
    'http://site.example/a/b?c=d': ['/a/b?c=d', '/a/b'],
    'HTTP://SITE.example/a': ['/a', '/a'],
    'http://site.example': ['/', '/'],
    'http://site.example?c=d': ['/?c=d', '/'],
    'https://site.example/a': ['/a', '/a'],
  }
  for (const [target, seen] of Object.entries(targets)) {
    assert.deepEqual(JSON.parse(rawAnswer(await ask(port, 'GET', target)).body), seen, target)
  }
})

test('targets for another host, or for none, are refused with 400', async (t) => {
  const { port, handled } = await serve(t, (server) => {
    server.router.any('/*rest', (_request, response) => response.text('ran'))
  })
  const targets = [
    'http://other.example/a',
    'http://site.example:81/a',
    'http://user@site.example/a',
    'http:///a',
    'ftp://site.example/a',
    'site.example:80',
    'a',
    '*',
    '/a#b',
    '/a b',
    '/a\0',
    '/a\x7f',
    '/a\xff',
  ]
  for (const target of targets) {
    assert.equal(rawAnswer(await ask(port, 'GET', target)).status, 400, JSON.stringify(target))
  }
  assert.deepEqual(handled, [])
  await assertHealthy(port)
})

test('* means the server, and only in OPTIONS', async (t) => {
  const { port } = await serve(t, (server) => {
    server.router.get('/', (_request, response) => response.text(''))
  })
  const answer = rawAnswer(await ask(port, 'OPTIONS', '*'))
  assert.equal(answer.status, 204)
  assert.equal(answer.header('allow'), 'GET, HEAD, OPTIONS')
  assert.equal(rawAnswer(await ask(port, 'POST', '*')).status, 400)
})

test('CONNECT is refused: this is not a proxy', async (t) => {
  const { port } = await serve(t, (server) => {
    server.router.on('CONNECT', '/*rest', (_request, response) => response.text('ran'))
    server.router.get('/slow', (_request, response) => sleep(30, response.text('slow')))
  })
  const answer = rawAnswer(await ask(port, 'CONNECT', 'other.example:443'))
  assert.equal(answer.status, 501)
  const slow = 'GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n'
  const behind = await exchange(port, `${slow}CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n`)
  assert.deepEqual(
    rawAnswers(behind).map(({ status }) => status),
    [200, 501],
  )
})

test('a client that sends CONNECT can neither crash the server nor stay connected', async (t) => {
  const { port } = await serve(t, () => {})
  const request = 'CONNECT other.example:443 HTTP/1.1\r\nHost: other.example:443\r\n\r\n'
  for (let at = 0; at < 20; at += 1) {
    const client = (await RawClient.connect(port)).send(request)
    await client.until('501')
    client.reset()
  }
  const staying = (await RawClient.connect(port)).send(request)
  await staying.until('501')
  // It keeps its own side open, and is still disconnected.
  await waitFor('the cut', () => staying.send('x').closed)
  await assertHealthy(port)
})

test('no path reaches a file outside the folder of static files', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'framework-targets-'))
  t.after(() => rm(folder, { recursive: true }))
  await mkdir(join(folder, 'public/sub'), { recursive: true })
  await mkdir(join(folder, 'public-not'))
  await writeFile(join(folder, 'secret.txt'), 'secret')
  await writeFile(join(folder, 'public-not/secret.txt'), 'secret')
  await writeFile(join(folder, 'public/.env'), 'secret')
  await writeFile(join(folder, 'public/sub/open.txt'), 'open')
  await symlink(join(folder, 'secret.txt'), join(folder, 'public/link.txt'))
  await symlink(folder, join(folder, 'public/up'))
  const { port, reported } = await serve(t, (server) => {
    server.use(new Statics(join(folder, 'public')))
  })
  const climbing = [
    '/../secret.txt',
    '/..%2fsecret.txt',
    '/%2e%2e/secret.txt',
    '/%2E%2E%2Fsecret.txt',
    '/.%2e/secret.txt',
    '/..\\secret.txt',
    '/..%5csecret.txt',
    '/%252e%252e/secret.txt',
    '/sub/../../secret.txt',
    '/sub/%2e%2e/%2e%2e/secret.txt',
    '/sub/..%00/../secret.txt',
    '/../public-not/secret.txt',
    `/${folder}/secret.txt`,
    `//${folder}/secret.txt`,
    '/..;/secret.txt',
    '/%c0%ae%c0%ae/secret.txt',
    '/./../secret.txt',
    '/link.txt',
    '/up/secret.txt',
    '/.env',
    '/%2eenv',
    '/sub/../.env',
    'http://site.example/../secret.txt',
  ]
  for (const target of climbing) {
    const answer = rawAnswer(await ask(port, 'GET', target))
    assert.ok([400, 404].includes(answer.status), `${target} was answered with ${answer.status}`)
    assert.doesNotMatch(answer.body, /secret/)
  }
  assert.equal(rawAnswer(await ask(port, 'GET', '/sub/open.txt')).body, 'open')
  assert.deepEqual(reported, [])
})
