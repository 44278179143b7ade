import assert from 'node:assert/strict'
import { test } from 'node:test'
import { arrangeUnsafe } from './arrange-unsafe.ts'
import { middlewareName } from './middleware.ts'
import type { Middleware, MiddlewareFunction, MiddlewareObject } from './middleware.ts'

const pass: MiddlewareFunction = (_request, _response, next) => next()

/** A function with this name, which `order` prints. */
function named(name: string): MiddlewareFunction {
  const part: MiddlewareFunction = (...call) => pass(...call)
  return Object.defineProperty(part, 'name', { value: name })
}

class Limit implements MiddlewareObject {
  readonly guard: boolean = true
  process: MiddlewareFunction = pass
}

/** In three parts, like `Csrf`. */
const csrf: MiddlewareObject = {
  process: pass,
  parts: { screen: named('screen'), outer: named('outer'), inner: named('inner') },
}
/** With a part that reads the body, like `Forms`. */
const forms: MiddlewareObject = { process: pass, parts: { inner: named('forms') } }
const [limit, own] = [new Limit(), named('own')]

function order(middlewares: readonly Middleware[], isRouted: boolean = true): string {
  return arrangeUnsafe(middlewares, { isRouted }).map(middlewareName).join(' ')
}

test('what reads the body runs inside the guards that follow it', () => {
  assert.equal(order([own, csrf, forms, limit]), 'own outer Limit inner forms')
  assert.equal(order([csrf]), 'outer inner')
})

test('any other middleware stays protected: what reads the body runs before it', () => {
  assert.equal(order([csrf, forms, own, limit]), 'outer inner forms own Limit')
  assert.equal(order([csrf, forms, limit, own, limit]), 'outer Limit inner forms own Limit')
})

test('a guard in front is screened, once', () => {
  assert.equal(order([limit, limit, csrf, forms]), 'screen Limit Limit outer inner forms')
  assert.equal(order([own, limit, csrf]), 'own screen Limit outer inner')
})

test('without a route no body is read, unless another middleware could respond', () => {
  assert.equal(order([csrf, forms], false), 'outer')
  assert.equal(order([csrf, forms, own], false), 'outer inner forms own')
})

test('other middlewares keep their order', () => {
  const [a, b] = [named('a'), named('b')]
  assert.equal(order([a, limit, b]), 'a Limit b')
})
