import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { installDebianPackage } from './debian-package.ts'

/**
 * The server program of the system, else that of Debian, which is installed if that can be done.
 * It must be called by the name `redis-server`, whatever the file is called.
 * @throws Error that says what was looked for.
 */
export function findRedisProgram(): string {
  const found = ofSystem()
  if (found !== null) return found
  // Unlike redis-server, the package of the tools starts no server of its own.
  const failure = installDebianPackage('redis-tools') ?? 'the package brought no program'
  const installed = ofSystem()
  if (installed !== null) return installed
  throw new Error(`needs Redis: set TEST_REDIS_URL or install redis-server (${failure})`)
}

/**
 * Debian has the whole server among its tools: the checker of dumps is the server under another
 * name, and `redis-server` no more than a link to it. Elsewhere such a file may be a link too.
 */
function ofSystem(): string | null {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin', '/usr/local/bin']
  for (const name of ['redis-server', 'valkey-server', 'redis-check-rdb']) {
    const folder = folders.find((candidate) => existsSync(join(candidate, name)))
    if (folder !== undefined) return join(folder, name)
  }
  return null
}
