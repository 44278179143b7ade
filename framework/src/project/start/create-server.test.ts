import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { plantProject } from '../../../tests/support/plant-project.ts'
import { readScopes } from '../../settings/scope.ts'
import { serverScope } from '../../http/server/server-settings.ts'
import type { Environments } from '../../settings/environments.ts'
import { createServer } from './create-server.ts'

for (const [environment, logged] of [
  ['production', true],
  ['test', false],
] satisfies [Environments, boolean][]) {
  test(`in ${environment} a throwable is ${logged ? '' : 'not '}written to exceptions.log`, async (t) => {
    const root = plantProject(t, {})
    const source = { environment, lookup: () => null }
    const { server: settings } = readScopes({ server: serverScope }, source)
    const { server } = createServer({
      root,
      environment,
      settings: { ...settings, port: 0, logLevel: 'error' },
      tls: null,
      views: null,
    })
    server.router.get('/boom', () => {
      throw new Error(`planted in ${environment}`)
    })
    await server.listen({ signals: false })
    await server.inject({ url: '/boom' })
    await server.close()
    const file = join(root, 'storage', 'logs', 'exceptions.log')
    assert.equal(existsSync(file), logged)
    if (logged) assert.match(readFileSync(file, 'utf8'), /"message":"planted in production"/)
  })
}
