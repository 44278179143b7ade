import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { FormSite } from '../../../tests/support/form-site.ts'
import { waitFor } from '../../../tests/support/wait-for.ts'
import { HttpError } from '../errors/http-error.ts'
import { SecureHeaders } from '../middlewares/secure-headers.ts'
import type { Request } from '../request/request.ts'
import { Response } from '../response/response.ts'
import type { InjectedResponse } from '../server/inject.ts'
import { MemorySessions } from '../session/memory-sessions.ts'

function signIn(request: Request, response: Response): Response {
  request.session.regenerate()
  request.session.set('identity', '7')
  request.session.flash('message', 'Welcome back!')
  response.cookie('device', 'a token that nobody else should have')
  return response.redirect('/account')
}

const outcome = ({ status, headers, cookies }: InjectedResponse): unknown => [
  status,
  headers['location'],
  cookies,
]

test('of equal concurrent submissions one is handled, and all get its response and cookies', async () => {
  const site = new FormSite()
  site.handle = signIn
  const ada = site.visitor()
  const _token = await ada.token()
  const answers = await Promise.all([1, 2, 3, 4].map(() => ada.post({ _token, name: 'Ada' })))
  assert.equal(site.handled.length, 1)
  assert.equal(answers[0]?.status, 303)
  assert.equal(answers[0]?.cookies.length, 2)
  for (const answer of answers) assert.deepEqual(outcome(answer), outcome(answers[0]))
  for (const answer of answers) ada.keep(answer)
  assert.equal(await ada.ask('/who'), '7')
  assert.deepEqual([await ada.ask('/flash'), await ada.ask('/flash')], ['Welcome back!', 'null'])
  assert.equal((await site.sessions.list('7')).length, 1)
})

test('a repeat that comes when the session has another id gets the answer, with the old cookies or the new', async () => {
  const site = new FormSite()
  site.handle = signIn
  const ada = site.visitor()
  const _token = await ada.token()
  const first = await ada.post({ _token })
  assert.deepEqual(outcome(await ada.post({ _token })), outcome(first))
  ada.keep(first)
  assert.deepEqual(outcome(await ada.post({ _token })), outcome(first))
  assert.equal(site.handled.length, 1)
})

test('what the first one flashed is there for the page after a repeat, once', async () => {
  const site = new FormSite()
  site.handle = (request, response) => {
    request.session.flash('message', 'Invalid credentials.')
    return response.redirect('/login')
  }
  const ada = site.visitor()
  const _token = await ada.token()
  await Promise.all([ada.post({ _token }), ada.post({ _token })])
  const shown = async (): Promise<string[]> => [await ada.ask('/flash'), await ada.ask('/flash')]
  assert.deepEqual(await shown(), ['Invalid credentials.', 'null'])
  await ada.post({ _token })
  assert.deepEqual(await shown(), ['Invalid credentials.', 'null'])
  assert.equal(site.handled.length, 1)
  site.handle = (request, response) => {
    request.session.flash('old', { text: 'x'.repeat(9000) })
    return response.redirect('/login')
  }
  const other = await ada.token()
  const first = await ada.post({ _token: other })
  assert.deepEqual(outcome(await ada.post({ _token: other })), outcome(first))
})

test('nobody else gets the response, even with the same form data', async () => {
  const site = new FormSite()
  site.handle = signIn
  const ada = site.visitor()
  ada.cookies.set('device', 'the one of Ada')
  const _token = await ada.token()
  const planted = site.visitor()
  planted.cookies.set('session', ada.cookies.get('session') ?? '')
  const first = await ada.post({ _token })
  for (const stranger of [site.visitor(), planted]) {
    assert.equal((await stranger.post({ _token })).status, 403)
    assert.deepEqual((await stranger.post({ _token })).cookies, [])
  }
  assert.deepEqual(outcome(await ada.post({ _token })), outcome(first))
})

test('other fields, another mask and another address are another submission', async () => {
  const site = new FormSite()
  const ada = site.visitor()
  const _token = await ada.token()
  await ada.post({ _token, name: 'Ada' })
  await ada.post({ _token, name: 'Grace' })
  await ada.post({ _token: await ada.token(), name: 'Ada' })
  const body = new URLSearchParams({ _token, name: 'Ada' })
  const again = (): Promise<unknown> => ada.send('/form?again', { method: 'POST', body })
  await again()
  assert.equal(site.handled.length, 4)
  await again()
  assert.equal(site.handled.length, 4)
})

test('requests of scripts are not affected: token in a header, JSON, or Sec-Fetch-Mode', async () => {
  const site = new FormSite()
  const ada = site.visitor()
  const _token = await ada.token()
  for (const headers of [
    { 'x-csrf-token': _token },
    { accept: 'application/json' },
    { 'sec-fetch-mode': 'cors' },
  ]) {
    site.handled.length = 0
    await ada.post({ _token }, headers)
    await ada.post({ _token }, headers)
    assert.equal(site.handled.length, 2)
  }
  site.handled.length = 0
  await ada.post({ _token }, { 'sec-fetch-mode': 'navigate' })
  await ada.post({ _token }, { 'sec-fetch-mode': 'navigate' })
  assert.equal(site.handled.length, 1)
})

