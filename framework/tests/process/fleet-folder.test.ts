import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { isFolderLocked } from '../../src/metrics/folder-lock.ts'
import { ObservabilityRoutes } from '../../src/devtools/observability/observability.ts'
import { Server } from '../../src/http/server/server.ts'
import { runCommand, RunningCommand } from '../support/command.ts'
import { metricsFolder, metricsServer, startMetricsFleet } from '../support/metrics-fleet.ts'
import { plantProject } from '../support/plant-project.ts'
import { groupMembers, launch, startServer } from '../support/start-server.ts'
import { waitFor } from '../support/wait-for.ts'

for (const workers of [1, 2]) {
  test(`with ${workers} of its own, a second server in the same folder does not start and names the variable`, async (t) => {
    const observability = { folder: metricsFolder(t), interval: 1 }
    await startMetricsFleet(t, { workers: 3 - workers, observability })
    const second = launch(t, metricsServer, { workers, observability })
    await waitFor('its end', () => second.child.exitCode === 1, 30)
    assert.match(second.errors(), /E_OBSERVABILITY_FOLDER/)
    assert.match(second.errors(), /FRAMEWORK_OBSERVABILITY_DIR/)
    assert.ok(second.errors().includes(observability.folder))
    assert.deepEqual(groupMembers(second.pid), [])
    await startMetricsFleet(t, { workers })
  })

  test(`of servers with ${workers} that start at the same moment exactly one serves`, async (t) => {
    const observability = { folder: metricsFolder(t), interval: 1 }
    const servers = Array.from({ length: 4 }, () =>
      launch(t, metricsServer, { workers, observability }),
    )
    const serving = (): number =>
      servers.filter(({ lines }) => lines.some((line) => 'port' in line)).length
    await waitFor(
      'three to refuse and one to serve',
      () => serving() === 1 && servers.filter(({ child }) => child.exitCode === 1).length === 3,
      30,
    )
  })

  test(`a server with ${workers} that was killed or stopped leaves the folder to the next`, async (t) => {
    const observability = { folder: metricsFolder(t), interval: 1 }
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      const server = await startServer(t, metricsServer, { workers, observability })
      server.child.kill(signal)
      await server.ended
    }
    await startServer(t, metricsServer, { workers, observability })
  })
}

const project = `import { defineProject } from 'framework'
import { ObservabilityRoutes } from 'framework/http'
export default defineProject({ name: 'Shop', routes: [ObservabilityRoutes] })
`

test('framework serve says that the folder is taken, and serves in another one', async (t) => {
  const cwd = plantProject(t, { 'project.ts': project })
  // Restarted by --watch, it takes over the folder.
  const first = new RunningCommand(t, ['serve', '--port', '0', '--workers', '2', '--watch'], {
    cwd,
  })
  await first.url()
  writeFileSync(join(cwd, 'project.ts'), `${project}// changed\n`)
  await first.url(2)
  const second = await runCommand(t, ['serve', '--port', '0'], { cwd })
  assert.equal(second.status, 1)
  assert.match(second.stderr, /FRAMEWORK_OBSERVABILITY_DIR.*\[E_OBSERVABILITY_FOLDER\]\n$/)
  const env = { FRAMEWORK_OBSERVABILITY_DIR: 'storage/other' }
  await new RunningCommand(t, ['serve', '--port', '0'], { cwd, env }).url()
  await first.stop()
})

test('a server that cannot bind its address releases the folder', async (t) => {
  const observability = { folder: metricsFolder(t) }
  const make = (port: number): Server =>
    new Server({ reporter: null })
      .configure({ port, host: '127.0.0.1', observability })
      .mount([ObservabilityRoutes], {})
  const first = new Server({ reporter: null }).configure({ port: 0, host: '127.0.0.1' })
  t.after(() => first.close())
  const { port } = await first.listen({ signals: false })
  const refused = make(port)
  t.after(() => refused.close())
  for (const _ of [1, 2]) {
    await assert.rejects(refused.listen({ signals: false }), { code: 'E_LISTEN' })
    assert.equal(isFolderLocked(observability.folder), false)
  }
  const second = make(0)
  t.after(() => second.close())
  await second.listen({ signals: false })
  assert.equal(isFolderLocked(observability.folder), true)
  await assert.rejects(make(0).listen({ signals: false }), { code: 'E_OBSERVABILITY_FOLDER' })
  await second.close()
  assert.equal(isFolderLocked(observability.folder), false)
})
