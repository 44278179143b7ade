import { isIPv6 } from 'node:net'
import { plainAddress } from '../request/peer.ts'

/**
 * The key an address is counted by: an IPv4 address itself, and for IPv6 its /64, the network of one
 * household or machine, whose 2^64 addresses must not each get a counter. IPv4-mapped and NAT64
 * addresses count as IPv4.
 */
export function peerKey(address: string): string {
  const plain = plainAddress(address)
  if (!plain.includes(':') || !isIPv6(plain)) return plain
  const groups = groupsOf(plain)
  return embeddedIPv4(groups) ?? `${groups.slice(0, 4).map(hex).join(':')}::/64`
}

/** The eight groups of an IPv6 address, without its zone. */
function groupsOf(address: string): number[] {
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
