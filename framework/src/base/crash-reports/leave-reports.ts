import { closeSync, constants, fchmodSync, mkdirSync, openSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Only the owner: a report holds the command line and the names of files. */
const ownersFolder = 0o700
const ownersFile = 0o600

let leaving: { readonly file: string; readonly end: () => void } | null = null

/** The file in which a process leaves its report. */
export function reportFile(folder: string, pid: number): string {
  return join(folder, reportName(pid))
}

/** Whether this process leaves its report in that file, should it leave one. */
export function leavesReportIn(file: string): boolean {
  return leaving?.file === file
}

/**
 * Options for a Node that will leave reports: out of memory it does not always know any more what
 * it was told while it ran, and would write the environment down. The `framework` command names them
 * too.
 */
export const reportFlags: readonly string[] = ['--report-exclude-env', '--report-exclude-network']

const startedWithFlags = process.report.excludeEnv

/** Whether this Node was started so that no report of it can hold the environment. */
export function excludesEnvironment(): boolean {
  return startedWithFlags
}

/**
 * Makes this process leave a diagnostic report in the folder should the engine give up, out of
 * memory for example: no handler runs then. The answer ends that. A process leaves its report in
 * one folder, the one named last.
 * @throws the error of the system when the folder cannot be made or written to.
 */
export function leaveReports(folder: string): () => void {
  leaving?.end()
  mkdirSync(folder, { recursive: true, mode: ownersFolder })
  const file = reportFile(folder, process.pid)
  makeEmpty(file)
  Object.assign(process.report, {
    directory: folder,
    filename: reportName(process.pid),
    compact: true,
    excludeEnv: true,
    // Looking up the names of peers could take longer than anybody waits.
    excludeNetwork: true,
    reportOnFatalError: true,
  })
  const end = (): void => {
    if (leaving?.end !== end) return
    leaving = null
    process.off('exit', end)
    process.report.reportOnFatalError = false
    removeEmpty(file)
  }
  leaving = { file, end }
  process.on('exit', end)
  return end
}

function reportName(pid: number): string {
  return `fatal-${pid}.json`
}

// Node would make the file for everybody to read; one that exists keeps its mode.
function makeEmpty(file: string): void {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW
  const descriptor = openSync(file, flags, ownersFile)
  try {
    fchmodSync(descriptor, ownersFile)
  } finally {
    closeSync(descriptor)
  }
}

function removeEmpty(file: string): void {
  try {
    if (statSync(file).size === 0) rmSync(file)
  } catch {
    // Gone already, with its folder perhaps.
  }
}
