import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { enableCrashReports, reportFile } from './enable-crash-reports.ts'
import { takeAnyReport, takeReport, parseFatalReport } from './take-report.ts'

const fatal = JSON.stringify({ header: { event: 'out of memory', trigger: 'OOMError' } })
const wanted = JSON.stringify({ header: { event: 'JavaScript API', trigger: 'API' } })
const unreadable = 'a process was ended by a fatal error and its report cannot be read'
/** The id of a process that has ended. */
const dead = spawnSync(process.execPath, ['--version']).pid

function folder(t: TestContext, files: Readonly<Record<number, string>> = {}): string {
  const path = mkdtempSync(join(tmpdir(), 'framework-reports-'))
  t.after(() => rmSync(path, { recursive: true, force: true }))
  for (const [pid, text] of Object.entries(files))
    writeFileSync(reportFile(path, Number(pid)), text)
  return path
}

test('the report of a process that has ended is taken once', (t) => {
  const reports = folder(t, { [dead]: fatal })
  assert.equal(takeReport(reports, dead)?.message, 'out of memory')
  assert.equal(takeReport(reports, dead), null)
  assert.deepEqual(readdirSync(reports), [])
})

test('the empty file of a process that ended normally is removed too', (t) => {
  const reports = folder(t, { [dead]: '' })
  assert.equal(takeReport(reports, dead), null)
  assert.deepEqual(readdirSync(reports), [])
})

test('a broken, partial or huge report is still the report of a fatal error', (t) => {
  for (const text of ['{', fatal.slice(0, -3), '\u0000'.repeat(100)]) {
    const reports = folder(t, { [dead]: text })
    assert.equal(takeReport(reports, dead)?.message, unreadable)
    assert.deepEqual(readdirSync(reports), [])
  }
  const huge = fatal + ' '.repeat(16 * 1_024 * 1_024)
  const reports = folder(t, { [dead]: huge })
  assert.equal(takeReport(reports, dead)?.message, unreadable)
})

test('a requested report is left in place', (t) => {
  const reports = folder(t, { [dead]: wanted })
  assert.equal(takeReport(reports, dead), null)
  assert.equal(takeAnyReport(reports), null)
  assert.equal(readdirSync(reports).length, 1)
})

test('any report is found by its name, and nothing else is touched', (t) => {
  const reports = folder(t, { [dead]: fatal })
  for (const name of ['fatal-x.json', 'fatal-7.json.bak', 'other.json']) {
    writeFileSync(join(reports, name), fatal)
  }
  assert.equal(takeAnyReport(reports)?.message, 'out of memory')
  assert.equal(takeAnyReport(reports), null)
  assert.equal(readdirSync(reports).length, 3)
})

test('an incomplete report is left alone while its process is alive', (t) => {
  const living = process.ppid
  for (const text of ['', '{', fatal.slice(0, -1)]) {
    const reports = folder(t, { [living]: text })
    assert.equal(takeAnyReport(reports), null)
    assert.equal(readdirSync(reports).length, 1)
  }
  assert.equal(takeAnyReport(folder(t, { [living]: fatal }))?.message, 'out of memory')
})

test('this process finds the report of an earlier one with the same id, but not its own file', (t) => {
  const before = folder(t, { [process.pid]: '{' })
  assert.equal(takeAnyReport(before)?.message, unreadable)
  const own = folder(t)
  t.after(enableCrashReports(own))
  assert.equal(takeAnyReport(own), null)
  assert.equal(readdirSync(own).length, 1)
})

test('a missing folder and a symbolic link yield nothing', (t) => {
  assert.equal(takeAnyReport('/nonexistent'), null)
  assert.equal(takeReport('/nonexistent', 7), null)
  const reports = folder(t, { 1: fatal })
  symlinkSync(reportFile(reports, 1), reportFile(reports, dead))
  assert.equal(takeReport(reports, dead), null)
})

const header = { event: 'Allocation failed - JavaScript heap out of memory', trigger: 'OOMError' }
const report = (parts: object): string => JSON.stringify({ header, ...parts })

test('a report about an aborted engine is a fatal error with its message', () => {
  assert.deepEqual(parseFatalReport(report({})), {
    type: 1,
    message: 'Allocation failed - JavaScript heap out of memory',
    file: '',
    line: 0,
    trace: [],
  })
  const other = parseFatalReport(report({ header: { ...header, trigger: 'FatalError' } }))
  assert.equal(typeof other === 'object' && other?.type, 1)
})

test('the calls are kept, and the nearest one outside Node is the location', () => {
  const stack = ['at fill (node:buffer:7:1)', '    at eat (/app/a.ts:3:5)', 'Unavailable.', 7]
  const fatal = parseFatalReport(report({ javascriptStack: { message: 'No stack.', stack } }))
  assert.ok(fatal !== null && fatal !== 'requested')
  assert.deepEqual(fatal.trace, ['at fill (node:buffer:7:1)', 'at eat (/app/a.ts:3:5)'])
  assert.deepEqual([fatal.file, fatal.line], ['/app/a.ts', 3])
})

test('a requested report does not describe a fatal error', () => {
  for (const trigger of ['API', 'Signal', 'Exception', 'GetReport']) {
    assert.equal(parseFatalReport(report({ header: { event: 'x', trigger } })), 'requested')
  }
})

test('anything but a complete report is null', () => {
  const texts = ['', ' ', '{', '[]', 'null', '7', '{}', '{"header":null}', '{"header":{"event":7}}']
  const whole = report({})
  for (const text of [...texts, whole.slice(0, -1), whole.slice(0, 20)]) {
    assert.equal(parseFatalReport(text), null, text)
  }
})

test('the contents of a report are bounded', () => {
  const event = 'x'.repeat(100_000)
  const stack = Array.from({ length: 10_000 }, () => 'at a (/a.ts:1:1)')
  const fatal = parseFatalReport(
    report({ header: { ...header, event }, javascriptStack: { stack } }),
  )
  assert.ok(fatal !== null && fatal !== 'requested')
  assert.equal(fatal.message.length, 1_000)
  assert.equal(fatal.trace?.length, 32)
})
