import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startLoad } from '../support/load.ts'
import { prometheusMissing, startPrometheus } from '../support/prometheus.ts'
import { startServer } from '../support/start-server.ts'
import { waitFor } from '../support/wait-for.ts'

const script = join(import.meta.dirname, '..', 'support', 'metrics-server.ts')

test(
  'a real Prometheus sees our values, and no counter reset while workers are killed under load',
  { skip: prometheusMissing },
  async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'framework-scraped-'))
    t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))
    const server = await startServer(t, script, {
      workers: 2,
      observability: { folder, interval: 0.5 },
    })
    const prometheus = await startPrometheus(t, server.port)
    const load = startLoad(t, server.port, '/pid', 8)
    await waitFor('both workers', () => load.tally.bodies.size === 2)
    for (let round = 0; round < 4; round += 1) {
      await sleep(2_000)
      const workers = server.lines.flatMap(({ worker }) =>
        typeof worker === 'number' ? [worker] : [],
      )
      // The oldest that lives has the connections, and so the counts.
      const victim = workers[round]
      assert.ok(victim !== undefined, 'a worker to kill')
      process.kill(victim, 'SIGKILL')
    }
    const { answered } = await load.stop()
    await sleep(1_500)

    const [up] = await prometheus.query('up')
    assert.equal(up?.value, 1)
    const scrapes = await prometheus.query('count_over_time(up[1m])')
    assert.ok((scrapes[0]?.value ?? 0) > 10, `${scrapes[0]?.value} scrapes`)
    const names = await prometheus.query('count by (__name__) ({job="framework"})')
    const sums = names.map(({ labels }) => labels['__name__'] ?? '').filter(isSum)
    assert.ok(sums.includes('http_requests_total') && sums.length > 5, String(sums))
    for (const name of sums) {
      const resets = await prometheus.query(`resets(${name}{pid=""}[1m])`)
      const fallen = resets.filter(({ value }) => value > 0)
      assert.deepEqual(fallen, [], name)
    }

    const ours = await fetch(`http://127.0.0.1:${server.port}/metrics`, {
      headers: { accept: 'application/json' },
    })
    const { metrics } = Object(await ours.json())
    const total = metrics.http_requests_total.series[0].value
    t.diagnostic(`${total} requests counted, ${answered} answered`)
    assert.ok(total > 0.5 * answered)
    const seen = await prometheus.query('http_requests_total')
    assert.equal(seen.length, 1, 'one series for the fleet')
    // Prometheus goes on scraping, and each scrape is a request.
    assert.ok(Math.abs((seen[0]?.value ?? 0) - total) < 20, `${seen[0]?.value} and ${total}`)
    assert.equal((await prometheus.query('process_uptime_seconds')).length >= 2, true)
  },
)

/** Counters and the parts of histograms: what adds up over the fleet. */
function isSum(name: string): boolean {
  return /_(?:total|bucket|count|sum)$/.test(name)
}