test('a submission that failed can be sent again', async () => {
  const site = new FormSite()
  const ada = site.visitor()
  const _token = await ada.token()
  const failures = [
    () => assert.fail('planted'),
    (_request: Request, response: Response) => response.status(503).text('later'),
    () => {
      throw new HttpError(422)
    },
  ]
  for (const handle of failures) {
    site.handle = handle
    await ada.post({ _token })
  }
  site.handle = () => 'done'
  assert.equal((await ada.post({ _token })).text, 'done')
  assert.equal(site.handled.length, 4)
})

test('a repeat that waits for one that fails is handled itself', async () => {
  const site = new FormSite()
  const ada = site.visitor()
  const _token = await ada.token()
  const { promise, resolve } = Promise.withResolvers<void>()
  site.handle = async () => {
    site.handle = () => 'done'
    await promise
    throw new Error('planted')
  }
  const first = ada.post({ _token })
  await waitFor('the first', () => site.handled.length === 1)
  const second = ada.post({ _token })
  resolve()
  assert.deepEqual([(await first).status, (await second).text], [500, 'done'])
})

test('a repeat gets 409 if the response is too slow, or a page, a stream or bytes', async () => {
  const site = new FormSite(new MemorySessions(), { wait: 0 })
  const ada = site.visitor()
  for (const handle of [
    () => 'x'.repeat(40_000),
    (_request: Request, response: Response) => response.stream(Readable.from(['piece'])),
    () => Buffer.from('bytes'),
  ]) {
    site.handle = handle
    const _token = await ada.token()
    assert.equal((await ada.post({ _token })).status, 200)
    const again = await waitFor('an answer', () => ada.post({ _token }))
    assert.equal(again.status, 409)
    assert.match(again.text, /This form was already sent/)
    assert.deepEqual(again.cookies, [])
  }
  const { promise, resolve } = Promise.withResolvers<string>()
  site.handle = () => promise
  const _token = await ada.token()
  const first = ada.post({ _token })
  await waitFor('the first', () => site.handled.length === 4)
  assert.equal((await ada.post({ _token })).status, 409)
  resolve('late')
  assert.equal((await first).text, 'late')
  assert.equal(site.handled.length, 4)
})

test('an answer is known again for ten seconds', async () => {
  const site = new FormSite()
  const ada = site.visitor()
  const _token = await ada.token()
  await ada.post({ _token })
  site.clock.now += 9
  await ada.post({ _token })
  assert.equal(site.handled.length, 1)
  site.clock.now += 1
  await ada.post({ _token })
  assert.equal(site.handled.length, 2)
  await ada.post({ _token })
  assert.equal(site.handled.length, 2)
})

test('a claim whose owner died is taken over after a minute', async () => {
  const site = new FormSite(new MemorySessions(), { wait: 0 })
  const ada = site.visitor()
  const _token = await ada.token()
  site.handle = () => new Promise(() => {})
  void ada.post({ _token })
  await waitFor('the first', () => site.handled.length === 1)
  site.clock.now += 59
  assert.equal((await ada.post({ _token })).status, 409)
  site.clock.now += 1
  site.handle = () => 'done'
  assert.equal((await ada.post({ _token })).text, 'done')
})

test('a repeat gets status, address and cookies of the first response, and other headers of its own', async () => {
  let count = 0
  const outer = [
    new SecureHeaders(),
    (_request: Request, response: Response, next: () => Response | Promise<Response>) => {
      response.header('X-Count', String((count += 1)))
      return next()
    },
  ]
  const site = new FormSite(new MemorySessions(), { outer })
  const ada = site.visitor()
  for (const [handle, status, header, value] of [
    [signIn, 303, 'location', '/account'],
    [
      (_request: Request, response: Response) => response.redirect('/moved', { status: 302 }),
      302,
      'location',
      '/moved',
    ],
    [
      (_request: Request, response: Response) =>
        response.header('Refresh', '0; url=/away').html('<p>One moment.</p>'),
      200,
      'refresh',
      '0; url=/away',
    ],
  ] as const) {
    site.handle = handle
    site.handled.length = 0
    const _token = await ada.token()
    count = 0
    const [first, second] = [await ada.post({ _token }), await ada.post({ _token })]
    assert.equal(site.handled.length, 1)
    assert.deepEqual([first.headers['x-count'], second.headers['x-count']], ['1', '2'])
    assert.deepEqual([second.status, second.headers[header], second.text], [status, value, ''])
    assert.equal(second.headers['x-frame-options'], 'SAMEORIGIN')
    assert.deepEqual(second.cookies, first.cookies)
    ada.keep(second)
  }
})

test('a page is not kept: its repeat gets 409, but with the cookies, so that going back shows the result', async () => {
  const site = new FormSite()
  site.handle = (request, response) => {
    signIn(request, response)
    return new Response().html('<p>Signed in.</p>')
  }
  const ada = site.visitor()
  const _token = await ada.token()
  const first = await ada.post({ _token })
  assert.equal(first.text, '<p>Signed in.</p>')
  const again = await ada.post({ _token })
  assert.deepEqual([again.status, again.headers['location']], [409, undefined])
  assert.match(again.text, /This form was already sent/)
  assert.equal(site.handled.length, 1)
  ada.keep(again)
  assert.equal(await ada.ask('/who'), '7')
})
