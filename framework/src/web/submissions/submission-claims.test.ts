import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FormSite } from '../../../tests/support/form-site.ts'
import { waitFor } from '../../../tests/support/wait-for.ts'
import { MemorySessions } from '../session/memory-sessions.ts'
import { decodeData } from '../session/session-data.ts'
import type { SessionRow } from '../session/session-store.ts'

/** A store that tells what it was asked, and fails where it is told to. */
class Watched extends MemorySessions {
  readonly calls: string[] = []
  readonly rows: [digest: string, row: SessionRow][] = []
  failing = ''

  override create(digest: string, row: SessionRow): Promise<boolean> {
    this.#note('create', digest, row)
    return super.create(digest, row)
  }

  override save(digest: string, revision: number, row: SessionRow, to: string): Promise<boolean> {
    this.#note('save', to, row)
    return super.save(digest, revision, row, to)
  }

  override destroy(digest: string): Promise<boolean> {
    this.calls.push('destroy')
    return super.destroy(digest)
  }

  #note(name: string, digest: string, row: SessionRow): void {
    if (this.failing === name) throw new Error(`cannot ${name}`)
    this.calls.push(name)
    this.rows.push([digest, row])
  }
}

test('a form costs two writes, and anything else none', async () => {
  const store = new Watched()
  const site = new FormSite(store)
  const ada = site.visitor()
  const _token = await ada.token()
  store.calls.length = 0
  await ada.post({ _token }, { 'x-csrf-token': _token })
  await ada.ask('/who')
  assert.deepEqual(store.calls, [])
  await ada.post({ _token })
  assert.deepEqual(store.calls, ['create', 'save'])
})

test('the stored row has no identity, is no session, and reveals nothing of the form', async () => {
  const store = new Watched()
  const site = new FormSite(store)
  site.handle = (request, response) => {
    request.session.regenerate()
    request.session.set('identity', '7')
    return response.cookie('device', 'the token of a device').redirect('/account')
  }
  const ada = site.visitor()
  const _token = await ada.token()
  const before = ada.cookies.get('session') ?? ''
  store.rows.length = 0
  ada.keep(await ada.post({ _token, password: 'correct horse' }))
  await waitFor('the record', () => store.calls.at(-1) === 'save' && store.rows.length >= 4)
  const kept = store.rows.filter(([, { identity }]) => identity === null)
  assert.equal(kept.length, 3, 'the claim, the mark of the move and the answer')
  const after = ada.cookies.get('session') ?? ''
  for (const [digest, row] of kept) {
    assert.deepEqual([row.identity, row.device, row.agent, row.peer], [null, null, '', ''])
    assert.equal(decodeData(row.data), null)
    const text = digest + row.data + Buffer.from(row.data, 'base64').toString('latin1')
    for (const secret of [_token, before, after, 'correct horse', 'the token of a device']) {
      assert.ok(!text.includes(secret), secret)
    }
  }
  assert.equal((await site.sessions.list('7')).length, 1)
  site.clock.now += 600
  assert.equal(await site.sessions.sweep(), 2, 'the mark and the answer')
  assert.equal(await ada.ask('/who'), '7')
})

test('if the store fails, the form is handled as without the middleware, and the failure is reported', async () => {
  const store = new Watched()
  const site = new FormSite(store)
  const ada = site.visitor()
  const _token = await ada.token()
  store.failing = 'create'
  assert.equal((await ada.post({ _token })).status, 303)
  assert.equal((await ada.post({ _token })).status, 303)
  assert.equal(site.handled.length, 2)
  assert.match(String(site.reported[0]), /cannot create/)
})

test('an answer that cannot be kept reaches its visitor all the same', async () => {
  const store = new Watched()
  const site = new FormSite(store, { wait: 0 })
  const ada = site.visitor()
  const _token = await ada.token()
  store.failing = 'save'
  assert.equal((await ada.post({ _token })).status, 303)
  assert.match(String(await waitFor('a report', () => site.reported[0])), /cannot save/)
})

test('every hundredth claim of a process drops those that are over', async () => {
  const store = new MemorySessions()
  const site = new FormSite(store)
  const ada = site.visitor()
  const _token = await ada.token()
  for (let at = 0; at < 99; at += 1) await ada.post({ _token, at: String(at) })
  site.clock.now += 60
  await ada.post({ _token, at: 'last' })
  assert.ok((await site.sessions.sweep()) < 10)
})

test('a browser that has yet to hear of its new session gets no third one with its refusal', async () => {
  const site = new FormSite()
  site.handle = (request, response) => {
    request.session.regenerate()
    request.session.set('identity', '7')
    return response.redirect('/account')
  }
  const ada = site.visitor()
  const tokens = [await ada.token(), await ada.token()]
  const headers = { referer: 'http://localhost/login', host: 'localhost', accept: 'text/html' }
  const first = await ada.post({ _token: tokens[0] ?? '' }, headers)
  const late = await ada.post({ _token: tokens[1] ?? '' }, headers)
  assert.deepEqual([late.status, late.headers['location'], late.cookies], [303, '/login', []])
  ada.keep(first)
  assert.equal(await ada.ask('/who'), '7')
})
