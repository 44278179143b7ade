import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RuntimeCollector } from './runtime.ts'
import type { RuntimeOptions } from './runtime.ts'

function collected(options: RuntimeOptions = {}): Map<string, number> {
  const collector = new RuntimeCollector(options)
  const values = new Map<string, number>()
  for (const instrument of collector.collect()) {
    assert.ok(instrument.type !== 'histogram')
    assert.match(instrument.help, /^[A-Z].*\.$/)
    for (const member of instrument.members()) {
      const { labels, value } = member.read()
      assert.equal(labels['pid'], String(process.pid))
      values.set([member.name, labels['kind']].join(' ').trim(), value)
    }
  }
  collector.close()
  return values
}

test('the collector provides metrics of Node and V8, labelled by pid', () => {
  assert.deepEqual(
    [...collected().keys()],
    [
      'runtime_gc_runs_total',
      'runtime_gc_seconds_total minor',
      'runtime_gc_seconds_total major',
      'runtime_gc_seconds_total incremental',
      'runtime_gc_seconds_total weak',
      'runtime_gc_collected_total',
      'runtime_event_loop_blocked_seconds_total',
      'runtime_included_files',
      'runtime_opcache_memory_used_bytes',
      'runtime_heap_used_bytes',
      'runtime_active_handles',
      'runtime_event_loop_lag_seconds',
      'runtime_event_loop_lag_p99_seconds',
      'runtime_event_loop_lag_max_seconds',
      'runtime_event_loop_utilization',
    ],
  )
})

test('the numbers describe this process', () => {
  const values = collected()
  const timer = setTimeout(() => {}, 60_000)
  const before = values.get('runtime_active_handles') ?? NaN
  assert.ok((collected().get('runtime_active_handles') ?? NaN) >= before)
  clearTimeout(timer)
  assert.ok((values.get('runtime_included_files') ?? 0) > 20)
  assert.ok((values.get('runtime_opcache_memory_used_bytes') ?? 0) > 1_000)
  const heap = values.get('runtime_heap_used_bytes') ?? 0
  assert.ok(heap > 1_000_000 && heap < process.memoryUsage.rss() * 2)
  for (const [name, value] of values) assert.ok(Number.isFinite(value) && value >= 0, name)
})

test('a hit rate is published only when given', () => {
  assert.equal(collected().has('runtime_opcache_hit_rate'), false)
  assert.equal(collected({ hitRate: () => 0.75 }).get('runtime_opcache_hit_rate'), 0.75)
})

test('the help of the collected bytes says that they are bytes', () => {
  const collector = new RuntimeCollector()
  const bytes = collector.collect().find(({ name }) => name === 'runtime_gc_collected_total')
  collector.close()
  assert.match(bytes?.help ?? '', /^Bytes /)
})
