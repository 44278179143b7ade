import { findOnPath } from './find-on-path.ts'

/**
 * The server program of the system; it must be called by the name `redis-server`, whatever the file
 * is called. Debian has the whole server among its tools: the checker of dumps is the server under
 * another name, and `redis-server` no more than a link to it. Elsewhere such a file may be a link too.
 */
export function findRedisProgram(): string | null {
  return findOnPath(
    ['redis-server', 'valkey-server', 'redis-check-rdb'],
    ['/usr/bin', '/usr/local/bin'],
  )
}
