import { closeSync, constants, fchmodSync, mkdirSync, openSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { privateFile, privateFolder } from '../../base/files/private-files.ts'

let enabled: { readonly file: string; readonly disable: () => void } | null = null

/** The file that a process writes its report to. */
export function reportFile(folder: string, pid: number): string {
  return join(folder, reportName(pid))
}

/** Whether this is the file that this process would write its own report to. */
export function isOwnReportFile(file: string): boolean {
  return enabled?.file === file
}

/**
 * Command-line options for a Node process that may write reports. Options set at run time can be
 * lost when memory runs out, and the report would then include the environment. The `framework`
 * command repeats these options.
 */
export const reportFlags: readonly string[] = ['--report-exclude-env', '--report-exclude-network']

const startedWithFlags = process.report.excludeEnv

/** Whether Node was started with options that keep the environment out of every report. */
export function excludesEnvironment(): boolean {
  return startedWithFlags
}

/**
 * Makes this process write a diagnostic report to the folder if the engine aborts, for example out
 * of memory, when no handler runs any more. Returns a function that disables it. Only the folder
 * of the latest call is used.
 * @throws the system error when the folder cannot be created or written to.
 */
export function enableCrashReports(folder: string): () => void {
  enabled?.disable()
  // A report contains the command line and file names.
  mkdirSync(folder, { recursive: true, mode: privateFolder })
  const file = reportFile(folder, process.pid)
  createEmpty(file)
  Object.assign(process.report, {
    directory: folder,
    filename: reportName(process.pid),
    compact: true,
    excludeEnv: true,
    // Resolving the host names of peers can take very long.
    excludeNetwork: true,
    reportOnFatalError: true,
  })
  const disable = (): void => {
    if (enabled?.disable !== disable) return
    enabled = null
    process.off('exit', disable)
    process.report.reportOnFatalError = false
    removeEmpty(file)
  }
  enabled = { file, disable }
  process.on('exit', disable)
  return disable
}

function reportName(pid: number): string {
  return `fatal-${pid}.json`
}

// Node would create the file readable by everyone; an existing file keeps its mode.
function createEmpty(file: string): void {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW
  const descriptor = openSync(file, flags, privateFile)
  try {
    fchmodSync(descriptor, privateFile)
  } finally {
    closeSync(descriptor)
  }
}

function removeEmpty(file: string): void {
  try {
    if (statSync(file).size === 0) rmSync(file)
  } catch {
    // Already deleted, perhaps together with its folder.
  }
}
