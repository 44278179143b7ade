import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { connect } from '../../src/database/connect.ts'
import { sql } from '../../src/database/sql/plan/statement.ts'
import { ErrorLimits } from '../../src/inbox/error-group.ts'
import { answer, startCollector } from '../support/fake-collector.ts'
import { plantProject } from '../support/plant-project.ts'
import type { LoadResult } from './error-load.ts'

/** For so many seconds; from a minute on, times are judged too. */
const seconds = Number(process.env['ERROR_TEST_SECONDS'] ?? 1)
const rate = 10_000

const megabyte = 1_000_000

test(`${rate} errors a second for ${seconds} s: memory stays flat, what is kept and sent is bounded, and each is counted`, async (t) => {
  const { url, posts } = await startCollector(t, answer(200))
  const root = plantProject(t, {})
  const result = await underLoad(t, root, {
    SENTRY_DSN: `${url.replace('://', '://abc@')}/42`,
    OTEL_LOGS_EXPORTER: 'otlp',
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
  })
  t.diagnostic(JSON.stringify(result))
  assert.equal(result.errors, seconds * rate)
  assert.equal(result.counted, result.reported)
  const [before, after] = result.heap
  assert.ok(after - before < 5 * megabyte, `the heap grew by ${after - before} bytes`)

  // 300 a minute of both seconds before and of this load, and only as many as were admitted at all.
  const minutes = Math.ceil((result.seconds + 10) / 60) + 1
  for (const target of ['/api/42/envelope/', '/v1/logs']) {
    const bodies = posts.filter((post) => post.target === target)
    const size = bodies.reduce((sum, { body }) => sum + body.length, 0)
    assert.ok(bodies.length > 0 && bodies.length <= minutes * 300, `${target}: ${bodies.length}`)
    assert.ok(size < minutes * 300 * 100_000, `${target}: ${size} bytes`)
  }
  await checkInbox(t, root, result)
  // Eight files of 10 MiB, and what was rotated in the last ten seconds.
  const kept = sizeOf(join(root, 'storage'))
  assert.ok(kept < 20 * 10_485_760 + seconds * megabyte, `${kept} bytes are kept`)
  if (seconds < 60) return
  assert.ok(result.seconds < seconds * 1.1, `it took ${result.seconds} s`)
  // V8 collects now and then, so that the peaks of two halves differ a little.
  const [first, second] = result.rss
  assert.ok(second - first < 32 * megabyte, `the process grew: ${first} to ${second}`)
  assert.ok(result.blockedMs < 250, `nothing else ran for ${result.blockedMs} ms`)
  const { plain, beside } = result
  assert.ok(plain.p99Ms < beside.p99Ms * 1.5 + 1, 'requests waited longer than for other work')
})

/** Rows are bounded, and groups that are seen again and again have each of their errors. */
async function checkInbox(t: TestContext, root: string, result: LoadResult): Promise<void> {
  const database = await connect(`sqlite:${join(root, 'errors.sqlite')}`)
  t.after(() => database.close())
  const groups = await database.rows(sql`SELECT occurrences FROM error_groups`)
  const samples = await database.rows(
    sql`SELECT count(*) AS total FROM error_samples GROUP BY fingerprint`,
  )
  const marks = await database.rows(sql`SELECT value FROM error_marks WHERE kind <> 'hours'`)
  assert.ok(groups.length <= ErrorLimits.groups, `${groups.length} groups`)
  assert.ok(samples.length > 0)
  for (const { total } of samples) assert.ok(Number(total) <= ErrorLimits.samples)
  assert.ok(marks.length <= 2 * groups.length, `${marks.length} marks`)

  // Four fifths are of four groups, and the last fifth is as many groups as errors, but for the warm-up.
  const counts = groups.map((group) => Number(group['occurrences']))
  assert.deepEqual(
    counts.filter((count) => count > 2),
    Array.from({ length: 4 }, () => result.reported / 5),
  )
  assert.ok(result.lost > 0 && result.lost < result.reported / 5, `${result.lost} lost`)
  assert.equal(sizeOf(join(root, 'storage'), 'errors-waiting.jsonl*'), 0)
}

async function underLoad(
  t: TestContext,
  cwd: string,
  settings: Readonly<Record<string, string>>,
): Promise<LoadResult> {
  const script = join(import.meta.dirname, 'error-load.ts')
  const { PATH = '', NODE_COMPILE_CACHE = '', NODE_OPTIONS = '' } = process.env
  const child = fork(script, [String(seconds), String(rate)], {
    cwd,
    env: { PATH, NODE_COMPILE_CACHE, NODE_OPTIONS, PORT: '0', ...settings },
    execArgv: ['--conditions=source', '--expose-gc', '--disable-warning=ExperimentalWarning'],
    // Lines that nobody reads would only measure the pipe.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  t.after(() => child.kill('SIGKILL'))
  const ended = once(child, 'exit').then(([status]) => {
    throw new Error(`the load ended with status ${status} and without a result`)
  })
  // It also ends after its result.
  ended.catch(() => undefined)
  const [result]: unknown[] = await Promise.race([once(child, 'message'), ended])
  assert.ok(isResult(result))
  return result
}

function isResult(message: unknown): message is LoadResult {
  return typeof message === 'object' && message !== null && 'heap' in message
}

function sizeOf(folder: string, pattern = '**'): number {
  const files = globSync(pattern, { cwd: folder }).map((name) => statSync(join(folder, name)))
  return files.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0)
}
