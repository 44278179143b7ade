import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { RunningCommand, runCommand } from '../support/command.ts'
import { plantProject } from '../support/plant-project.ts'
import { waitFor } from '../support/wait-for.ts'

/** A project whose services are built by this code. */
function projectWith(services: string): string {
  return `import { existsSync } from 'node:fs'
    import { ConfigurationError, defineProject } from 'framework'
    import { ObservabilityRoutes, routeSet } from 'framework/http'
    const Home = routeSet('Home', (router) => { router.get('/pid', () => String(process.pid)) })
    export default defineProject({
      name: 'shop',
      routes: [Home, ObservabilityRoutes],
      services: ${services},
    })`
}

for (const workers of ['1', '2']) {
  const serve = ['serve', '--port', '0', '--workers', workers]

  for (const [title, services] of [
    ['throw', `() => { throw new RangeError('no kitchen') }`],
    [
      'open something and reject',
      `async () => { setInterval(() => {}, 1e3); throw new RangeError('no kitchen') }`,
    ],
  ] as const) {
    test(`with ${workers} workers services that ${title} end serve with one report and 255`, async (t) => {
      const cwd = plantProject(t, { 'project.ts': projectWith(services) })
      const { status, stdout, stderr } = await runCommand(t, serve, { cwd })
      assert.equal(status, 255, stderr)
      assert.match(
        stderr,
        /^RangeError: no kitchen\n {4}at [^\n]*project\.ts:8:\d+\)?\n\n[^]* > 8 \|/,
      )
      assert.equal(stderr.match(/RangeError: no kitchen/g)?.length, 1, stderr)
      assert.equal(stdout, '')
    })
  }

  test(`with ${workers} workers a late error of services, before serving starts, is 255 too`, async (t) => {
    const services = `() => {
      setImmediate(() => { throw new RangeError('no kitchen') })
      return new Promise(() => setInterval(() => {}, 1e3))
    }`
    const cwd = plantProject(t, { 'project.ts': projectWith(services) })
    const { status, stderr } = await runCommand(t, serve, { cwd })
    assert.equal(status, 255, stderr)
    assert.match(stderr, /^RangeError: no kitchen\n/)
  })

  test(`with ${workers} workers an error with a code is one sentence and 1, whatever is open`, async (t) => {
    const services = `() => {
      setInterval(() => {}, 1e3)
      throw new ConfigurationError('E_CONFIG_INVALID', 'no kitchen')
    }`
    const cwd = plantProject(t, { 'project.ts': projectWith(services) })
    const { status, stderr } = await runCommand(t, serve, { cwd })
    assert.equal(status, 1)
    assert.match(stderr, /^error no kitchen \[E_(?:CONFIG_INVALID|WORKER_START)\]\n$/)
  })
}

test('dead workers, abandoned restarts and failed checks are logged as warnings or errors', async (t) => {
  const services = `({ ready, root }) => {
    if (existsSync(root + '/broken')) throw new RangeError('no kitchen')
    ready('kitchen', () => !existsSync(root + '/closed'))
    return {}
  }`
  const cwd = plantProject(t, { 'project.ts': projectWith(services) })
  const command = new RunningCommand(t, ['serve', '--port', '0', '--workers', '2'], { cwd })
  const url = await command.url()
  const levelOf = (message: string): Promise<string> =>
    waitFor(message, () => {
      const line = command.stdout.split('\n').find((text) => text.includes(`"${message}"`))
      return line === undefined ? undefined : String(JSON.parse(line).level)
    })

  writeFileSync(join(cwd, 'closed'), '')
  assert.equal((await fetch(`${url}/ready`)).status, 503)
  assert.equal(await levelOf('a readiness check failed'), 'WARN')

  process.kill(Number(await (await fetch(`${url}/pid`)).text()), 'SIGKILL')
  assert.equal(await levelOf('worker died and is replaced'), 'WARN')

  writeFileSync(join(cwd, 'broken'), '')
  command.child.kill('SIGUSR2')
  assert.equal(await levelOf('restarting workers'), 'INFO')
  assert.equal(await levelOf('restart given up: the new worker does not come up'), 'ERROR')
  assert.equal(await levelOf('a worker cannot start'), 'ERROR')
  await command.said(/RangeError: no kitchen\n {4}at /)
  assert.equal((await fetch(`${url}/pid`)).status, 200, 'the old workers still serve')

  rmSync(join(cwd, 'broken'))
  assert.equal(await command.stop(), 0)
})
