import assert from 'node:assert/strict'
import { Agent, get } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { useRealHashes } from '../support/real-hashes.ts'
import { startServer } from '../support/start-server.ts'
import { waitFor } from '../support/wait-for.ts'
import type { Work } from './login-load-server.ts'

useRealHashes()

const script = join(import.meta.dirname, 'login-load-server.ts')
const logins = 200
const right = encodeURIComponent('tin lamp under eleven roofs')

test(
  'while 200 logins of one network are hashed, the event loop stays free, and others get their turn',
  { timeout: 290_000 },
  async (t) => {
    const { port } = await startServer(t, script, { wait: 60 })
    await ask(port, '/work')
    const beganMs = performance.now()
    const pings = keepAsking(port, '/ping')
    const files = keepAsking(port, '/file')
    let served = 0
    const flood = Array.from({ length: logins }, async (_, number) => {
      const path = `/login/${number % 2 === 0 ? right : 'wrong'}`
      const { status } = await ask(port, path, `192.0.2.${number}`)
      served += 1
      return status
    })
    await waitFor('the flood', () => served > 0)
    const before = served
    const other = await ask(port, `/login/${right}`, '198.51.100.1')
    const overtaken = served - before
    const statuses = await Promise.all(flood)
    const tookMs = performance.now() - beganMs
    const [pinged, read] = [await pings(), await files()]
    const { loopMs, allMs }: Work = JSON.parse((await ask(port, '/work')).body)
    t.diagnostic(
      `${tookMs.toFixed(0)} ms; ${overtaken} logins came before that of another network; the event loop worked ${loopMs.toFixed(0)} of ${allMs.toFixed(0)} ms; ` +
        `${pinged.answered} other requests, slowest file ${read.maxMs.toFixed(0)} ms`,
    )
    assert.deepEqual(new Set(statuses), new Set([200, 401]))
    assert.equal(other.status, 200)
    // Those that were being hashed, and those whose turn came until the request arrived.
    assert.ok(overtaken < logins / 4, `${overtaken} logins came before that of another network`)
    // CPU time, not delays, which depend on what else the machine does. One hash in two on the
    // event loop would make it half of the total.
    assert.ok(loopMs < allMs / 2, `${loopMs} of ${allMs} ms`)
    assert.ok(pinged.answered >= 50, `${pinged.answered} other requests answered`)
    // Files are read by the pool that hashes: queued behind all logins, a read would take as long as they.
    assert.ok(read.maxMs < tookMs / 2, `a file took ${read.maxMs} of ${tookMs} ms`)
  },
)

test('logins that cannot be hashed in time are 503 with Retry-After, and reported once', async (t) => {
  const server = await startServer(t, script, { wait: 0.2 })
  const answers = await Promise.all(
    Array.from({ length: logins }, () => ask(server.port, `/login/${right}`)),
  )
  const refused = answers.filter(({ status }) => status === 503)
  const served = answers.filter(({ status }) => status === 200)
  t.diagnostic(`${served.length} served, ${refused.length} refused`)
  assert.equal(served.length + refused.length, logins)
  assert.ok(served.length > 0 && refused.length > 0)
  for (const { headers } of refused) assert.equal(headers['retry-after'], '1')
  assert.equal((await ask(server.port, `/login/${right}`)).status, 200)
  const reports = await waitFor('the report', () => {
    const lines = server.lines.filter((line) => 'reported' in line)
    return lines.length > 0 && lines
  })
  assert.deepEqual(reports, [{ reported: 'OverloadedError' }])
})

interface Asked {
  readonly answered: number
  readonly maxMs: number
}

/** Requests a path over and over; returns a function that stops it and resolves with the results. */
function keepAsking(port: number, path: string): () => Promise<Asked> {
  const state = { asking: true }
  const tookMs: number[] = []
  const loop = async (): Promise<void> => {
    while (state.asking) {
      const beganMs = performance.now()
      assert.equal((await ask(port, path)).status, 200)
      tookMs.push(performance.now() - beganMs)
      await sleep(5)
    }
  }
  const asking = loop()
  return async () => {
    state.asking = false
    await asking
    return { answered: tookMs.length, maxMs: Math.max(...tookMs) }
  }
}

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

const agent = new Agent({ keepAlive: true, maxSockets: logins + 10 })
after(() => agent.destroy())

function ask(port: number, path: string, peer: string = '127.0.0.1'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-forwarded-for': peer }
    const request = get({ host: '127.0.0.1', port, path, agent, headers }, (response) => {
      const { statusCode: status = 0, headers } = response
      let body = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => (body += chunk))
      response.on('end', () => resolve({ status, headers, body }))
    })
    request.on('error', reject)
  })
}
