import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startLoad } from '../support/load.ts'
import { scrape, startMetricsFleet, sum, workerPids } from '../support/metrics-fleet.ts'
import type { MetricsFleet } from '../support/metrics-fleet.ts'
import { prometheusMissing, startPrometheus } from '../support/prometheus.ts'
import type { Prometheus } from '../support/prometheus.ts'
import { groupMembers } from '../support/start-server.ts'
import { waitFor } from '../support/wait-for.ts'

/** Minimum seconds of faults; each kind occurs at least once, and 600 is the long version. */
const seconds = Number(process.env['FLEET_TEST_SECONDS'] ?? 0)
/** Long enough for a worker to start on a busy machine. */
const startSeconds = 110

test(
  'a real Prometheus sees our values, and no counter reset while workers crash, are killed, stopped and restarted under load',
  { skip: prometheusMissing },
  async (t) => {
    const fleet = await startMetricsFleet(t, { workers: 3, install: true })
    const prometheus = await startPrometheus(t, fleet.port)
    const load = startLoad(t, fleet.port, '/pid', 4)
    await waitFor('all workers', () => load.tally.bodies.size === 3, startSeconds)
    const endMs = performance.now() + seconds * 1_000
    let rounds = 0
    do {
      for (const trouble of troubles) {
        await trouble(fleet)
        await seeMore(prometheus)
      }
      rounds += 1
    } while (performance.now() < endMs)
    const { answered } = await load.stop()
    await seeMore(prometheus)

    const names = await prometheus.query('count by (__name__) ({job="framework"})')
    const sums = names.map(({ labels }) => labels['__name__'] ?? '').filter(isSum)
    assert.ok(sums.includes('http_requests_total') && sums.length > 5, String(sums))
    let series = 0
    for (const name of sums) {
      // Over the whole time, including series that disappeared in between.
      const resets = await prometheus.query(`resets(${name}{pid=""}[1h])`)
      assert.deepEqual(
        resets.filter(({ value }) => value > 0),
        [],
        name,
      )
      const present = await prometheus.query(`${name}{pid=""}`)
      assert.equal(present.length, resets.length, `${name}: series that have gone`)
      series += resets.length
    }
    t.diagnostic(
      `${rounds} rounds, ${workerPids(fleet).length} workers, ${await scrapesOf(prometheus)} scrapes, ` +
        `${series} series without a reset, ${answered} requests answered`,
    )

    const total = sum(await scrape(fleet), 'http_requests_total')
    // A killed worker loses what it counted since its last dump, at most a second.
    assert.ok(total > 0.5 * answered, `${total} of ${answered}`)
    const seen = await prometheus.query('http_requests_total')
    assert.equal(seen.length, 1, 'one series for the fleet')
    // Prometheus keeps scraping, and each scrape is a request.
    const behind = Math.abs((seen[0]?.value ?? 0) - total)
    assert.ok(behind <= (await scrapesOf(prometheus)), `${seen[0]?.value} and ${total}`)
    const [byRoute] = await prometheus.query(
      'sum(http_server_request_duration_seconds_count{http_route="/pid"})',
    )
    assert.ok((byRoute?.value ?? 0) > 0.5 * answered, `${byRoute?.value} of ${answered} by route`)
    const crashes = await prometheus.query('exceptions_total')
    assert.equal(crashes[0]?.value, rounds, 'every crash is counted once')
    await waitFor('workers to be seen', async () => {
      return (await prometheus.query('process_uptime_seconds')).length >= 2
    })
  },
)

/** The faults; each resolves when there are as many workers as before. */
const troubles: readonly ((fleet: MetricsFleet) => Promise<void>)[] = [
  async function crash(fleet) {
    await replaced(fleet, 1, () => fetch(`${fleet.origin}/crash`))
  },
  async function kill(fleet) {
    // The oldest has most connections, and so the highest counts.
    await replaced(fleet, 1, (oldest) => process.kill(oldest, 'SIGKILL'))
  },
  async function stop(fleet) {
    const [oldest = 0] = living(fleet)
    process.kill(oldest, 'SIGSTOP')
    // Long enough that others are scraped meanwhile and its file would be stale.
    await sleep(2_000)
    process.kill(oldest, 'SIGCONT')
  },
  async function restart(fleet) {
    await replaced(fleet, 3, () => fleet.child.kill('SIGUSR2'))
  },
]

async function replaced(
  fleet: MetricsFleet,
  count: number,
  strike: (oldest: number) => unknown,
): Promise<void> {
  const before = workerPids(fleet).length
  const [oldest = 0] = living(fleet)
  await strike(oldest)
  await waitFor(
    'new workers',
    () => workerPids(fleet).length >= before + count && living(fleet).length === 3,
    startSeconds,
  )
}

/** Process ids of the serving workers, oldest first. */
function living(fleet: MetricsFleet): number[] {
  const members = new Set(groupMembers(fleet.pid))
  return workerPids(fleet).filter((pid) => members.has(pid))
}

/** Resolves when the fleet was scraped a few more times. */
async function seeMore(prometheus: Prometheus): Promise<void> {
  const before = await scrapesOf(prometheus)
  await waitFor(
    'more scrapes',
    async () => (await scrapesOf(prometheus)) >= before + 2,
    startSeconds,
  )
}

/** Counters and the parts of histograms: everything that is summed. */
function isSum(name: string): boolean {
  return /_(?:total|bucket|count|sum)$/.test(name)
}

async function scrapesOf(prometheus: Prometheus): Promise<number> {
  return (await prometheus.query('sum_over_time(up[1h])'))[0]?.value ?? 0
}
