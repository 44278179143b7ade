import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Snapshot } from '../../src/metrics/snapshot.ts'
import { RunningCommand } from '../support/command.ts'
import { plantProject } from '../support/plant-project.ts'
import { waitFor } from '../support/wait-for.ts'

const project = `
  import { defineProject } from 'framework'
  import { Emitter } from 'framework/events'
  import { ObservabilityRoutes, routeSet } from 'framework/http'
  import { AuthAudit, AuthEvents } from 'framework/auth'
  const Doors = routeSet('Doors', (router) => {
    router.get('/:event/:user', ({ params, peer, id }) => {
      const payload = { user: params.user, peer, request: id, at: 1700000000 }
      Emitter.Instance.emit(AuthEvents[params.event], payload)
      return String(process.pid)
    })
  })
  export default defineProject({
    name: 'shop',
    services: ({ logs }) => ({ audit: new AuthAudit({ logs }) }),
    routes: [ObservabilityRoutes, Doors],
  })`

const labels = (
  'registered verified login failed logout revived theft reset changed new_device confirmed ' +
  'factor_added factor_removed password_removed identity_linked identity_unlinked ended ' +
  'factor_asked suspended restored ' +
  'recovery_used codes_renewed passkey_copied token_created token_revoked email_requested ' +
  'email_changed email_restored deletion_requested deletion_cancelled deleted export_requested ' +
  'export_ready export_downloaded'
)
  .split(' ')
  .toSorted()

test('the events of all workers are logged in one auth.log and counted together', async (t) => {
  const cwd = plantProject(t, { 'project.ts': project })
  const env = { LOG_FILE: '1', FRAMEWORK_OBSERVABILITY_INTERVAL: '0.2' }
  const args = ['serve', '--port', '0', '--workers', '2']
  const server = new RunningCommand(t, args, { cwd, env })
  const url = await server.url()
  const scrape = async (): Promise<Readonly<Record<string, number>>> => {
    const answer = await fetch(`${url}/metrics`, { headers: { accept: 'application/json' } })
    const { metrics } = Snapshot.import(await answer.json())
    const values: Record<string, number> = {}
    for (const name of ['auth_events_total', 'auth_theft_total']) {
      for (const series of metrics[name]?.series ?? []) {
        if ('value' in series) values[series.labels['event'] ?? name] = series.value
      }
    }
    return values
  }
  const zeros = Object.fromEntries([...labels, 'auth_theft_total'].map((label) => [label, 0]))
  assert.deepEqual(await scrape(), zeros)

  const pids = new Set<string>()
  let logins = 0
  while (pids.size < 2) {
    const answer = await fetch(`${url}/Login/7`, { headers: { connection: 'close' } })
    pids.add(await answer.text())
    logins += 1
  }
  const theft = await fetch(`${url}/Theft/8`, { headers: { 'x-request-id': 'r-8' } })
  assert.equal(theft.status, 200)
  await waitFor('the counts of both workers', async () => (await scrape())['login'] === logins)
  const counted = { ...zeros, login: logins, theft: 1, auth_theft_total: 1 }
  await waitFor('the theft', async () => (await scrape())['auth_theft_total'] === 1)
  assert.deepEqual(await scrape(), counted)
  assert.equal(await server.stop(), 0)

  const file = join(cwd, 'storage', 'logs', 'auth.log')
  assert.ok(existsSync(file))
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  assert.equal(lines.length, logins + 1)
  const { timestamp, ...line } = JSON.parse(lines.find((text) => text.includes('r-8')) ?? '{}')
  assert.ok(Math.abs(timestamp - Date.now() / 1000) < 600)
  assert.deepEqual(line, {
    level: 'WARN',
    channel: 'auth',
    message: 'stolen device token, all devices signed out',
    context: { event: 'theft', user: '8', peer: '127.0.0.1', request: 'r-8', at: 1_700_000_000 },
    extra: { request: 'r-8' },
  })
})
