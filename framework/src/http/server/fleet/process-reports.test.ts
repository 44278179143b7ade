import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { reportFile } from '../../../errors/crash-reports/enable-crash-reports.ts'
import { createThrowables } from '../../../errors/throwables/throwables.ts'
import type { ReportContext, Throwables } from '../../../errors/throwables/throwables.ts'
import { WorkerDeaths } from './process-reports.ts'

const report = JSON.stringify({ header: { event: 'out of memory', trigger: 'OOMError' } })
const pid = 999_999_991

interface Recorded {
  readonly throwables: Throwables
  readonly seen: [string, ReportContext][]
}

function recorded(): Recorded {
  const seen: [string, ReportContext][] = []
  const throwables = createThrowables()
  throwables.reporters.push((error, context) => seen.push([error.message, context]))
  throwables.report = () => {}
  return { throwables, seen }
}

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'framework-deaths-'))
  t.after(() => rmSync(path, { recursive: true, force: true }))
  return path
}

test('the crash of a worker is reported once with its pid and slot', (t) => {
  const { throwables, seen } = recorded()
  const reports = folder(t)
  const deaths = new WorkerDeaths(reports, throwables)
  writeFileSync(reportFile(reports, pid), report)
  deaths.report({ pid, slot: 2 })
  deaths.report({ pid, slot: 2 })
  assert.deepEqual(seen, [['out of memory', { origin: 'fatal', pid, slot: 2 }]])
  assert.deepEqual(readdirSync(reports), [])
})

test('a worker that ended in another way is no error', (t) => {
  const { throwables, seen } = recorded()
  const reports = folder(t)
  const deaths = new WorkerDeaths(reports, throwables)
  writeFileSync(reportFile(reports, pid), '')
  deaths.report({ pid, slot: 1 })
  assert.deepEqual([seen, readdirSync(reports)], [[], []])
})

test('what an earlier fleet left in the folder is reported at the start', (t) => {
  const { throwables, seen } = recorded()
  const reports = folder(t)
  writeFileSync(reportFile(reports, pid), report)
  new WorkerDeaths(reports, throwables).close()
  assert.deepEqual(seen, [['out of memory', { origin: 'fatal' }]])
  assert.ok(existsSync(reports), 'a folder that was given stays')
})

test('without a folder there is one for the owner alone, until the end', () => {
  const deaths = new WorkerDeaths(null, recorded().throwables)
  assert.ok(deaths.folder !== null)
  assert.equal(statSync(deaths.folder).mode & 0o777, 0o700)
  deaths.close()
  assert.equal(existsSync(deaths.folder), false)
})
