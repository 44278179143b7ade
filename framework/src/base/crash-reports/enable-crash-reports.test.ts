import assert from 'node:assert/strict'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { enableCrashReports, isOwnReportFile, reportFile } from './enable-crash-reports.ts'

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'framework-reports-'))
  t.after(() => rmSync(path, { recursive: true, force: true }))
  return path
}

function modeOf(path: string): number {
  return statSync(path).mode & 0o777
}

test('only the owner may look into the folder that is made and at the file in it', (t) => {
  const reports = join(folder(t), 'storage', 'reports')
  const end = enableCrashReports(reports)
  const file = reportFile(reports, process.pid)
  assert.equal(modeOf(reports), 0o700)
  assert.equal(modeOf(file), 0o600)
  end()
  assert.deepEqual(readdirSync(reports), [])
})

test('a report that Node writes lands in that file and keeps its mode', (t) => {
  const reports = folder(t)
  const end = enableCrashReports(reports)
  t.after(end)
  process.report.writeReport()
  const file = reportFile(reports, process.pid)
  assert.ok(statSync(file).size > 0)
  assert.equal(modeOf(file), 0o600)
  end()
  assert.ok(existsSync(file), 'what holds something is not thrown away')
})

test('the environment and the names of peers are left out', (t) => {
  t.after(enableCrashReports(folder(t)))
  const { excludeEnv, compact, reportOnFatalError } = process.report
  assert.deepEqual([excludeEnv, compact, reportOnFatalError], [true, true, true])
  const { environmentVariables } = Object(process.report.getReport())
  assert.equal(environmentVariables, undefined)
})

test('after the end no report is left, and the folder named last counts', (t) => {
  const [first, second] = [folder(t), folder(t)]
  const endFirst = enableCrashReports(first)
  const endSecond = enableCrashReports(second)
  assert.deepEqual(readdirSync(first), [])
  assert.ok(isOwnReportFile(reportFile(second, process.pid)))
  endFirst()
  assert.equal(process.report.reportOnFatalError, true)
  endSecond()
  assert.equal(process.report.reportOnFatalError, false)
  assert.deepEqual(readdirSync(second), [])
})

test('the same folder twice leaves one file, which goes with the end', (t) => {
  const reports = folder(t)
  const endFirst = enableCrashReports(reports)
  const endSecond = enableCrashReports(reports)
  assert.equal(readdirSync(reports).length, 1)
  endFirst()
  assert.equal(readdirSync(reports).length, 1)
  endSecond()
  assert.deepEqual(readdirSync(reports), [])
})

test('a file that somebody planted is not followed', (t) => {
  const reports = folder(t)
  const target = join(reports, 'target')
  writeFileSync(target, 'mine')
  symlinkSync(target, reportFile(reports, process.pid))
  assert.throws(() => enableCrashReports(reports), { code: 'ELOOP' })
  assert.equal(statSync(target).size, 4)
})
