import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { freePort } from '../../../tests/support/free-port.ts'
import { Logs } from '../../logs/logs.ts'
import { BreachedPasswords } from './breached-passwords.ts'
import type { BreachedPasswordsOptions } from './breached-passwords.ts'
import { PasswordRules } from './password-rules.ts'

const leaked = 'vq7 tin lamp'
// What `printf 'vq7 tin lamp' | sha1sum` prints.
const [prefix, suffix] = ['BE8C7', '2418F90CE25C4D21D367B6CC2B10429E4C1']
const range = [`${'0'.repeat(35)}:3`, `${suffix}:12`, `${'F'.repeat(35)}:0`].join('\r\n')

/** A lookup in a source, and the lines that it logs. */
function lookUp(source: string, options: Omit<BreachedPasswordsOptions, 'logs'> = {}) {
  const lines: string[] = []
  const nothing = (): Promise<void> => Promise.resolve()
  const sink = {
    dropped: 0,
    write: (line: string): void => void lines.push(line),
    flush: nothing,
    flushSync: (): void => undefined,
    close: nothing,
  }
  const logs = new Logs({ sinks: [sink] })
  return { lines, breaches: new BreachedPasswords(source, { logs, ...options }) }
}

/** A folder with ranges, by file name. */
function folderWith(t: TestContext, files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'breaches-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

/** The URL of a server that is stopped after the test. */
async function serveRanges(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  t.after(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/range`
}

test('a password of a breach is found in a folder of ranges, with or without .txt', async (t) => {
  for (const name of [prefix, `${prefix}.txt`]) {
    const { breaches, lines } = lookUp(folderWith(t, { [name]: range }))
    assert.equal(await breaches.has(leaked), true)
    assert.equal(await breaches.has('kzuwqobr and more'), false)
    assert.deepEqual(lines, [])
  }
})

test('a server learns five digits of the digest, and is asked for padding', async (t) => {
  const asked: unknown[] = []
  const url = await serveRanges(t, ({ url: path, headers }, response) => {
    asked.push([path, headers['add-padding']])
    response.end(path === `/range/${prefix}` ? range : `${suffix}:4`)
  })
  for (const source of [url, `${url}/`]) {
    const { breaches, lines } = lookUp(source)
    assert.equal(await breaches.has(leaked), true)
    assert.deepEqual(lines, [])
  }
  const once = [`/range/${prefix}`, 'true']
  assert.deepEqual(asked, [once, once])
  // Another range lists the same suffix, which is another digest.
  assert.equal(await lookUp(url).breaches.has('kzuwqobr'), false)
})

test('a line of padding, whose count is 0, is no breach', async (t) => {
  const { breaches } = lookUp(folderWith(t, { [prefix]: `${suffix}:0\n` }))
  assert.equal(await breaches.has(leaked), false)
})

test('a source that fails lets the password pass, and is logged without any part of it', async (t) => {
  const sources = {
    ENOENT: join(folderWith(t, {}), 'missing'),
    EISDIR: folderWith(t, {}),
    ECONNREFUSED: `http://127.0.0.1:${await freePort()}/range`,
    'responded with 500': await serveRanges(t, (_, response) => response.writeHead(500).end()),
    'more than': await serveRanges(t, (_, response) => response.end('x'.repeat(1_100_000))),
    TypeError: await serveRanges(t, (_, response) =>
      response.writeHead(302, { location: '/' }).end(),
    ),
  }
  mkdirSync(join(sources.EISDIR, prefix))
  for (const [reason, source] of Object.entries(sources)) {
    const { breaches, lines } = lookUp(source)
    assert.equal(await breaches.has(leaked), false)
    assert.equal(lines.length, 1, reason)
    assert.match(lines[0] ?? '', new RegExp(`breached passwords are not checked.*${reason}`))
    assert.doesNotMatch(lines[0] ?? '', /BE8C7|vq7/)
  }
})

test('a server that does not answer is given up after the time limit', async (t) => {
  const url = await serveRanges(t, () => undefined)
  const { breaches, lines } = lookUp(url, { timeout: 0.05 })
  assert.equal(await breaches.has(leaked), false)
  assert.match(lines[0] ?? '', /no answer in time/)
})

test('an outage is logged once a minute, however many passwords are chosen', async (t) => {
  const folder = folderWith(t, {})
  let now = 1_000
  const { breaches, lines } = lookUp(join(folder, 'missing'), { clock: () => now })
  for (let count = 0; count < 5; count += 1) await breaches.has(leaked)
  assert.equal(lines.length, 1)
  now += 600
  await breaches.has(leaked)
  assert.equal(lines.length, 1, 'it is the same outage')
})

test('the rules ask about a password only when nothing else is wrong with it', async (t) => {
  let asked = 0
  const url = await serveRanges(t, (_, response) => {
    asked += 1
    response.end(range)
  })
  const rules = new PasswordRules({ breaches: lookUp(url).breaches })
  const email = 'ada@example.org'
  assert.equal(
    await rules.problem('password1', { email }),
    'This password is too common. Choose another one.',
  )
  assert.equal(
    await rules.problem(leaked, { email, confirmation: 'x' }),
    'The passwords do not match.',
  )
  assert.equal(asked, 0)
  const text = 'This password has appeared in a data breach. Choose another one.'
  assert.equal(await rules.problem(leaked, { email, confirmation: leaked }), text)
  assert.equal(await rules.problem('kzuwqobr', { email }), null)
  assert.equal(asked, 2)
  assert.equal(await new PasswordRules().problem(leaked, { email }), null, 'without breaches')
})
