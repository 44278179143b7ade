import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { startLoad } from '../support/load.ts'
import { RawClient, exchange } from '../support/raw-client.ts'
import { commandLine } from '../support/running-processes.ts'
import { startServer } from '../support/start-server.ts'
import type { Line, StartedServer } from '../support/start-server.ts'
import { waitFor } from '../support/wait-for.ts'

const script = join(import.meta.dirname, 'memory-server.ts')

test('a worker that runs out of memory is reported once as a fatal error and replaced', async (t) => {
  const reports = join(folder(t), 'reports')
  const server = await startFleet(t, { reports })
  assert.equal(statSync(reports).mode & 0o777, 0o700)
  const load = startLoad(t, server.port, '/pid', 10)
  await waitFor('both workers to answer', () => load.tally.bodies.size === 2)

  const client = await RawClient.connect(server.port)
  const answer = await client.send('GET /eat HTTP/1.1\r\nHost: localhost\r\n\r\n').ended()
  const lostMs = Date.now()
  assert.equal(answer, '', 'its client sees the connection end')
  const fresh = await waitFor('another worker', () => workers(server)[2])
  const healedMs = Number(fresh['atMs']) - lostMs
  t.diagnostic(`another worker served ${healedMs} ms after the connection was lost`)

  const failures = [...load.tally.failed]
  const { answered } = load.tally
  await waitFor('answers after that', () => load.tally.answered > answered + 100)
  await waitFor('an answer of the new one', async () => {
    const get = 'GET /pid HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'
    return (await exchange(server.port, get)).endsWith(`\r\n\r\n${String(fresh['worker'])}`)
  })
  const { failed } = await load.stop()
  assert.deepEqual([...failed], failures, 'requests failed after the worker was replaced')
  for (const [kind, count] of failures) assert.ok(kind === 'cut' && count <= 10, kind)

  const [death] = logged(server, 'worker died and is replaced')
  assert.deepEqual([death?.['signal'], death?.['delayMs']], ['SIGABRT', 0])
  const { pid, slot } = Object(death)
  const [fatal, ...others] = reported(server)
  assert.deepEqual(others, [])
  assert.partialDeepStrictEqual(fatal, {
    reported: 'ErrorException',
    message: 'Allocation failed - JavaScript heap out of memory',
    severity: 1,
    context: { origin: 'fatal', pid, slot },
    by: server.pid,
  })
  assert.equal(existsSync(join(reports, `fatal-${pid}.json`)), false)

  server.child.kill('SIGTERM')
  assert.equal(await server.ended, 0)
  assert.deepEqual(readdirSync(reports), [], 'workers that end in order leave nothing')
})

test('without a report folder a temporary one is used and removed with the server', async (t) => {
  const before = temporary()
  const server = await startFleet(t, {})
  const made = temporary().find((name) => !before.includes(name)) ?? ''
  assert.equal(statSync(join(tmpdir(), made)).mode & 0o777, 0o700)
  const client = await RawClient.connect(server.port)
  await client.send('GET /eat HTTP/1.1\r\nHost: localhost\r\n\r\n').ended()
  await waitFor('another worker', () => workers(server)[2])
  assert.equal(reported(server).length, 1)
  server.child.kill('SIGTERM')
  assert.equal(await server.ended, 0)
  assert.equal(existsSync(join(tmpdir(), made)), false)
})

test('workers are started so that no report can contain the environment', async (t) => {
  const server = await startFleet(t, { reports: folder(t) })
  const [worker] = workers(server)
  const words = commandLine(Number(worker?.['worker']))
  assert.match(words, /--report-exclude-env /)
  assert.match(words, /--max-old-space-size=64 /, 'and with what the program asked for')
})

async function startFleet(t: TestContext, options: object): Promise<StartedServer> {
  const server = await startServer(t, script, { workers: 2, ...options })
  await waitFor('both workers', () => workers(server).length === 2)
  return server
}

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'framework-memory-'))
  t.after(() => rmSync(path, { recursive: true, force: true, maxRetries: 10 }))
  return path
}

/** The temporary report folders on this machine. */
function temporary(): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith('framework-reports-'))
}

function workers({ lines }: Pick<StartedServer, 'lines'>): readonly Line[] {
  return lines.filter((line) => 'worker' in line)
}

function reported({ lines }: Pick<StartedServer, 'lines'>): readonly Line[] {
  return lines.filter((line) => 'reported' in line)
}

function logged({ lines }: Pick<StartedServer, 'lines'>, message: string): readonly Line[] {
  return lines.filter((line) => line['log'] === message)
}
