import { isIP } from 'node:net'
import { plainAddress } from '../request/peer.ts'
import type { Request } from '../request/request.ts'

// Names that resolve to this machine only; any other could be pointed here by whoever owns it.
const localNames = /(?:^|\.)(?:localhost|test|local)$/

/**
 * Whether a client sits at this machine, so that it may see code and data of an error. Neither the
 * client of a proxy counts, nor a page of a foreign site whose name was made to lead here.
 */
export function seesDetails(request: Request): boolean {
  const address = plainAddress(request.peer)
  if (address !== '::1' && !address.startsWith('127.')) return false
  return isLocalHost(request.host) && !isForwarded(request)
}

function isLocalHost(host: string): boolean {
  const name = host
    .replace(/:\d+$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .toLowerCase()
  return name === '' || isIP(name) !== 0 || localNames.test(name)
}

// Whoever asks through a proxy is elsewhere, whatever the headers say: those can be made up.
function isForwarded(request: Request): boolean {
  return ['x-forwarded-for', 'forwarded', 'via'].some((name) => request.header(name) !== undefined)
}
