import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { framesOf } from '../errors/stack/frames.ts'
import { Mailer } from '../mail/mailer.ts'
import { Message } from '../mail/message.ts'
import { createThrowables } from '../errors/throwables/throwables.ts'
import { keepFetchCallers } from './fetch-calls.ts'

/** Imports a module of a project: nothing beside this file is one. */
async function imported(t: TestContext, source: string): Promise<Record<string, unknown>> {
  const folder = mkdtempSync(join(tmpdir(), 'framework-callers-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'own.mjs'), source)
  return import(join(folder, 'own.mjs'))
}

function call(work: unknown, ...parameters: unknown[]): Promise<unknown> {
  return typeof work === 'function' ? work(...parameters) : assert.fail('no function')
}

function shownOf(error: unknown): string[] {
  assert.ok(error instanceof Error)
  return framesOf(error).map(({ file, line }) => `${file.split('/').at(-1)}:${line}`)
}

test('a fetch that nobody answers leads to the line that called it, until the last one stops', async (t) => {
  const { load } = await imported(
    t,
    '\nexport async function load() {\n  await fetch("http://127.0.0.1:2/")\n}\n',
  )
  const plain = globalThis.fetch
  const [end, endAgain] = [keepFetchCallers(), keepFetchCallers()]
  end()
  assert.equal(shownOf(await call(load).catch((error: unknown) => error)).at(-1), 'own.mjs:3')
  endAgain()
  assert.equal(globalThis.fetch, plain)
  const after = await call(load).catch((error: unknown) => error)
  assert.ok(!shownOf(after).includes('own.mjs:3'))
})

test('a mail that cannot be sent leads to the line that delivers it', async (t) => {
  const { send } = await imported(
    t,
    'export const send = (mailer, mail) =>\n  mailer.deliver(mail)',
  )
  const throwables = createThrowables()
  const reported: unknown[] = []
  throwables.add((error) => void reported.push(error))
  const lane = { name: 'memory', send: () => Promise.reject(new Error('the server is down')) }
  const mailer = new Mailer(lane, { throwables })
  const message = new Message({ to: 'ada@example.org', subject: 'Hello', text: 'Hello' })
  assert.equal(await call(send, mailer, message), false)
  assert.equal(shownOf(reported[0]).at(-1), 'own.mjs:2')
})
