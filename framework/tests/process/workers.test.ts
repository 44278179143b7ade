import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { startLoad } from '../support/load.ts'
import { rawAnswer } from '../support/raw-answer.ts'
import { RawClient, exchange } from '../support/raw-client.ts'
import { assertHealthy } from '../support/serve.ts'
import { groupMembers, launch, startServer } from '../support/start-server.ts'
import type { Line, StartedServer } from '../support/start-server.ts'
import { waitFor } from '../support/wait-for.ts'

const script = join(import.meta.dirname, '../support/fleet-server.ts')
const fleet = { server: { workers: 2 } }
/** A worker that starts on a busy machine. */
const startSeconds = 30

test('SIGUSR2 under load replaces every worker, and no request fails', async (t) => {
  const server = await startServer(t, script, fleet)
  const old = workers(server)
  const load = startLoad(server.port, '/pid', 10)
  await waitFor('both workers to answer', () => load.tally.bodies.size === 2)
  server.child.kill('SIGUSR2')
  await waitFor('the restart', () => logged(server, 'workers restarted').length > 0, startSeconds)
  const fresh = workers(server).filter((pid) => !old.includes(pid))
  await waitFor('answers of the new ones', () =>
    fresh.every((pid) => load.tally.bodies.has(String(pid))),
  )
  const { answered, failed } = await load.stop()
  t.diagnostic(`${answered} requests answered`)
  assert.deepEqual([...failed], [])
  assert.equal(fresh.length, 2)
  assert.deepEqual(groupMembers(server.pid).sort(), [server.pid, ...fresh].sort())
})

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  test(`${signal} to all processes finishes every request in flight and exits with 0`, async (t) => {
    const server = await startServer(t, script, fleet)
    const answers = await askSlowly(server, 6)
    // As a terminal or a service manager does it.
    process.kill(-server.pid, signal)
    assert.deepEqual(await Promise.all(answers), Array(6).fill(200))
    assert.equal(await server.ended, 0)
    assert.deepEqual(groupMembers(server.pid), [])
    assert.equal(server.errors(), '')
  })
}

test('SIGTERM to the primary finishes every request in flight and exits with 0', async (t) => {
  const server = await startServer(t, script, fleet)
  const answers = await askSlowly(server, 6)
  server.child.kill('SIGTERM')
  assert.deepEqual(await Promise.all(answers), Array(6).fill(200))
  assert.equal(await server.ended, 0)
  assert.deepEqual(groupMembers(server.pid), [])
})

test('SIGTERM to a server of one process finishes every request in flight and exits with 0', async (t) => {
  const server = await startServer(t, script, {})
  const answers = await askSlowly(server, 3)
  server.child.kill('SIGTERM')
  assert.deepEqual(await Promise.all(answers), Array(3).fill(200))
  assert.equal(await server.ended, 0)
})

test('SIGTERM in the middle of a restart finishes what the old workers have in flight', async (t) => {
  const server = await startServer(t, script, fleet)
  const answers = await askSlowly(server, 6)
  server.child.kill('SIGUSR2')
  // From here on the old worker waits for its requests, and the new one holds its place.
  await waitFor('a new worker', () => workers(server).length === 3, startSeconds)
  server.child.kill('SIGTERM')
  assert.deepEqual(await Promise.all(answers), Array(6).fill(200))
  assert.equal(await server.ended, 0)
  assert.deepEqual(groupMembers(server.pid), [])
})

test('a killed worker is replaced at once, and only what it had in flight fails', async (t) => {
  const server = await startServer(t, script, fleet)
  const [victim = 0] = workers(server)
  const load = startLoad(server.port, '/pid', 10)
  await waitFor('both workers to answer', () => load.tally.bodies.size === 2)
  const killedMs = Date.now()
  process.kill(victim, 'SIGKILL')
  await waitFor('another worker', () => workers(server).length === 3, startSeconds)
  t.diagnostic(`healed after ${Date.now() - killedMs} ms`)
  const [death] = logged(server, 'worker died and is replaced')
  assert.deepEqual([death?.['pid'], death?.['delayMs']], [victim, 0])
  const failures = [...load.tally.failed]
  const { answered } = load.tally
  await waitFor('answers after that', () => load.tally.answered > answered + 100)
  const { failed } = await load.stop()
  assert.deepEqual([...failed], failures, 'requests failed after the worker was replaced')
  assert.deepEqual(
    failures.filter(([kind, count]) => kind !== 'cut' || count > 10),
    [],
  )
})

