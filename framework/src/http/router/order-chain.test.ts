import assert from 'node:assert/strict'
import { test } from 'node:test'
import { middlewareName } from './middleware.ts'
import type { Middleware, MiddlewareFunction, MiddlewareObject } from './middleware.ts'
import { orderChain, runsIn } from './order-chain.ts'
import { Phases } from './phases.ts'
import type { MiddlewarePhase } from './phases.ts'

const pass: MiddlewareFunction = (_request, _response, next) => next()

/** A middleware that names no phase. */
function plain(name: string): MiddlewareFunction {
  const part: MiddlewareFunction = (...call) => pass(...call)
  return Object.defineProperty(part, 'name', { value: name })
}

function inPhase(phase: MiddlewarePhase, label: string = phase): MiddlewareObject {
  return { phase, label, process: pass }
}

const sessions = inPhase(Phases.Session, 'sessions')
const [limit, guard, forms] = [inPhase('limits', 'limit'), inPhase('guard'), inPhase('body')]
/** In several phases, like `Csrf`. */
const csrf: MiddlewareObject = {
  process: pass,
  steps: [inPhase('origin'), inPhase('session', 'page'), inPhase('token')],
}
const submissions: MiddlewareObject = {
  process: pass,
  steps: [inPhase('origin', 'form'), inPhase('once')],
}
const [own, other] = [plain('own'), plain('other')]

function order(
  middlewares: readonly Middleware[],
  { method = 'POST', isRouted = true }: { method?: string; isRouted?: boolean } = {},
): string {
  return orderChain(middlewares, { method, isRouted }).map(middlewareName).join(' ')
}

test('the phases are these, in this order, and cannot be changed', () => {
  assert.equal(
    Object.values(Phases).join(' '),
    'origin limits session guard token once body input handler finish',
  )
  assert.ok(Object.isFrozen(Phases))
})

test('a request passes the phases in their order, whatever the written one', () => {
  const all = 'form origin limit sessions page guard token once body'
  assert.equal(order([submissions, sessions, csrf, forms, limit, guard]), all)
  assert.equal(order([submissions, guard, forms, csrf, limit]), all.replace(' sessions', ''))
})

test('inside a phase the written order holds', () => {
  const [one, two] = [inPhase('guard', 'one'), inPhase('guard', 'two')]
  assert.equal(order([one, sessions, two]), 'sessions one two')
  assert.equal(order([two, sessions, one]), 'sessions two one')
})

test('nothing moves past a middleware without a phase, so what protects it does', () => {
  assert.equal(order([csrf, forms, own, guard]), 'origin page token body own guard')
  assert.equal(order([csrf, forms, guard, own, guard]), 'origin page guard token body own guard')
  assert.equal(order([own, sessions, csrf, other]), 'origin own sessions page token other')
})

test('origins and limits come first, even those of a route', () => {
  assert.equal(
    order([own, sessions, csrf, other, limit]),
    'origin limit own sessions page token other',
  )
  assert.equal(order([own, limit], { method: 'GET' }), 'limit own')
})

test('a request that only reads skips what is for forms', () => {
  const list = [submissions, sessions, csrf, forms, limit, guard]
  for (const method of ['GET', 'HEAD', 'OPTIONS']) {
    assert.equal(order(list, { method }), 'limit sessions page guard')
  }
  assert.equal(order([forms], { method: 'PURGE' }), 'body')
})

test('without a route no form is read, unless another middleware could respond', () => {
  const without = { isRouted: false }
  assert.equal(order([sessions, csrf, forms], without), 'origin sessions page')
  assert.equal(order([csrf, forms, own, forms], without), 'origin page token body own')
})

test('middlewares without a phase keep their order', () => {
  assert.equal(order([own, guard, other]), 'own guard other')
  assert.equal(order([other, own], { method: 'GET' }), 'other own')
})

test('a middleware runs in the phases of its steps', () => {
  assert.deepEqual(
    [csrf, forms, own].map((middleware) => runsIn(middleware, Phases.Token)),
    [true, false, false],
  )
})
