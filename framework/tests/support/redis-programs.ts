import { findOnPath } from './find-on-path.ts'

/**
 * The Redis server of the system; it must be started under the name `redis-server`, whatever the name
 * of the file. Debian ships the server in its tools package: `redis-check-rdb` is the same binary, and
 * `redis-server` is only a link to it. Elsewhere it may be a link too.
 */
export function findRedisProgram(): string | null {
  return findOnPath(
    ['redis-server', 'valkey-server', 'redis-check-rdb'],
    ['/usr/bin', '/usr/local/bin'],
  )
}
