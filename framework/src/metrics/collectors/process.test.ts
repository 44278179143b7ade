import assert from 'node:assert/strict'
import { closeSync, openSync } from 'node:fs'
import { test } from 'node:test'
import type { Instrument } from '../instruments/instrument.ts'
import { ProcessCollector } from './process.ts'

function read(instruments: readonly Instrument[], name: string): number {
  const found = instruments.find((instrument) => instrument.name === name)
  assert.ok(found !== undefined && found.type !== 'histogram', name)
  return found.read().value
}

test('the collector provides the metrics of the operating system', () => {
  const instruments = new ProcessCollector().collect()
  assert.deepEqual(
    instruments.map(({ name, type, labels }) => [name, type, labels]),
    [
      ['process_memory_bytes', 'gauge', { pid: String(process.pid) }],
      ['process_memory_peak_bytes', 'gauge', { pid: String(process.pid) }],
      ['process_cpu_seconds_total', 'counter', { pid: String(process.pid) }],
      ['process_uptime_seconds', 'gauge', { pid: String(process.pid) }],
      ['process_open_fds', 'gauge', { pid: String(process.pid) }],
    ],
  )
  for (const { help } of instruments) assert.match(help, /^[A-Z].*\.$/)
  const rss = process.memoryUsage.rss()
  assert.ok(Math.abs(read(instruments, 'process_memory_bytes') - rss) < rss / 2)
  assert.ok(read(instruments, 'process_memory_peak_bytes') > 1_000_000)
  assert.ok(Math.abs(read(instruments, 'process_uptime_seconds') - process.uptime()) < 1)
})

test('CPU time is that of the process in seconds', () => {
  const instruments = new ProcessCollector().collect()
  const before = process.cpuUsage()
  const seconds = read(instruments, 'process_cpu_seconds_total')
  const after = process.cpuUsage()
  assert.ok(seconds >= (before.user + before.system) / 1e6)
  assert.ok(seconds <= (after.user + after.system) / 1e6)
})

test('open files are counted', () => {
  const instruments = new ProcessCollector().collect()
  const before = read(instruments, 'process_open_fds')
  const files = Array.from({ length: 10 }, () => openSync(import.meta.filename, 'r'))
  const during = read(instruments, 'process_open_fds')
  for (const file of files) closeSync(file)
  assert.ok(Math.abs(during - before - 10) <= 2, `${before} and ${during}`)
})
