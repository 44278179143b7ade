import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { ErrorException } from '../crash-reports/error-exception.ts'
import { createShutdown } from './shutdown.ts'
import type { Shutdown } from './shutdown.ts'
import { createThrowables } from './throwables.ts'

interface Recorded {
  readonly shutdown: Shutdown
  readonly notified: [Error, unknown][]
  readonly reported: unknown[]
}

function recorded(folder: string | null = null): Recorded {
  const notified: [Error, unknown][] = []
  const reported: unknown[] = []
  const throwables = {
    ...createThrowables(),
    notify: (error: unknown, context: unknown) =>
      void (error instanceof Error && notified.push([error, context])),
    report: (error: unknown) => void reported.push(error),
  }
  return { shutdown: createShutdown({ throwables, folder }), notified, reported }
}

const error = { type: 1, message: 'out of memory', file: '/app/a.ts', line: 7 }

test('a collected error is synthesized, notified as fatal and reported, once', () => {
  const { shutdown, notified, reported } = recorded()
  assert.equal(shutdown.collect(error), true)
  shutdown.debug()
  shutdown.debug()
  assert.equal(notified.length, 1)
  const [[exception, context] = []] = notified
  assert.ok(exception instanceof ErrorException)
  assert.deepEqual([exception.severity, exception.file, exception.line], [1, '/app/a.ts', 7])
  assert.deepEqual(context, { origin: 'fatal' })
  assert.deepEqual(reported, [exception])
})

test('the fatal types are collected and no other', () => {
  const { shutdown } = recorded()
  const types = [1, 2, 4, 8, 16, 64, 256, 512, 1024, 2048, 4096]
  assert.deepEqual(
    types.filter((type) => shutdown.collect({ ...error, type })),
    [1, 4, 16, 64],
  )
})

test('without a collected error nothing happens', () => {
  const { shutdown, notified, reported } = recorded()
  assert.equal(shutdown.collect(), false)
  assert.equal(shutdown.collect({ ...error, type: 2 }), false)
  shutdown.debug()
  assert.deepEqual([notified, reported], [[], []])
})

test('without an error given a report from the folder is collected', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'framework-reports-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const report = { header: { event: 'heap out of memory', trigger: 'OOMError' } }
  writeFileSync(join(folder, 'fatal-999999999.json'), JSON.stringify(report))
  const { shutdown, notified } = recorded()
  assert.equal(shutdown.collect(), false)
  shutdown.folder = folder
  assert.equal(shutdown.collect(), true)
  assert.equal(shutdown.collect(), false, 'it is taken')
  shutdown.debug()
  assert.equal(notified[0]?.[0].message, 'heap out of memory')
})
