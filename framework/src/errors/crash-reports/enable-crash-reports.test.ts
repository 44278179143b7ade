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

test('only the owner may read the created folder and the file in it', (t) => {
  const reports = join(folder(t), 'storage', 'reports')
  const end = enableCrashReports(reports)
  const file = reportFile(reports, process.pid)
  assert.equal(modeOf(reports), 0o700)
  assert.equal(modeOf(file), 0o600)
  end()
  assert.deepEqual(readdirSync(reports), [])
})

test('Node writes its report to that file and keeps its mode', (t) => {
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

test('reports contain neither the environment nor host names of peers', (t) => {
  t.after(enableCrashReports(folder(t)))
  const { excludeEnv, compact, reportOnFatalError } = process.report
  assert.deepEqual([excludeEnv, compact, reportOnFatalError], [true, true, true])
  const { environmentVariables } = Object(process.report.getReport())
  assert.equal(environmentVariables, undefined)
})

test('after disabling no report is left, and the latest folder is used', (t) => {
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

test('enabling the same folder twice leaves one file, which disabling removes', (t) => {
  const reports = folder(t)
  const endFirst = enableCrashReports(reports)
  const endSecond = enableCrashReports(reports)
  assert.equal(readdirSync(reports).length, 1)
  endFirst()
  assert.equal(readdirSync(reports).length, 1)
  endSecond()
  assert.deepEqual(readdirSync(reports), [])
})

test('a planted symbolic link is not followed', (t) => {
  const reports = folder(t)
  const target = join(reports, 'target')
  writeFileSync(target, 'mine')
  symlinkSync(target, reportFile(reports, process.pid))
  assert.throws(() => enableCrashReports(reports), { code: 'ELOOP' })
  assert.equal(statSync(target).size, 4)
})
