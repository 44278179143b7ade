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

test('SIGUSR2 under load replaces every worker, and no request fails', async (t) => {
  const server = await startFleet(t)
  const old = workers(server)
  const load = startLoad(t, server.port, '/pid', 10)
  await waitFor('both workers to answer', () => load.tally.bodies.size === 2)
  server.child.kill('SIGUSR2')
  await waitFor('the restart', () => logged(server, 'workers restarted').length > 0)
  const fresh = workers(server).filter((pid) => !old.includes(pid))
  await waitFor('answers of the new ones', () =>
    fresh.every((pid) => load.tally.bodies.has(String(pid))),
  )
  const { answered, failed } = await load.stop()
  t.diagnostic(`${answered} requests answered`)
  assert.deepEqual([...failed], [])
  assert.equal(fresh.length, 2)
  assert.deepEqual(new Set(groupMembers(server.pid)), new Set([server.pid, ...fresh]))
})

test('SIGTERM to the primary finishes every request in flight and exits with 0', async (t) => {
  const gate = await unusedPath(t)
  const server = await startFleet(t, { gate })
  const answers = await askGate(server, 6)
  server.child.kill('SIGTERM')
  await refusesConnections(server.port)
  await writeFile(gate, '')
  assert.deepEqual(await Promise.all(answers), Array(6).fill(200))
  assert.equal(await server.ended, 0)
  assert.deepEqual(groupMembers(server.pid), [])
})

test('SIGINT to all processes at once finishes every request in flight and exits with 0', async (t) => {
  const gate = await unusedPath(t)
  const server = await startFleet(t, { gate })
  const answers = await askGate(server, 6)
  // As a terminal does on Ctrl-C.
  process.kill(-server.pid, 'SIGINT')
  await refusesConnections(server.port)
  await writeFile(gate, '')
  assert.deepEqual(await Promise.all(answers), Array(6).fill(200))
  assert.equal(await server.ended, 0)
  assert.deepEqual(groupMembers(server.pid), [])
  assert.equal(server.errors(), '')
})

test('SIGTERM to a server of one process finishes every request in flight and exits with 0', async (t) => {
  const gate = await unusedPath(t)
  const server = await startServer(t, script, { gate })
  const answers = await askGate(server, 3)
  server.child.kill('SIGTERM')
  await refusesConnections(server.port)
  await writeFile(gate, '')
  assert.deepEqual(await Promise.all(answers), Array(3).fill(200))
  assert.equal(await server.ended, 0)
})

test('SIGTERM during a restart finishes the requests of the old workers', async (t) => {
  const gate = await unusedPath(t)
  const server = await startFleet(t, { gate })
  const second = server.lines.find((line) => line['slot'] === 2)?.['worker']
  const answers = await askGate(server, 6)
  server.child.kill('SIGUSR2')
  // From here on the first worker waits for its requests, and the new one takes its place.
  await waitFor('a new worker', () => workers(server).length === 3)
  server.child.kill('SIGTERM')
  await writeFile(`${gate}.${String(second)}`, '')
  await waitFor('the old worker to be the last', () => groupMembers(server.pid).length === 2)
  await writeFile(gate, '')
  assert.deepEqual(await Promise.all(answers), Array(6).fill(200))
  assert.equal(await server.ended, 0)
  assert.deepEqual(groupMembers(server.pid), [])
})

test('SIGTERM while the workers start ends them as soon as they can receive it', async (t) => {
  const start = await unusedPath(t)
  const server = launch(t, script, { server: { workers: 2 }, start })
  await waitFor('both workers', () => starting(server).length === 2)
  server.child.kill('SIGTERM')
  await writeFile(start, '')
  await waitFor('the end', () => server.child.exitCode === 0)
  assert.deepEqual(groupMembers(server.pid), [])
})

