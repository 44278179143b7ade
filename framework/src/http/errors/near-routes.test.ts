import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nearRoutes } from './near-routes.ts'

const routes = [
  ['GET', '/'],
  ['GET', '/users'],
  ['POST', '/users'],
  ['GET', '/users/:id'],
  ['GET', '/reports/:year/summary'],
].map(([method = '', pattern = '']) => ({
  method,
  pattern,
  name: null,
  set: null,
  middlewares: [],
}))

test('a mistyped path gets similar routes, with their methods', () => {
  assert.deepEqual(nearRoutes({ path: '/user', route: null }, routes), [
    'GET /users',
    'POST /users',
  ])
  assert.deepEqual(nearRoutes({ path: '/user/17', route: null }, routes), ['GET /users/:id'])
  assert.deepEqual(nearRoutes({ path: '/report/2024/summary', route: null }, routes), [
    'GET /reports/:year/summary',
  ])
})

test('a path unlike all routes gets no suggestions', () => {
  assert.deepEqual(nearRoutes({ path: '/wp-login.php', route: null }, routes), [])
})

test('the route that took the request is not suggested, those like it are', () => {
  const taken = { path: '/users', route: '/users' }
  assert.deepEqual(nearRoutes(taken, routes), [])
  const alike = { method: 'GET', pattern: '/user', name: null, set: null, middlewares: [] }
  assert.deepEqual(nearRoutes(taken, [...routes, alike]), ['GET /user'])
})
