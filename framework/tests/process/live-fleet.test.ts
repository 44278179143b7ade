import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CountingClient } from '../support/counting-client.ts'
import { startServer } from '../support/start-server.ts'
import { waitFor } from '../support/wait-for.ts'

// LIVE_TEST_CONNECTIONS=2000 LIVE_TEST_EVENTS=1000 npm test -- live-fleet --silence 900
const connections = Number(process.env['LIVE_TEST_CONNECTIONS'] ?? 100)
const events = Number(process.env['LIVE_TEST_EVENTS'] ?? 60)
/** Seconds until a run of this size has hung. */
const patience = 120 + (connections * events) / 5_000
const script = new URL('live-server.ts', import.meta.url).pathname

test('every client gets every event once and in order, through broken connections and a reload', async (t) => {
  const drainTimeout = 30
  const server = await startServer(t, script, { server: { workers: 2, drainTimeout } })
  const base = `http://127.0.0.1:${server.port}`
  const clients: CountingClient[] = []
  t.after(() => clients.forEach((client) => client.close()))
  // In lots, as a listening socket has a queue of limited length.
  while (clients.length < connections) {
    const lot = Math.min(200, connections - clients.length)
    for (let at = 0; at < lot; at += 1) clients.push(new CountingClient(server.port, '/events', 50))
    await waitFor('the clients', () => clients.every(({ isReady }) => isReady))
  }
  const publishers = new Set<number>()
  const startMs = performance.now()
  const third = Math.floor(events / 3)
  await publish(0, third)
  const reload = reloaded(server.pid)
  await publish(third, 2 * third)
  const reloadSeconds = await reload
  await publish(2 * third, events)
  const isOver = ({ received, problem }: CountingClient): boolean =>
    received >= events || problem !== null
  await waitFor('all events', () => clients.every(isOver), patience)
  const seconds = (performance.now() - startMs) / 1_000
  const problems = clients.flatMap(({ problem }) => problem ?? [])
  assert.deepEqual(problems.slice(0, 10), [])
  assert.ok(publishers.size > 2, 'several workers published, before and after the reload')
  assert.ok(clients.every((client) => client.connections > 1))
  assert.ok(reloadSeconds < drainTimeout, `the reload took ${reloadSeconds} s`)
  assert.equal(
    server.lines.some(({ log }) => String(log).startsWith('connections cut')),
    false,
  )
  const opened = clients.reduce((sum, client) => sum + client.connections, 0)
  t.diagnostic(
    `${connections} clients, ${events} events, ${opened} connections in ${seconds.toFixed(1)} s; ` +
      `the reload took ${reloadSeconds.toFixed(1)} s`,
  )

  async function publish(from: number, to: number): Promise<void> {
    for (let number = from; number < to; number += 1) {
      // A connection each, so that both workers publish.
      const headers = { connection: 'close' }
      const response = await fetch(`${base}/publish/${number}`, { method: 'POST', headers })
      const { pid }: { pid: number } = JSON.parse(await response.text())
      publishers.add(pid)
      // With each event some connections break.
      for (let at = 0; at < 5; at += 1) clients[(number * 5 + at) % clients.length]?.drop()
    }
  }

  function reloaded(pid: number): Promise<number> {
    const beganMs = performance.now()
    process.kill(pid, 'SIGUSR2')
    const isOver = (): boolean => server.lines.some(({ log }) => log === 'workers restarted')
    const over = waitFor('the reload', isOver, patience)
    return over.then(() => (performance.now() - beganMs) / 1_000)
  }
})
