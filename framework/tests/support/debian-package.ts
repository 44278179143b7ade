import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const patienceMs = 170_000

/**
 * Installs a package where that needs nobody's leave: on Debian and its kin, as root. Answers why
 * it was not done, or null when it was.
 */
export function installDebianPackage(name: string): string | null {
  if (!existsSync('/etc/debian_version')) return 'this is no Debian'
  if (process.getuid?.() !== 0) return 'only root may install packages'
  // Test files run side by side: the second one waits for the first instead of failing.
  const wait = ['-o', 'DPkg::Lock::Timeout=120', '-q']
  return (
    aptGet([...wait, 'update']) ??
    aptGet([...wait, 'install', '--yes', '--no-install-recommends', name])
  )
}

function aptGet(parameters: readonly string[]): string | null {
  const { status, stderr, error } = spawnSync('apt-get', parameters, {
    encoding: 'utf8',
    timeout: patienceMs,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
  if (error !== undefined) return `apt-get: ${error.message}`
  return status === 0 ? null : `apt-get: ${stderr.trim().split('\n').at(-1) ?? ''}`
}
