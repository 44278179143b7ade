import type { Limits } from '../../src/web/server/engine/limits.ts'

/**
 * The URL of a database or of Redis with time limits that nothing reaches, however busy the machine
 * is. Limits that the URL names already stay.
 */
export function withLongTimeouts(url: string): string {
  const names = url.startsWith('redis')
    ? ['connect_timeout', 'command_timeout']
    : ['connect_timeout', 'pool_timeout', 'statement_timeout', 'busy_timeout']
  // Of an option that is there twice the first one counts.
  const options = names.map((name) => `${name}=240`).join('&')
  return url + (url.includes('?') ? '&' : '?') + options
}

/**
 * Time limits of a server that are longer than any wait of a test: what it does not end by itself is
 * then not ended by them either.
 */
export const longLimits: Partial<Limits> = {
  headersTimeout: 3_600,
  requestTimeout: 3_600,
  keepAliveTimeout: 3_600,
  sendTimeout: 3_600,
}
