import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  readdirSync,
  unlinkSync,
} from 'node:fs'
import { join } from 'node:path'
import { isRecord, parsedRecord } from '../../base/is-record.ts'
import { isAlive } from '../../base/is-alive.ts'
import { isOwnReportFile, reportFile } from './enable-crash-reports.ts'
import { FatalErrors } from './error-exception.ts'
import type { FatalError } from './error-exception.ts'
import { framesOf, nearestLocation } from '../stack/frames.ts'

/** Larger reports are not read. */
const maxBytes = 16 * 1_024 * 1_024

const reportNames = /^fatal-(\d{1,10})\.json$/

const unreadable: FatalError = {
  type: FatalErrors.E_ERROR,
  message: 'a process was ended by a fatal error and its report cannot be read',
  file: '',
  line: 0,
}

/**
 * Takes the report of a process that has ended out of the folder; null when no fatal error ended
 * it. Of several callers only one gets the report.
 */
export function takeReport(folder: string, pid: number): FatalError | null {
  return take(reportFile(folder, pid), true)
}

/** Takes the report of any process, including an earlier one that had the same process id. */
export function takeAnyReport(folder: string): FatalError | null {
  for (const name of namesIn(folder)) {
    const file = join(folder, name)
    const pid = Number(reportNames.exec(name)?.[1])
    const fatal = take(file, pid === process.pid ? !isOwnReportFile(file) : !isAlive(pid))
    if (fatal !== null) return fatal
  }
  return null
}

// While its process is alive, a report that does not parse may still be being written.
function take(file: string, ended: boolean): FatalError | null {
  const found = read(file)
  if (found === null) return null
  const { size, text } = found
  const report = parseFatalReport(text)
  if (report === null && !ended) return null
  // Requested by someone, who will want to read it.
  if (report === 'requested') return null
  if (!remove(file) || size === 0) return null
  return report ?? unreadable
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => reportNames.test(name))
  } catch {
    return []
  }
}

function read(file: string): { readonly size: number; readonly text: string } | null {
  try {
    const descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW)
    try {
      const { size } = fstatSync(descriptor)
      return { size, text: size > maxBytes ? '' : readFileSync(descriptor, 'utf8') }
    } finally {
      closeSync(descriptor)
    }
  } catch {
    return null
  }
}

// Removing the file claims the report: only one caller succeeds.
function remove(file: string): boolean {
  try {
    unlinkSync(file)
    return true
  } catch {
    return false
  }
}

const maxCalls = 32
const maxMessageLength = 1_000
/** Triggers that Node writes a report for by itself; any other report was requested. */
const fatalTriggers = new Set<unknown>(['FatalError', 'OOMError'])

/**
 * Reads a Node diagnostic report. Returns the fatal error it describes, `'requested'` for a report
 * that was asked for (by a signal, for example), and null for anything that is not a report.
 */
export function parseFatalReport(text: string): FatalError | 'requested' | null {
  const report = parsedRecord(text)
  if (report === null || !isRecord(report['header'])) return null
  const { event, trigger } = report['header']
  if (typeof event !== 'string') return null
  if (!fatalTriggers.has(trigger)) return 'requested'
  const trace = callsIn(report['javascriptStack'])
  const location = locationIn(trace)
  return {
    type: FatalErrors.E_ERROR,
    message: event.slice(0, maxMessageLength),
    file: location?.file ?? '',
    line: location?.line ?? 0,
    trace,
  }
}

function callsIn(javascriptStack: unknown): string[] {
  const stack = isRecord(javascriptStack) ? javascriptStack['stack'] : null
  if (!Array.isArray(stack)) return []
  return stack
    .slice(0, maxCalls)
    .filter((line) => typeof line === 'string')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('at '))
}

function locationIn(trace: readonly string[]): ReturnType<typeof nearestLocation> {
  const probe = new Error()
  probe.stack = ['Error', ...trace.map((call) => `    ${call}`)].join('\n')
  return nearestLocation(framesOf(probe))
}
