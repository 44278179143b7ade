import { relative, resolve } from 'node:path'
import type { TestEvent } from 'node:test/reporters'

/**
 * What one event of the test runner means for the result. `finished` closes a run: without it the
 * process died early, whatever its exit status.
 */
export type Outcome =
  | { kind: 'passed' }
  | { kind: 'failed'; where: string; reason: string }
  | { kind: 'skipped'; where: string; reason: string }
  | { kind: 'timed'; file: string; durationMs: number }
  | { kind: 'finished'; success: boolean }

/** The outcome of an event, or `null` for events that decide nothing. */
export function outcomeOf(event: TestEvent): Outcome | null {
  if (event.type === 'test:pass') return passed(event.data)
  if (event.type === 'test:fail') return failed(event.data)
  if (event.type !== 'test:summary') return null
  const { file, duration_ms: durationMs, success } = event.data
  // With process isolation every file sends a summary too; only the final one names no file.
  if (file !== undefined) return { kind: 'timed', file: relative('.', file), durationMs }
  return { kind: 'finished', success }
}

type Passed = Extract<TestEvent, { type: 'test:pass' }>['data']
type Failed = Extract<TestEvent, { type: 'test:fail' }>['data']

function passed(test: Passed): Outcome | null {
  const where = placeOf(test)
  const marked = notRun(test)
  if (marked !== null) return { kind: 'skipped', where, reason: marked }
  if (test.details.type === 'suite') return null
  // Node reports a file without tests as a passed test. One that exits early looks the same.
  if (test.file !== undefined && resolve(test.name) === test.file) {
    return { kind: 'failed', where: test.name, reason: 'the file reported no test' }
  }
  return { kind: 'passed' }
}

function failed(test: Failed): Outcome | null {
  const where = placeOf(test)
  const marked = notRun(test)
  if (marked !== null) return { kind: 'skipped', where, reason: marked }
  const causedBelow =
    'failureType' in test.details.error && test.details.error.failureType === 'subtestsFailed'
  if (causedBelow) return null
  return { kind: 'failed', where, reason: firstLines(test.details.error) }
}

/** The reason of a skip or a todo: neither tests anything, so both count as skipped. */
function notRun({ skip, todo }: Passed | Failed): string | null {
  if (skip !== undefined && skip !== false)
    return skip === true || skip === '' ? 'no reason given' : skip
  if (todo !== undefined && todo !== false)
    return todo === true || todo === '' ? 'todo' : `todo: ${todo}`
  return null
}

function placeOf(test: Passed | Failed): string {
  if (test.file === undefined) return test.name
  return `${relative('.', test.file)}:${test.line ?? 1} ${test.name}`
}

/** Enough to see what differs when nothing but the end of the output was kept. */
function firstLines(error: Error): string {
  const lines = error.message.split('\n').filter((line) => line.trim() !== '')
  return lines.slice(0, 12).join('\n       ')
}
