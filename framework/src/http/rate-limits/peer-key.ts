import { ipv6Network, parseAddress } from '../../base/network.ts'

export { networkOf } from '../../base/network.ts'

/**
 * The key an address is counted by: an IPv4 address itself, and for IPv6 its /64, the network of one
 * household or machine, whose 2^64 addresses must not each get a counter. IPv4-mapped and NAT64
 * addresses count as IPv4.
 */
export function peerKey(address: string): string {
  const parsed = parseAddress(address)
  return typeof parsed === 'string' ? parsed : ipv6Network(parsed, 64)
}

/** A counter of an address, and the multiple of the limit that it allows. */
export interface PeerCounter {
  readonly key: string
  readonly times: number
}

/**
 * The counters of an address. An IPv4 address has one. Of IPv6, providers hand out whole networks: an
 * address counts in its /64, and also in its /56 and /48, which allow 4 and 16 times the limit.
 */
export function peerCounters(address: string): readonly PeerCounter[] {
  const parsed = parseAddress(address)
  if (typeof parsed === 'string') return [{ key: parsed, times: 1 }]
  return [
    { key: ipv6Network(parsed, 64), times: 1 },
    { key: ipv6Network(parsed, 56), times: 4 },
    { key: ipv6Network(parsed, 48), times: 16 },
  ]
}
