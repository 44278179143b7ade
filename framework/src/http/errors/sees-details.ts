import { isIP } from 'node:net'
import { isForwarded, plainAddress } from '../request/peer.ts'
import type { Request } from '../request/request.ts'

// Names that only ever mean this machine; the owner of any other could point it here (DNS rebinding).
// Not `.local`: any machine of the network can announce such a name.
const localNames = /(?:^|\.)(?:localhost|test)$/

/**
 * Whether a client is on this machine and may see the code and data of an error. Clients behind a proxy
 * do not count, nor pages of another site whose name resolves to this machine.
 */
export function seesDetails(request: Request): boolean {
  const address = plainAddress(request.peer)
  if (address !== '::1' && !address.startsWith('127.')) return false
  return isLocalHost(request.host) && !isForwarded(request.headers)
}

/** Whether a `Host` is an address or a name that only ever means this machine. */
export function isLocalHost(host: string): boolean {
  const name = hostName(host)
  return name === '' || isIP(name) !== 0 || localNames.test(name)
}

/** The name in a `Host`, without its port, in lower case. */
export function hostName(host: string): string {
  return host
    .replace(/:\d+$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .toLowerCase()
}