test('a worker that dies again and again is replaced after growing delays, until it lives', async (t) => {
  const curse = await cursePath(t)
  const server = await startServer(t, script, { ...fleet, curse })
  const [first = 0] = workers(server)
  await writeFile(curse, '')
  process.kill(first, 'SIGKILL')
  const deaths = (): readonly Line[] => logged(server, 'worker died and is replaced')
  await waitFor('five deaths', () => deaths().length >= 5, startSeconds)
  await rm(curse)
  const delays = deaths().map((line) => Number(line['delayMs']))
  assert.deepEqual(delays.slice(0, 5), [0, 100, 200, 400, 800])
  await assertHealthy(server.port)
  await waitFor('a worker that lives', () => workers(server).length === 3, startSeconds)
})

test('a restart whose new worker does not come up leaves the old ones in place', async (t) => {
  const curse = await cursePath(t)
  const server = await startServer(t, script, { ...fleet, curse })
  const old = workers(server)
  await writeFile(curse, '')
  server.child.kill('SIGUSR2')
  const [message] = await waitFor(
    'the end of the attempt',
    () => {
      const lines = logged(server, 'restart given up: the new worker does not come up')
      return lines.length > 0 && lines
    },
    startSeconds,
  )
  assert.match(String(message?.['reason']), /exit status 7/)
  await assertHealthy(server.port)
  await waitFor('the end of the new one', () => groupMembers(server.pid).length === 3)
  assert.deepEqual(groupMembers(server.pid).sort(), [server.pid, ...old].sort())

  await rm(curse)
  server.child.kill('SIGUSR2')
  await waitFor('the restart', () => logged(server, 'workers restarted').length > 0, startSeconds)
  assert.equal(workers(server).length, 4)
})

test('a port that is taken ends the primary with that reason, and leaves nobody behind', async (t) => {
  const other = createServer().listen(0, '127.0.0.1')
  t.after(() => other.close())
  await once(other, 'listening')
  const address = other.address()
  const port = typeof address === 'object' ? address?.port : 0
  const server = launch(t, script, { server: { workers: 2, port } })
  assert.equal(await server.ended, 1)
  assert.match(server.errors(), new RegExp(`ConfigurationError: port ${port} .* is taken`))
  assert.deepEqual(groupMembers(server.pid), [])
})

test('a worker that throws before it serves ends the primary, and is not tried again', async (t) => {
  const server = launch(t, script, { ...fleet, throws: true })
  assert.equal(await server.ended, 1)
  assert.match(
    server.errors(),
    /ConfigurationError: a worker ended before it served \(exit status 1\)/,
  )
  assert.equal(server.errors().match(/Error: the project does not boot/g)?.length, 2)
  assert.deepEqual(groupMembers(server.pid), [])
})

test('workers do not outlive a primary that was killed', async (t) => {
  const server = await startServer(t, script, fleet)
  server.child.kill('SIGKILL')
  assert.equal(await server.ended, 'SIGKILL')
  await waitFor('the end of the workers', () => groupMembers(server.pid).length === 0)
})

test('workers that are full close what is beyond, and do not pass it around', async (t) => {
  const server = await startServer(t, script, {
    server: { workers: 2, limits: { connections: 1 } },
  })
  const get = 'GET /pid HTTP/1.1\r\nHost: localhost\r\n\r\n'
  const held = [await RawClient.connect(server.port), await RawClient.connect(server.port)]
  for (const client of held) await client.send(get).until('\r\n\r\n')
  assert.equal(await exchange(server.port, get), '')
  for (const client of held) assert.equal(client.closed, false)
})

/** Sends requests that take a while, and resolves with their coming statuses once all have begun. */
async function askSlowly(server: StartedServer, count: number): Promise<Promise<number>[]> {
  const answers = Array.from({ length: count }, async () => {
    const request = 'GET /slow/1500 HTTP/1.1\r\nHost: localhost\r\n\r\n'
    const client = (await RawClient.connect(server.port)).send(request)
    const answer = rawAnswer(await client.ended())
    assert.equal(answer.header('connection'), 'close')
    return answer.status
  })
  await waitFor('the slow requests', () => {
    return server.lines.filter((line) => 'began' in line).length === count
  })
  return answers
}

/** Process ids of all workers that ever served, in the order they came up. */
function workers({ lines }: StartedServer): number[] {
  return lines.flatMap((line) => (typeof line['worker'] === 'number' ? [line['worker']] : []))
}

function logged({ lines }: StartedServer, message: string): readonly Line[] {
  return lines.filter((line) => line['log'] === message)
}

async function cursePath(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'framework-workers-'))
  t.after(() => rm(folder, { recursive: true }))
  return join(folder, 'curse')
}
