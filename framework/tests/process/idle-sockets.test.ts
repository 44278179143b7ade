import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { rawAnswer } from '../support/raw-answer.ts'
import { exchange } from '../support/raw-client.ts'
import { assertHealthy } from '../support/serve.ts'
import { startServer } from '../support/start-server.ts'
import { waitFor } from '../support/wait-for.ts'

const script = join(import.meta.dirname, '../support/fleet-server.ts')
const wanted = 10_000
/** Files, pipes and listeners that both processes have open besides the sockets. */
const spare = 200
/** The memory that one idle connection may cost the server. */
const bytesPerSocket = 20_000

test('ten thousand idle sockets leave the server healthy, and its memory bounded', async (t) => {
  const count = Math.min(wanted, openFilesLimit() - spare)
  t.diagnostic(`${count} sockets`)
  const { port } = await startServer(t, script)

  // The first sockets also warm up the server, which does not count as growth.
  await leave(await openSockets(port, 500))
  await settled(port)
  const before = await memory(port)
  const sockets = await openSockets(port, count)
  t.after(() => sockets.forEach((socket) => socket.destroy()))
  await waitFor('all sockets', async () => (await memory(port)).connections >= count)
  await assertHealthy(port)
  const during = await memory(port)
  const each = (during.rss - before.rss) / count
  t.diagnostic(`${Math.round(each)} bytes of memory a socket`)
  assert.ok(each < bytesPerSocket, `an idle socket costs ${each} bytes`)
  assert.ok(sockets.every((socket) => !socket.destroyed))

  await leave(sockets)
  await settled(port)
  await assertHealthy(port)
  const after = await memory(port)
  t.diagnostic(
    `heap: ${before.heapUsed} before, ${during.heapUsed} during, ${after.heapUsed} after`,
  )
  const kept = (after.heapUsed - before.heapUsed) / count
  assert.ok(kept < 200, `${kept} bytes stay for each socket that has left`)
})

function openFilesLimit(): number {
  const limit = execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }).trim()
  return limit === 'unlimited' ? Infinity : Number(limit)
}

async function openSockets(port: number, count: number): Promise<Socket[]> {
  const sockets: Socket[] = []
  while (sockets.length < count) {
    const batch = Array.from({ length: Math.min(500, count - sockets.length) }, () => open(port))
    sockets.push(...(await Promise.all(batch)))
  }
  return sockets
}

/** Every other socket makes a request before it goes idle. */
let opened = 0
function open(port: number): Promise<Socket> {
  opened += 1
  const speaks = opened % 2 === 0
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('error', reject)
    socket.once('connect', () => {
      if (speaks) socket.write('GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n')
      else resolve(socket)
    })
    socket.once('data', () => resolve(socket))
  })
}

function leave(sockets: readonly Socket[]): Promise<unknown> {
  return Promise.all(
    sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve).destroy())),
  )
}

/** Resolves when the server has noticed that all clients disconnected. */
async function settled(port: number): Promise<void> {
  await waitFor('the server to be alone', async () => (await memory(port)).connections <= 1)
}

interface Memory {
  readonly rss: number
  readonly heapUsed: number
  readonly connections: number
}

async function memory(port: number): Promise<Memory> {
  const request = 'GET /memory HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'
  return JSON.parse(rawAnswer(await exchange(port, request)).body)
}
