import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plantProject } from '../../tests/support/plant-project.ts'
import { SecureHeaders } from '../http/middlewares/secure-headers.ts'
import { Sessions } from '../http/session/sessions.ts'
import { middlewareName } from '../http/router/middleware.ts'
import { MemorySessions } from '../http/session/memory-sessions.ts'
import { defaultStack } from './default-stack.ts'

test('the stack is request ids, secure headers, compression, public files and forms', (t) => {
  const root = plantProject(t, { 'public/style.css': '' })
  assert.deepEqual(defaultStack(root).map(middlewareName), [
    'RequestIds',
    'SecureHeaders',
    'Compression',
    'Statics',
    'Forms',
  ])
})

test('without a public folder no files are served', (t) => {
  const names = defaultStack(plantProject(t, {})).map(middlewareName)
  assert.ok(!names.includes('Statics'))
})

test('with sessions it has them behind the public files, and the guard against forged forms', (t) => {
  const root = plantProject(t, { 'public/style.css': '' })
  const sessions = new Sessions(new MemorySessions())
  const files = ['RequestIds', 'SecureHeaders', 'Compression', 'Statics']
  const names = [...files, 'Submissions', 'Sessions']
  assert.deepEqual(defaultStack(root, { sessions }).map(middlewareName), [
    ...names,
    'Csrf',
    'Forms',
  ])
  const plain = defaultStack(root, { sessions, submissions: null }).map(middlewareName)
  assert.deepEqual(plain, [...files, 'Sessions', 'Csrf', 'Forms'])
  const unguarded = defaultStack(root, { sessions, csrf: null }).map(middlewareName)
  assert.deepEqual(unguarded, [...names, 'Forms'])
})

test('a part is replaced by name, and null leaves it out', (t) => {
  const secureHeaders = new SecureHeaders({ frameOptions: 'DENY' })
  const stack = defaultStack(plantProject(t, {}), { compression: null, secureHeaders })
  assert.deepEqual(stack.map(middlewareName), ['RequestIds', 'SecureHeaders', 'Forms'])
  assert.equal(stack[1], secureHeaders)
})
