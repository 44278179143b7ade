import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { answer, startCollector } from '../support/fake-collector.ts'
import { plantProject } from '../support/plant-project.ts'
import type { LoadResult } from './error-load.ts'

/** For so many seconds; from a minute on, times are judged too. */
const seconds = Number(process.env['ERROR_TEST_SECONDS'] ?? 1)
const rate = 10_000

const megabyte = 1_000_000

test(`${rate} errors a second for ${seconds} s: memory stays flat, and what is kept and sent is bounded`, async (t) => {
  const { url, posts } = await startCollector(t, answer(200))
  const root = plantProject(t, {})
  const result = await underLoad(t, root, {
    SENTRY_DSN: `${url.replace('://', '://abc@')}/42`,
    OTEL_LOGS_EXPORTER: 'otlp',
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
  })
  t.diagnostic(JSON.stringify(result))
  assert.equal(result.errors, seconds * rate)
  const [before, after] = result.heap
  assert.ok(after - before < 20 * megabyte, `the heap grew by ${after - before} bytes`)

  // 300 a minute of both seconds before and of this load, and only as many as were admitted at all.
  const minutes = Math.ceil((result.seconds + 10) / 60) + 1
  for (const target of ['/api/42/envelope/', '/v1/logs']) {
    const bodies = posts.filter((post) => post.target === target)
    const size = bodies.reduce((sum, { body }) => sum + body.length, 0)
    assert.ok(bodies.length > 0 && bodies.length <= minutes * 300, `${target}: ${bodies.length}`)
    assert.ok(size < minutes * 300 * 100_000, `${target}: ${size} bytes`)
  }
  // Eight files of 10 MiB, and what was rotated in the last ten seconds.
  const kept = sizeOf(join(root, 'storage'))
  assert.ok(kept < 20 * 10_485_760 + seconds * megabyte, `${kept} bytes are kept`)
  if (seconds < 60) return
  assert.ok(result.seconds < seconds * 1.2, `it took ${result.seconds} s`)
  assert.ok(
    result.rss[1] - result.rss[0] < 100 * megabyte,
    `the process grew: ${result.rss.join(' to ')}`,
  )
  assert.ok(result.blockedMs < 500, `nothing else ran for ${result.blockedMs} ms`)
})

async function underLoad(
  t: TestContext,
  cwd: string,
  settings: Readonly<Record<string, string>>,
): Promise<LoadResult> {
  const script = join(import.meta.dirname, 'error-load.ts')
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env
  const child = fork(script, [String(seconds), String(rate)], {
    cwd,
    env: { PATH, NODE_COMPILE_CACHE, PORT: '0', ...settings },
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

function sizeOf(folder: string): number {
  const files = globSync('**', { cwd: folder }).map((name) => statSync(join(folder, name)))
  return files.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0)
}
