import { isIPv4 } from 'node:net'
import { ipv6Network, parseAddress } from './parse-address.ts'

/**
 * The network that an address shares with its neighbours: the /24 of an IPv4 address and the /48 of an
 * IPv6 address, what one customer of a provider usually gets at most. IPv4-mapped and NAT64 addresses
 * count as IPv4; any other text, such as the empty one of a local socket, is its own network.
 */
export function networkOf(address: string): string {
  const parsed = parseAddress(address)
  if (typeof parsed !== 'string') return ipv6Network(parsed, 48)
  return isIPv4(parsed) ? `${parsed.slice(0, parsed.lastIndexOf('.'))}.0/24` : parsed
}
