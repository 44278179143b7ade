import { BlockList, isIP, isIPv4 } from 'node:net'
import { InvalidArgumentException } from '../../base/errors.ts'

/** Determines the client's address; trusts forwarded headers only from trusted proxies. */
export interface Peers {
  /** The client's address; IPv4-mapped addresses are returned as IPv4. */
  peer(address: string, forwardedFor: string | undefined): string
  /** The client that a trusted proxy names; null if the address is not one, or names nobody. */
  forwardedClient(address: string, forwardedFor: string | undefined): string | null
  /** Whether the address is that of a trusted proxy. */
  trusts(address: string): boolean
}

/**
 * Takes addresses and networks such as `10.0.0.0/8`.
 * @throws InvalidArgumentException for anything else.
 */
export function trustPeers(proxies: readonly string[]): Peers {
  if (proxies.length === 0) {
    return { peer: plainAddress, forwardedClient: () => null, trusts: () => false }
  }
  const trusted = new BlockList()
  for (const proxy of proxies) addProxy(trusted, proxy)
  const trusts = (address: string): boolean => {
    const plain = plainAddress(address)
    const version = isIP(plain)
    return version !== 0 && trusted.check(plain, version === 4 ? 'ipv4' : 'ipv6')
  }
  return {
    trusts,
    peer(address, forwardedFor) {
      let peer = plainAddress(address)
      if (forwardedFor === undefined) return peer
      // Each proxy appends the address it was called from, so the list is read from the right, up to
      // the first address that is not a trusted proxy.
      const hops = forwardedFor.split(',')
      while (hops.length > 0 && trusts(peer)) {
        const hop = forwardedAddress(hops.pop() ?? '')
        if (hop === null) break
        peer = hop
      }
      return peer
    },
    forwardedClient(address, forwardedFor = '') {
      if (!trusts(address)) return null
      const hops = forwardedFor.split(',')
      let client = forwardedAddress(hops.pop() ?? '')
      while (client !== null && hops.length > 0 && trusts(client)) {
        client = forwardedAddress(hops.pop() ?? '')
      }
      return client
    },
  }
}

/** `::ffff:192.0.2.1` as `192.0.2.1`; any other address unchanged. */
export function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && isIPv4(address.slice(7)) ? address.slice(7) : address
}

function addProxy(list: BlockList, proxy: string): void {
  const [address = '', prefix, ...rest] = proxy.split('/')
  const version = isIP(address)
  const bits = version === 4 ? 32 : 128
  const length = prefix === undefined ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : -1
  if (version === 0 || rest.length > 0 || length < 0 || length > bits) {
    throw new InvalidArgumentException(
      'E_PROXY',
      `trusted proxy "${proxy}" must be an address or a network such as 10.0.0.0/8`,
    )
  }
  list.addSubnet(address, length, version === 4 ? 'ipv4' : 'ipv6')
}

function forwardedAddress(hop: string): string | null {
  const text = hop.trim()
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1]
  const withPort = /^([\d.]+):\d+$/.exec(text)?.[1]
  const address = bracketed ?? withPort ?? text
  return isIP(address) === 0 ? null : plainAddress(address)
}
