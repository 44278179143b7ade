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
import { hasCode } from '../files/has-code.ts'
import { FatalErrors } from './error-exception.ts'
import type { FatalError } from './error-exception.ts'
import { parseFatalReport } from './fatal-report.ts'
import { leavesReportIn, reportFile } from './leave-reports.ts'

/** A report that is larger is not read. */
const LARGEST_BYTES = 16 * 1_024 * 1_024

const names = /^fatal-(\d{1,10})\.json$/

const unreadable: FatalError = {
  type: FatalErrors.E_ERROR,
  message: 'a process ended by a fatal error and its report cannot be read',
  file: '',
  line: 0,
}

/**
 * Takes what a process that has ended left in the folder; null when it did not end by a fatal
 * error. Of all who try, one gets it.
 */
export function takeReport(folder: string, pid: number): FatalError | null {
  return take(reportFile(folder, pid), true)
}

/** Takes what any process left in the folder, this one in an earlier life included. */
export function takeAnyReport(folder: string): FatalError | null {
  for (const name of namesIn(folder)) {
    const file = join(folder, name)
    const pid = Number(names.exec(name)?.[1])
    const fatal = take(file, pid === process.pid ? !leavesReportIn(file) : !isAlive(pid))
    if (fatal !== null) return fatal
  }
  return null
}

// One that cannot be understood may be in the middle of being written, as long as its process lives.
function take(file: string, ended: boolean): FatalError | null {
  const found = read(file)
  if (found === null) return null
  const { size, text } = found
  const report = parseFatalReport(text)
  if (report === null && !ended) return null
  // Somebody asked for this one, by a signal for example, and will come for it.
  if (report === 'wanted') return null
  if (!remove(file) || size === 0) return null
  return report ?? unreadable
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => names.test(name))
  } catch {
    return []
  }
}

function read(file: string): { readonly size: number; readonly text: string } | null {
  try {
    const descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW)
    try {
      const { size } = fstatSync(descriptor)
      return { size, text: size > LARGEST_BYTES ? '' : readFileSync(descriptor, 'utf8') }
    } finally {
      closeSync(descriptor)
    }
  } catch {
    return null
  }
}

// Whoever removes the file has it; all others find it gone.
function remove(file: string): boolean {
  try {
    unlinkSync(file)
    return true
  } catch {
    return false
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return hasCode(error, 'EPERM')
  }
}
