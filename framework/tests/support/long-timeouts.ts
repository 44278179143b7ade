import type { Limits } from '../../src/http/server/engine/limits.ts'

/**
 * The URL of a database or Redis with time limits that nothing reaches, however busy the machine
 * is. Limits already in the URL are kept.
 */
export function withLongTimeouts(url: string): string {
  const names = url.startsWith('redis')
    ? ['connect_timeout', 'command_timeout']
    : ['connect_timeout', 'pool_timeout', 'statement_timeout', 'busy_timeout']
  // The first of a repeated option counts.
  const options = names.map((name) => `${name}=240`).join('&')
  return url + (url.includes('?') ? '&' : '?') + options
}

/**
 * Time limits of a server that are longer than any wait of a test, so that they
 * never end anything.
 */
export const longLimits: Partial<Limits> = {
  headersTimeout: 3_600,
  requestTimeout: 3_600,
  keepAliveTimeout: 3_600,
  sendTimeout: 3_600,
}
