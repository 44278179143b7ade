import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chownSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { readProfile } from '../../src/devtools/profiles/profile-report.ts'
import { profilePath, wantProfile } from '../../src/devtools/profiles/take-profile.ts'
import { RunningCommand, runCommand } from '../support/command.ts'
import { freePort } from '../support/free-port.ts'
import { plantProject } from '../support/plant-project.ts'
import { waitFor } from '../support/wait-for.ts'

const secret = 'hunter22-ann@example.org'

const files = {
  'busy.ts': `
    export function burn(ms: number): number {
      let sum = 0
      for (const end = performance.now() + ms; performance.now() < end;) sum += Math.sqrt(sum + 1)
      return sum
    }
    // A name that is made of a value.
    export const computed = (value: string) => ({ [value]: () => burn(20) })[value]!`,
  'leak.ts': `
    const kept: string[][] = []
    export function keep(value: string): string {
      kept.push(Array.from({ length: 5000 }, (_, at) => value + at))
      return String(kept.length)
    }`,
  'project.ts': `
    import { defineProject } from 'framework'
    import { routeSet } from 'framework/http'
    import { burn, computed } from './busy.ts'
    import { keep } from './leak.ts'

    const Busy = routeSet('Busy', (router) => {
      router.get('/leak', ({ query }) => keep(query['value'] ?? ''))
      router.get('/busy', ({ query }) => String(burn(20) + computed(query['value'] ?? '')()))
    })
    export default defineProject({ name: 'busy', routes: [Busy] })`,
}

const env = { FRAMEWORK_ENVIRONMENT: 'production', HOST: '127.0.0.1', WORKERS: '2' }

async function serving(
  t: TestContext,
  { busy = true, options = '' } = {},
): Promise<{ root: string; server: RunningCommand; url: string }> {
  const root = plantProject(t, files)
  const port = await freePort()
  const server = new RunningCommand(t, ['serve', '--port', String(port)], {
    cwd: root,
    env: { ...env, NODE_OPTIONS: options },
  })
  await server.said(/busy serves/)
  const ended = new AbortController()
  t.after(() => ended.abort())
  const load = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      const url = `http://127.0.0.1:${port}/busy?value=${encodeURIComponent(secret)}`
      await fetch(url, { headers: { authorization: secret } }).catch(() => {})
    }
  }
  if (busy) void load()
  return { root, server, url: `http://127.0.0.1:${port}` }
}

test('a worker of a fleet is profiled by a command, and its file has names and places but no values', async (t) => {
  const { root } = await serving(t)
  const ran = await runCommand(t, ['profile', '--seconds', '2'], { cwd: root, env })
  assert.equal(ran.status, 0, ran.stderr)
  assert.match(ran.stdout, /^own +total +function +place\n/)
  assert.match(ran.stdout, /\d % +\d+\.\d % +burn +busy\.ts:[45]\n/)
  const folder = join(root, 'storage', 'profiles')
  const [name = '', ...others] = readdirSync(folder)
  assert.deepEqual(others, [])
  assert.match(name, /^\d{13}-2s-[\da-f]{8}\.cpuprofile$/)
  assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600)
  const text = readFileSync(join(folder, name), 'utf8')
  const { nodes, samples, timeDeltas } = JSON.parse(text)
  assert.ok(nodes.length > 5 && samples.length > 100 && timeDeltas.length === samples.length)
  assert.ok(text.includes('"url":"busy.ts"'))
  for (const value of [secret, 'hunter22', root, encodeURIComponent(secret)]) {
    assert.ok(!text.includes(value) && !ran.stdout.replaceAll(folder, '').includes(value), value)
  }
})

test('each worker takes one profile at a time: with two workers a third is wanted in vain', async (t) => {
  const { root } = await serving(t)
  const wanted = Array.from({ length: 3 }, () => wantProfile(root, 2))
  const states = (): readonly string[] =>
    readdirSync(join(root, 'storage', 'profiles')).map((name) => name.split('.')[1] ?? '')
  await waitFor('two profiles', () => states().filter((one) => one === 'running').length === 2)
  await waitFor('their files', () => states().filter((one) => one === 'cpuprofile').length === 2)
  assert.deepEqual(states().toSorted(), ['cpuprofile', 'cpuprofile', 'wanted'])
  for (const { id } of wanted) rmSync(profilePath(root, id, 'wanted'), { force: true })
})

test('nobody is profiled where nobody serves, and none by another user', async (t) => {
  const root = plantProject(t, files)
  const unserved = await runCommand(t, ['profile'], { cwd: root, env })
  assert.equal(unserved.status, 1)
  assert.match(unserved.stderr, /nobody has served the project in .* yet/)
  const { root: served, server } = await serving(t)
  const folder = join(served, 'storage', 'profiles')
  assert.equal(statSync(folder).mode & 0o777, 0o700)
  if (process.getuid?.() === 0) {
    chownSync(folder, 65_534, 65_534)
    const stranger = await runCommand(t, ['profile'], { cwd: served, env })
    assert.equal(stranger.status, 1)
    assert.match(stranger.stderr, /belongs to another user/)
    chownSync(folder, 0, 0)
  }
  server.child.kill('SIGTERM')
  await waitFor('its end', () => server.child.exitCode !== null)
  const stopped = await runCommand(t, ['profile'], { cwd: served, env })
  assert.equal(stopped.status, 1)
  assert.match(stopped.stderr, /no server of the project is running on this machine/)
  assert.deepEqual(readdirSync(folder), [])
})

test('a profile of memory is of the worker that uses most, with the lines that allocated what is still there, and no values', async (t) => {
  // A smaller heap is sooner full.
  const options = '--max-old-space-size=1000'
  const { root, url } = await serving(t, { busy: false, options })
  // One connection, so that one of the two workers leaks, and the other would be the first to take the profile.
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.after(() => agent.destroy())
  const leak = async (): Promise<void> => {
    const asked = get(`${url}/leak?value=${encodeURIComponent(secret)}`, { agent })
    const [answer] = await once(asked, 'response')
    await once(answer.resume(), 'end')
  }
  for (let turn = 0; turn < 300; turn += 1) await leak()
  for (let turn = 0; turn < 2; turn += 1) {
    const { id } = wantProfile(root, 1, 'memory')
    await waitFor('the profile', async () => {
      await leak()
      return existsSync(profilePath(root, id, 'cpuprofile'))
    })
    assert.ok(!readFileSync(profilePath(root, id, 'cpuprofile'), 'utf8').includes(secret))
    const most = readProfile(root, id).calls.find(({ isOwn }) => isOwn)
    assert.match(most?.place ?? '', /^leak\.ts:[345]$/)
    assert.ok((most?.self ?? 0) > 100_000, 'bytes')
  }
})
