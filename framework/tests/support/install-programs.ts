import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'

/** A program that may be missing, and its Debian package. */
export interface InstallableProgram {
  readonly name: string
  readonly package: string
  isHere(): boolean
}

/** Options of the installation. */
export interface InstallOptions {
  /** Why nothing may be installed here. @default the result of `installRefusal` */
  readonly refusal?: string | null
  /** Receives each progress line. @default console.log */
  readonly say?: (line: string) => void
  /** How long to wait for another apt-get, and how often to try. @default ten minutes, a second */
  readonly lockTimeoutMs?: number
  readonly retryMs?: number
}

/**
 * Installs the packages of missing programs in one go, and resolves with those that
 * are still missing. Waits for another apt-get, even one that holds the
 * lists, for which apt-get itself never waits.
 */
export async function installPrograms<Program extends InstallableProgram>(
  programs: readonly Program[],
  options: InstallOptions = {},
): Promise<readonly Program[]> {
  const { refusal = installRefusal(), say = console.log } = options
  const missing = (): readonly Program[] => programs.filter((program) => !program.isHere())
  const wanted = missing()
  if (wanted.length === 0) return []
  const names = wanted.map(({ name }) => name).join(', ')
  if (refusal !== null) {
    say(`Not here, and not installed because ${refusal}: ${names}`)
    return wanted
  }
  const packages = packagesOf(wanted).join(' ')
  say(`Installing ${packages} with apt-get, because ${names} is not here`)
  say('FRAMEWORK_TEST_INSTALL=0 turns this off')
  // The lists first: without them apt-get knows no packages. A failure shows in what is still missing.
  const failures = [
    await aptGet(() => (missing().length === 0 ? null : ['update']), options),
    await aptGet(() => {
      const packages = packagesOf(missing())
      if (packages.length === 0) return null
      return ['install', '--yes', '--no-install-recommends', ...packages]
    }, options),
  ]
  const left = missing()
  for (const { name, package: debian } of left) {
    const failure = failures.filter((one) => one !== '').join('; ') || 'apt-get told no failure'
    say(`${debian} did not bring ${name}: ${failure}`)
  }
  return left
}

/** Why packages are not installed here, or null where that is allowed. */
export function installRefusal(): string | null {
  if (process.env['FRAMEWORK_TEST_INSTALL'] === '0') return 'FRAMEWORK_TEST_INSTALL is 0'
  if (!existsSync('/etc/debian_version')) return 'this is no Debian'
  return process.getuid?.() === 0 ? null : 'only root may install packages'
}

function packagesOf(programs: readonly InstallableProgram[]): readonly string[] {
  return [...new Set(programs.map((program) => program.package))]
}

/** The English lock messages of the lists, the archives and dpkg. */
const locked = /Could not get lock|Unable to (acquire|lock)/

/**
 * Runs apt-get with the parameters, which are computed again before each attempt: the holder of a
 * lock may have installed what was missing. Resolves with the error, or with ''.
 */
async function aptGet(
  parameters: () => readonly string[] | null,
  { say = console.log, lockTimeoutMs = 600_000, retryMs = 1_000 }: InstallOptions,
): Promise<string> {
  const endMs = performance.now() + lockTimeoutMs
  for (let attempt = 1; ; attempt += 1) {
    const current = parameters()
    if (current === null) return ''
    const { status, errors } = await runAptGet(current)
    // It succeeds even when a list could not be fetched, but prints an error.
    const failure = errors.match(/^(?:E|W|Err): .*$/m)?.[0] ?? ''
    if (status === '0') return failure
    const told = failure === '' ? `apt-get ${current[0]} ended with ${status}` : failure
    if (!locked.test(errors) || performance.now() > endMs) return told
    if (attempt === 1) say(`Waiting for another apt-get: ${told}`)
    await sleep(retryMs)
  }
}

async function runAptGet(
  parameters: readonly string[],
): Promise<{ readonly status: string; readonly errors: string }> {
  const child = spawn('apt-get', ['-q', '-o', 'DPkg::Lock::Timeout=600', ...parameters], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' },
  })
  const ended = new Promise<string>((resolve) => {
    child.once('error', ({ message }) => resolve(message))
    child.once('close', (status, signal) => resolve(String(signal ?? status)))
  })
  const [status, errors] = await Promise.all([ended, text(child.stderr)])
  return { status, errors }
}
