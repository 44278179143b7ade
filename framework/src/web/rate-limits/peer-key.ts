import { ipv6Network, parseAddress } from '../../base/addresses/parse-address.ts'

export { networkOf } from '../../base/addresses/network-of.ts'

/**
 * The key an address is counted by: an IPv4 address itself, and for IPv6 its /64, the network of one
 * household or machine, whose 2^64 addresses must not each get a counter. IPv4-mapped and NAT64
 * addresses count as IPv4.
 */
export function peerKey(address: string): string {
  const parsed = parseAddress(address)
  return typeof parsed === 'string' ? parsed : ipv6Network(parsed, 64)
}
