import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FrameworkError } from '../base/errors.ts'
import { StepKinds } from '../activity/step.ts'
import { Steps } from '../activity/steps.ts'
import { Observability } from './observability.ts'
import { StepMetrics } from './step-metrics.ts'

interface Watched {
  readonly registry: Observability
  readonly steps: Steps
  readonly stop: () => void
}

function watched(): Watched {
  const registry = new Observability(false)
  const steps = new Steps()
  return { registry, steps, stop: StepMetrics.watch(registry, steps) }
}

/** The number of observations, or the value, of each series of a metric, by its labels. */
function counts(registry: Observability, name: string): Record<string, number> {
  const series = registry.gather().metrics[name]?.series ?? []
  return Object.fromEntries(
    series.map((one) => [
      Object.values(one.labels).join(' '),
      'value' in one ? one.value : one.count,
    ]),
  )
}

test('statements and commands count by system and kind, failures by their code too', () => {
  const { registry, steps } = watched()
  for (const name of ['SELECT', 'SELECT', 'INSERT']) {
    steps.begin(StepKinds.Sql, name, 'secret text')?.end(1, null)
  }
  steps.begin(StepKinds.Sql, 'INSERT')?.end(0, 'E_UNIQUE')
  steps.begin(StepKinds.Sql, 'SELECT', '', 'postgresql')?.end(1, null)
  steps.begin(StepKinds.Redis, 'GET')?.end(0, null)
  assert.deepEqual(counts(registry, 'db_client_operation_duration_seconds'), {
    'SELECT other_sql': 2,
    'INSERT other_sql': 1,
    'INSERT other_sql E_UNIQUE': 1,
    'SELECT postgresql': 1,
    'GET redis': 1,
  })
})

test('waits for a connection count, with the code where none became free', () => {
  const { registry, steps } = watched()
  steps.begin(StepKinds.Pool, 'wait')?.end(0, null)
  steps.begin(StepKinds.Pool, 'wait')?.end(0, 'E_POOL_TIMEOUT')
  assert.deepEqual(counts(registry, 'db_client_connection_wait_time_seconds'), {
    '': 1,
    E_POOL_TIMEOUT: 1,
  })
})

test('letters count by lane and outcome', async () => {
  const { registry, steps } = watched()
  await steps.measure(StepKinds.Mail, 'smtp', () => Promise.resolve())
  const failing = (): Promise<never> => Promise.reject(new FrameworkError('E_MAIL', 'away'))
  await assert.rejects(steps.measure(StepKinds.Mail, 'smtp', failing))
  assert.deepEqual(counts(registry, 'mail_send_duration_seconds'), {
    'smtp sent': 1,
    'smtp failed': 1,
  })
})

test('operations of disks count by system and outcome', () => {
  const { registry, steps } = watched()
  steps.begin(StepKinds.Storage, 'put', '', 's3')?.end(5, null)
  steps.begin(StepKinds.Storage, 'put', '', 'file')?.end(5, null)
  steps.begin(StepKinds.Storage, 'get', '', 's3')?.end(0, 'E_STORAGE_LOST')
  assert.deepEqual(counts(registry, 'storage_operation_duration_seconds'), {
    'put s3': 1,
    'put file': 1,
    'E_STORAGE_LOST get s3': 1,
  })
})

test('hits and misses of caches both start at 0', () => {
  const { registry, steps } = watched()
  steps.begin(StepKinds.Cache, 'hit')?.end(0, null)
  assert.deepEqual(counts(registry, 'cache_lookups_total'), { hit: 1, miss: 0 })
})

test('what never happened has no series', () => {
  const { registry, steps } = watched()
  steps.begin(StepKinds.Push, 'mails')?.end(0, null)
  assert.deepEqual(registry.gather().metrics, {})
})

test('several users of a registry count once, until the last one stops', () => {
  const { registry, steps, stop } = watched()
  const other = StepMetrics.watch(registry, steps)
  const step = (): void => steps.begin(StepKinds.Redis, 'GET')?.end(0, null)
  step()
  stop()
  stop()
  step()
  other()
  step()
  assert.deepEqual(counts(registry, 'db_client_operation_duration_seconds'), { 'GET redis': 2 })
})

test('any number of names makes a bounded number of series', (t) => {
  t.mock.method(process, 'emitWarning', () => {})
  const { registry, steps } = watched()
  for (let at = 0; at < 1_500; at += 1) steps.begin(StepKinds.Redis, `C${at}`)?.end(0, null)
  const names = Object.keys(counts(registry, 'db_client_operation_duration_seconds'))
  assert.equal(names.length, 1_001)
})