test('SIGUSR2 while the workers start replaces them once they serve', async (t) => {
  const start = await unusedPath(t)
  const server = launch(t, script, { server: { workers: 2 }, start })
  await waitFor('both workers', () => starting(server).length === 2)
  server.child.kill('SIGUSR2')
  await writeFile(start, '')
  await waitFor('the restart', () => logged(server, 'workers restarted').length > 0)
  const fresh = starting(server).slice(2)
  assert.deepEqual(new Set(groupMembers(server.pid)), new Set([server.pid, ...fresh]))
  assert.equal(fresh.length, 2)
})

test('a killed worker is replaced at once, and only its requests in flight fail', async (t) => {
  const server = await startFleet(t)
  const [victim = 0] = workers(server)
  const load = startLoad(t, server.port, '/pid', 10)
  await waitFor('both workers to answer', () => load.tally.bodies.size === 2)
  const killedMs = Date.now()
  process.kill(victim, 'SIGKILL')
  await waitFor('another worker', () => workers(server).length === 3)
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

test('a connection handed to a dying worker is answered by another one', async (t) => {
  const server = await startFleet(t)
  const [victim = 0] = workers(server)
  // A stopped worker accepts nothing, so one connection stays pending in the primary.
  process.kill(victim, 'SIGSTOP')
  const statuses: number[] = []
  const asked = Array.from({ length: 4 }, async () => {
    const request = 'GET /pid HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'
    const client = (await RawClient.connect(server.port)).send(request)
    statuses.push(rawAnswer(await client.ended()).status)
  })
  await waitFor('the answers of the other worker', () => statuses.length === 3)
  process.kill(victim, 'SIGKILL')
  await Promise.all(asked)
  assert.deepEqual(statuses, [200, 200, 200, 200])
})

test('a connection handed to a dying worker does not wait forever while no other one listens', async (t) => {
  const start = await unusedPath(t)
  await writeFile(start, '')
  const server = await startFleet(t, { start })
  const [last = 0, other = 0] = workers(server)
  await rm(start)
  process.kill(other, 'SIGKILL')
  const started = (): number => server.lines.filter((line) => 'starting' in line).length
  await waitFor('a new worker that does not listen', () => started() === 3)
  process.kill(last, 'SIGSTOP')
  const request = 'GET /pid HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'
  const client = (await RawClient.connect(server.port)).send(request)
  process.kill(last, 'SIGKILL')
  await waitFor('another one', () => started() === 4)
  await writeFile(start, '')
  await waitFor('its end, answered or not', () => client.closed, 30)
})

test('a worker that keeps dying is replaced after growing delays, until it lives', async (t) => {
  const curse = await unusedPath(t)
  const server = await startFleet(t, { curse })
  const [first = 0] = workers(server)
  await writeFile(curse, '')
  process.kill(first, 'SIGKILL')
  const deaths = (): readonly Line[] => logged(server, 'worker died and is replaced')
  await waitFor('four deaths', () => deaths().length >= 4)
  await rm(curse)
  const delays = deaths().map((line) => Number(line['delayMs']))
  assert.deepEqual(delays.slice(0, 4), [0, 100, 200, 400])
  await assertHealthy(server.port)
  await waitFor('a worker that lives', () => workers(server).length === 3)
})

test('a restart whose new worker does not start leaves the old ones in place', async (t) => {
  const curse = await unusedPath(t)
  const server = await startFleet(t, { curse })
  const old = workers(server)
  await writeFile(curse, '')
  server.child.kill('SIGUSR2')
  const [message] = await waitFor('the end of the attempt', () => {
    const lines = logged(server, 'restart given up: the new worker does not come up')
    return lines.length > 0 && lines
  })
  assert.match(String(message?.['reason']), /exit status 7/)
  await assertHealthy(server.port)
  await waitFor('the end of the new one', () => groupMembers(server.pid).length === 3)
  assert.deepEqual(new Set(groupMembers(server.pid)), new Set([server.pid, ...old]))

  await rm(curse)
  server.child.kill('SIGUSR2')
  await waitFor('the restart', () => logged(server, 'workers restarted').length > 0)
  assert.equal(workers(server).length, 4)
})

test('a port in use ends the primary with that reason, and leaves no process behind', async (t) => {
  const other = createServer().listen(0, '127.0.0.1')
  t.after(() => other.close())
  await once(other, 'listening')
  const address = other.address()
  const port = typeof address === 'object' ? address?.port : 0
  const server = launch(t, script, { server: { workers: 2, port } })
  assert.equal(await server.ended, 1)
  assert.match(server.errors(), new RegExp(`ConfigurationError: port ${port} .* is in use`))
  assert.deepEqual(groupMembers(server.pid), [])
})

test('a worker that throws before it serves ends the primary, and is not retried', async (t) => {
  const server = launch(t, script, { server: { workers: 2 }, throws: true })
  assert.equal(await server.ended, 1)
  assert.match(
    server.errors(),
    /ConfigurationError: a worker ended before it served \(exit status 1\)/,
  )
  assert.equal(server.errors().match(/Error: the project does not boot/g)?.length, 2)
  assert.deepEqual(groupMembers(server.pid), [])
})

test('workers do not outlive a killed primary', async (t) => {
  const server = await startFleet(t)
  server.child.kill('SIGKILL')
  assert.equal(await server.ended, 'SIGKILL')
  await waitFor('the end of the workers', () => groupMembers(server.pid).length === 0)
})

test('full workers close extra connections and do not pass them around', async (t) => {
  const server = await startServer(t, script, {
    server: { workers: 2, limits: { connections: 1 } },
  })
  const get = 'GET /pid HTTP/1.1\r\nHost: localhost\r\n\r\n'
  const held = [await RawClient.connect(server.port), await RawClient.connect(server.port)]
  for (const client of held) await client.send(get).until('\r\n\r\n')
  assert.equal(await exchange(server.port, get), '')
  for (const client of held) assert.equal(client.closed, false)
})

/** Two serving workers. */
async function startFleet(t: TestContext, options: object = {}): Promise<StartedServer> {
  const server = await startServer(t, script, { server: { workers: 2 }, ...options })
  await waitFor('both workers', () => workers(server).length === 2)
  return server
}

/** Sends requests for /gate; resolves with their pending statuses once all have started. */
async function askGate(server: StartedServer, count: number): Promise<Promise<number>[]> {
  const answers = Array.from({ length: count }, async () => {
    const request = 'GET /gate HTTP/1.1\r\nHost: localhost\r\n\r\n'
    const client = (await RawClient.connect(server.port)).send(request)
    return rawAnswer(await client.ended()).status
  })
  await waitFor('the requests', () => {
    return server.lines.filter((line) => 'began' in line).length === count
  })
  return answers
}

/** Resolves when the port is closed, which shows that a server is stopping. */
async function refusesConnections(port: number): Promise<void> {
  await waitFor('the port to close', () => {
    return RawClient.connect(port).then(
      (client) => {
        client.leave()
        return false
      },
      () => true,
    )
  })
}

/** Process ids of all workers that ever served, in the order they started. */
function workers(server: Pick<StartedServer, 'lines'>): number[] {
  return pidsUnder(server, 'worker')
}

/** Process ids of all workers that ever ran. */
function starting(server: Pick<StartedServer, 'lines'>): number[] {
  return pidsUnder(server, 'starting')
}

function pidsUnder({ lines }: Pick<StartedServer, 'lines'>, key: string): number[] {
  return lines.flatMap(({ [key]: pid }) => (typeof pid === 'number' ? [pid] : []))
}

function logged({ lines }: Pick<StartedServer, 'lines'>, message: string): readonly Line[] {
  return lines.filter((line) => line['log'] === message)
}

/** The path of a file that does not exist yet. */
async function unusedPath(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'framework-workers-'))
  t.after(() => rm(folder, { recursive: true }))
  return join(folder, 'file')
}
