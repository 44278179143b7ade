import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Environments } from '../settings/environments.ts'
import { loggedRepeats, requestLogMode } from './logs-settings.ts'
import { readScopes } from '../settings/scope.ts'
import { serverScope } from '../http/server/server-settings.ts'

test('requests are logged everywhere but in tests, repeated statements in development', () => {
  const { Development, Staging, Production, Test } = Environments
  const modes = [Development, Staging, Production, Test].map((environment) => [
    environment,
    [requestLogMode(null, environment), loggedRepeats(null, environment)],
  ])
  assert.deepEqual(Object.fromEntries(modes), {
    development: ['all', 4],
    staging: ['all', 0],
    production: ['all', 0],
    test: ['off', 0],
  })
})

test('what is set wins over the environment', () => {
  const texts = new Map([
    ['REQUEST_LOG', 'slow'],
    ['REQUEST_LOG_PEER', 'off'],
    ['SLOW_QUERY_MS', '0'],
    ['N_PLUS_ONE', '0'],
  ])
  const lookup = (name: string) => {
    const text = texts.get(name)
    return text === undefined ? null : { text, origin: '.env' }
  }
  const { server } = readScopes({ server: serverScope }, { environment: 'development', lookup })
  assert.equal(requestLogMode(server.requestLog, 'test'), 'slow')
  assert.equal(server.requestLogPeer, 'off')
  assert.equal(server.slowQueryMs, 0)
  assert.equal(loggedRepeats(server.nPlusOne, 'development'), 0)
})
