import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Csrf } from '../middlewares/csrf.ts'
import { Forms } from '../middlewares/forms.ts'
import { RateLimit } from '../middlewares/rate-limit.ts'
import { SecureHeaders } from '../middlewares/secure-headers.ts'
import { MemorySessions } from '../session/memory-sessions.ts'
import { Sessions } from '../session/sessions.ts'
import { Submissions } from '../submissions/submissions.ts'
import type { Middleware, MiddlewareObject } from './middleware.ts'
import { routeChains } from './router-commands.ts'
import { Router } from './router.ts'

const members: MiddlewareObject = {
  phase: 'guard',
  label: 'members',
  process: (_request, _response, next) => next(),
}
const note: Middleware = function note(_request, _response, next) {
  return next()
}

function site(): { router: Router; shared: Middleware[] } {
  const sessions = new Sessions(new MemorySessions())
  const shared = [new SecureHeaders(), new Submissions(sessions), sessions, new Csrf(), new Forms()]
  const middlewares = [new RateLimit({ limit: 1, window: 1 }), members, note]
  const router = new Router()
    .get('/login', () => '', { name: 'login' })
    .post('/login', () => '', { middlewares })
    .get('/notes/:id<int>', () => '')
  return { router, shared }
}

function shown(method: string | null, path: string): string[] {
  const { router, shared } = site()
  return routeChains(router.all(), shared, { method, path }).map(
    ({ method: of, pattern, steps }) =>
      `${of} ${pattern}: ${steps.map(({ phase, name }) => `${phase ?? '-'} ${name}`).join(', ')}`,
  )
}

test('a chain is listed as it runs, with the phase of each step', () => {
  assert.deepEqual(shown('POST', '/login'), [
    'POST /login: origin Submissions, origin Csrf, limits RateLimit, - SecureHeaders, ' +
      'session Sessions, session Csrf, guard members, token Csrf, once Submissions, body Forms, - note, ' +
      'handler /login, finish RateLimit, finish Csrf, finish Sessions, finish Submissions, ' +
      'finish SecureHeaders',
  ])
})

test('without a method all chains of a path are listed, and a pattern is as good as a path', () => {
  assert.deepEqual(
    shown(null, '/login').map((line) => line.split(':')[0]),
    ['GET /login', 'POST /login'],
  )
  assert.match(
    shown('GET', '/login')[0] ?? '',
    /^GET \/login: - SecureHeaders, session Sessions, session Csrf, handler login, finish /,
  )
  assert.equal(shown(null, '/notes/7').length, 1)
  assert.deepEqual(shown('HEAD', '/notes/7'), shown('GET', '/notes/:id<int>'))
  assert.deepEqual(shown(null, '/notes/x'), [])
})
