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
