import { isIPv6 } from 'node:net'

/** Where a server listens. */
export interface Listening {
  readonly host: string
  readonly port: number
  readonly https: boolean
}

/** The URL of a server for a browser on this machine. */
export function localUrl({ host, port, https }: Listening): string {
  return `${https ? 'https' : 'http'}://${reachable(host)}:${port}`
}

function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return isIPv6(host) ? `[${host}]` : host
}
