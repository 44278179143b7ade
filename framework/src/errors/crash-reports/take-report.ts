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
import { hasCode } from '../../base/files/has-code.ts'
import { FatalErrors } from './error-exception.ts'
import type { FatalError } from './error-exception.ts'
import { parseFatalReport } from './parse-fatal-report.ts'
import { isOwnReportFile, reportFile } from './enable-crash-reports.ts'

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

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return hasCode(error, 'EPERM')
  }
}
