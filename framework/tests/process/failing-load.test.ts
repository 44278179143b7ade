import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { groupMembers, startServer } from '../support/start-server.ts'
import { waitFor } from '../support/wait-for.ts'

const script = join(import.meta.dirname, 'failing-load-server.ts')
const statuses: Readonly<Record<string, number>> = {
  '/sync': 500,
  '/async': 500,
  '/string': 500,
  '/aggregate': 500,
  '/busy': 503,
  '/stream': 500,
  // Fails after its head: the connection is cut, and the failure is still reported.
  '/cut': 200,
}
const paths = Object.keys(statuses)
const connections = 200
const requests = 10_000
const warmUps = 4_000
const maxGrowthBytes = 2e6

test('of 10,000 failing requests each is reported exactly once, and no worker is lost', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'framework-failing-'))
  t.after(() => rm(folder, { recursive: true }))
  const log = join(folder, 'exceptions.log')
  const server = await startServer(t, script, { log })
  const workers = await waitFor('both workers', () => {
    const pids = server.lines.flatMap(({ worker }) => (typeof worker === 'number' ? [worker] : []))
    return pids.length === 2 && pids
  })

  const answers = await load(server.port, warmUps)
  const before = await heaps(server.port, workers)
  answers.push(...(await load(server.port, requests)))
  const after = await heaps(server.port, workers)

  for (const { path, status, id, whole } of answers) {
    assert.equal(status, statuses[path], path)
    assert.equal(whole, path !== '/cut', path)
    assert.match(id, /^[\da-f-]{36}$/)
  }
  const answered = answers.map(({ id }) => id).toSorted()
  assert.equal(new Set(answered).size, requests + warmUps)

  await waitFor('the reports', () => reportsIn(log).length >= answered.length)
  server.child.kill('SIGTERM')
  assert.equal(await server.ended, 0)
  const reports = reportsIn(log)
  assert.deepEqual(reports.map(({ id }) => id).toSorted(), answered)
  const asked = new Map(answers.map(({ id, path }) => [id, path]))
  for (const { id, path } of reports) assert.equal(path, asked.get(id))

  assert.deepEqual(
    server.lines.filter((line) => 'log' in line),
    [],
  )
  assert.equal(server.errors(), '')
  assert.deepEqual(groupMembers(server.pid), [])
  for (const pid of workers) {
    const grown = (after.get(pid) ?? NaN) - (before.get(pid) ?? NaN)
    t.diagnostic(`worker ${pid} holds ${(grown / 1e6).toFixed(2)} MB more than before`)
    assert.ok(grown < maxGrowthBytes, `${grown} bytes`)
  }
})

interface Answer {
  readonly path: string
  readonly status: number
  readonly id: string
  /** False when the connection ended before the response. */
  readonly whole: boolean
  readonly body: string
}

/** Keeps the connections busy with failing requests, one after another on each, kinds mixed. */
async function load(port: number, count: number): Promise<Answer[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const answers: Answer[] = []
  let next = 0
  const loops = Array.from({ length: connections }, async () => {
    while (next < count) {
      const path = paths[next % paths.length] ?? '/sync'
      next += 1
      answers.push(await ask(port, path, agent))
    }
  })
  await Promise.all(loops)
  agent.destroy()
  return answers
}

function ask(port: number, path: string, agent: Agent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = get({ host: '127.0.0.1', port, path, agent }, (response) => {
      const { statusCode: status = 0, headers } = response
      const id = String(headers['x-request-id'])
      let body = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => (body += chunk))
      // A cut response is an expected result here.
      response.on('error', () => {})
      response.on('close', () => resolve({ path, status, id, whole: response.complete, body }))
    })
    request.on('error', reject)
  })
}

/** The heap size of each worker after a collection. */
async function heaps(port: number, workers: readonly number[]): Promise<Map<number, number>> {
  const held = new Map<number, number>()
  await waitFor('all workers to answer', async () => {
    // A new connection each time, so that the next worker gets its turn.
    const agent = new Agent()
    const { pid, heapBytes } = JSON.parse((await ask(port, '/memory', agent)).body)
    held.set(pid, heapBytes)
    return workers.every((worker) => held.has(worker))
  })
  return held
}

interface Report {
  readonly id: string
  readonly path: string
}

function reportsIn(log: string): Report[] {
  const lines = readFileSync(log, 'utf8').split('\n').slice(0, -1)
  return lines.map((line) => {
    const { request, URI } = JSON.parse(line).context
    return { id: request, path: URI }
  })
}
