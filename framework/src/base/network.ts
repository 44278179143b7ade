import { isIPv4, isIPv6 } from 'node:net'

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

/**
 * The key an address is counted by: an IPv4 address itself, and for IPv6 its /64, the network of one
 * household or machine, whose 2^64 addresses must not each get a counter. IPv4-mapped and NAT64
 * addresses count as IPv4.
 */
export function peerKey(address: string): string {
  const parsed = parseAddress(address)
  return typeof parsed === 'string' ? parsed : ipv6Network(parsed, 64)
}

/**
 * The counters of an address. An IPv4 address has one. Of IPv6, providers hand out whole networks: an
 * address counts in its /64, and also in its /56 and /48, which allow 4 and 16 times the limit.
 */
export function peerCounters(
  address: string,
): readonly { readonly key: string; readonly times: number }[] {
  const parsed = parseAddress(address)
  if (typeof parsed === 'string') return [{ key: parsed, times: 1 }]
  return [
    { key: ipv6Network(parsed, 64), times: 1 },
    { key: ipv6Network(parsed, 56), times: 4 },
    { key: ipv6Network(parsed, 48), times: 16 },
  ]
}

/**
 * The eight groups of an IPv6 address, without its zone. Any other text is returned as it is, and
 * IPv4-mapped and NAT64 addresses as IPv4.
 */
function parseAddress(address: string): string | readonly number[] {
  if (!address.includes(':') || !isIPv6(address)) return address
  const groups = groupsOf(address)
  return embeddedIPv4(groups) ?? groups
}

/** The network of an IPv6 address, written as `2001:db8:0:1::/64`. */
function ipv6Network(groups: readonly number[], bits: 48 | 56 | 64): string {
  const prefix = groups.slice(0, bits === 48 ? 3 : 4)
  if (bits === 56) prefix[3] = (prefix[3] ?? 0) & 0xff00
  return `${prefix.map(hex).join(':')}::/${bits}`
}

/** The eight groups of an IPv6 address, whatever its notation. */
export function groupsOf(address: string): number[] {
  const [text = ''] = address.split('%')
  const [head = '', tail] = text.split('::')
  const first = numbersOf(head)
  if (tail === undefined) return first
  const last = numbersOf(tail)
  return [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last]
}

/** The groups of a part; a dotted IPv4 address at its end is two of them. */
function numbersOf(part: string): number[] {
  if (part === '') return []
  return part.split(':').flatMap((group) => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)]
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number)
    return [a * 256 + b, c * 256 + d]
  })
}

/** The IPv4 address in `::ffff:0:0/96` (mapped) or `64:ff9b::/96` (NAT64); null otherwise. */
function embeddedIPv4(groups: readonly number[]): string | null {
  const prefix = groups.slice(0, 6).map(hex).join(':')
  if (prefix !== '0:0:0:0:0:ffff' && prefix !== '64:ff9b:0:0:0:0') return null
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 255])
    .join('.')
}

function hex(group: number): string {
  return group.toString(16)
}

/** Whether a host of a URL or setting is this machine. */
export function isLoopbackHost(host: string): boolean {
  const name = host.replace(/^\[(.*)\]$/, '$1').toLowerCase()
  if (name === '::1' || name === 'localhost' || name.endsWith('.localhost')) return true
  return isIPv4(name) && name.startsWith('127.')
}
