import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import type { InjectedResponse } from '../../src/http/server/inject.ts'
import { inboxSite } from '../support/inbox-site.ts'
import { waitFor } from '../support/wait-for.ts'
import { tokenIn } from './csrf-site.ts'

interface Asked extends InjectedResponse {
  readonly next: string
}

/** An administrator with a browser that keeps its cookie. */
async function adminOf(t: TestContext) {
  const { server, root } = await inboxSite(t)
  let cookie = ''
  const ask = async (url: string, fields?: Record<string, string>): Promise<Asked> => {
    const headers = { accept: 'text/html', 'x-admin': 'yes', ...(cookie !== '' && { cookie }) }
    const sent = fields && ({ method: 'POST', body: new URLSearchParams(fields) } as const)
    const answer = await server.inject({ url, headers, ...sent })
    cookie = answer.cookies[0]?.split(';')[0] ?? cookie
    return { ...answer, next: answer.headers['location'] ?? '' }
  }
  return { server, root, ask }
}

test('a button takes a profile, which is shown as tables and a flame graph and downloaded', async (t) => {
  const { server, ask } = await adminOf(t)
  const url = '/errors/profiles'
  assert.match((await ask('/errors')).text, /href="\/errors\/profiles"/)
  const first = await ask(url)
  assert.match(first.text, /No profile was taken yet/)
  const _token = tokenIn(first.text)
  assert.equal((await ask(url, { _token, seconds: '600' })).status, 400)
  const pressed = await ask(url, { _token, seconds: '5' })
  assert.equal(pressed.status, 303)
  // One at a time.
  assert.equal((await ask(url, { _token, seconds: '5' })).status, 409)
  const waiting = await ask(pressed.next)
  assert.equal(waiting.headers['refresh'], '2')
  assert.match(waiting.text, /role="status">A worker is being profiled for 5 seconds/)
  const done = await waitFor('the profile', async () => {
    for (let at = 0; at < 200; at += 1) await server.inject({ url: '/markup' })
    const page = await ask(pressed.next)
    return page.headers['refresh'] === undefined && page
  })
  assert.match(done.text, /The worker was busy for \d+\.\d % of 5 seconds/)
  assert.match(done.text, /Functions of the project/)
  const links = [
    ...done.text.matchAll(/<a href="(\/errors\/profiles\/[^"]+\?at=\d+)" aria-label="([^"]+)"/g),
  ]
  assert.ok(links.length > 5)
  assert.doesNotMatch(done.text, /<script|style="/)
  // A bar leads to the same graph, drawn from there.
  const [, deeper = ''] = links.at(3) ?? []
  const zoomed = await ask(deeper)
  assert.match(zoomed.text, /href="[^"?]+">everything</)
  assert.equal((await ask(`${pressed.next}?at=none`)).status, 200)
  const file = await ask(`${pressed.next}/file`)
  assert.match(
    String(file.headers['content-disposition']),
    /^attachment; filename="[^"]+\.cpuprofile"$/,
  )
  assert.ok(Array.isArray(JSON.parse(file.text).nodes))
  assert.equal((await ask(`${url}/1-1s-../../x`)).status, 404)
  assert.equal((await ask(`${url}/0000000000000-5s-00000000/file`)).status, 404)
})

test('no stranger sees or starts a profile', async (t) => {
  const { server, ask } = await adminOf(t)
  const body = new URLSearchParams({ seconds: '5' })
  for (const path of ['', '/0000000000000-5s-00000000', '/0000000000000-5s-00000000/file']) {
    assert.equal((await server.inject({ url: `/errors/profiles${path}` })).status, 404)
  }
  const url = '/errors/profiles'
  assert.equal((await server.inject({ method: 'POST', url, body })).status, 404)
  // Neither does a page of another site, with the cookie of an administrator.
  assert.equal((await ask(url, { seconds: '5' })).status, 403)
  assert.match((await ask(url)).text, /No profile was taken yet/)
})
