import { isIPv6 } from 'node:net'

/** Where a server listens. */
export interface Listening {
  readonly host: string
  readonly port: number
  readonly https: boolean
}

/**
 * The URL of a server for a browser on this machine. It has a name where it can: browsers allow passkeys
 * at `localhost`, but at no address in numbers.
 */
export function localUrl({ host, port, https }: Listening): string {
  return `${https ? 'https' : 'http'}://${reachable(host)}:${port}`
}

function reachable(host: string): string {
  if (['127.0.0.1', '0.0.0.0', '::'].includes(host)) return 'localhost'
  return isIPv6(host) ? `[${host}]` : host
}
