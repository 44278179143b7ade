import { BlockList, isIP, isIPv4 } from 'node:net'
import { RecentTexts } from '../../base/encoding/recent-texts.ts'
import { InvalidArgumentException } from '../../base/errors.ts'
import type { IncomingHeaders } from '../server/engine/engine.ts'

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
    return version !== 0 && trusted.check(plain, familyOf(version))
  }
  // Each proxy appends the address it was called from, so the list is read from the right, up to the first
  // address that is not a trusted proxy.
  const walk = (address: string, forwardedFor: string): { peer: string; isNamed: boolean } => {
    let peer = plainAddress(address)
    const hops = forwardedFor.split(',')
    while (hops.length > 0 && trusts(peer)) {
      const hop = forwardedAddress(hops.pop() ?? '')
      if (hop === null) return { peer, isNamed: false }
      peer = hop
    }
    return { peer, isNamed: true }
  }
  return {
    trusts,
    peer: (address, forwardedFor) =>
      forwardedFor === undefined ? plainAddress(address) : walk(address, forwardedFor).peer,
    forwardedClient(address, forwardedFor = '') {
      const { peer, isNamed } = walk(address, forwardedFor)
      return isNamed && trusts(address) ? peer : null
    },
  }
}

function addProxy(list: BlockList, proxy: string): void {
  const [address = '', prefix, ...more] = proxy.split('/')
  const version = isIP(address)
  const bits = version === 4 ? 32 : 128
  const length = prefix === undefined ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : -1
  if (version === 0 || more.length > 0 || length < 0 || length > bits) {
    throw new InvalidArgumentException(
      'E_PROXY',
      `trusted proxy "${proxy}" must be an address or a network such as 10.0.0.0/8`,
    )
  }
  list.addSubnet(address, length, familyOf(version))
}

function forwardedAddress(hop: string): string | null {
  const text = hop.trim()
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1]
  const withPort = /^([\d.]+):\d+$/.exec(text)?.[1]
  const address = bracketed ?? withPort ?? text
  return isIP(address) === 0 ? null : plainAddress(address)
}

/** `::ffff:192.0.2.1` as `192.0.2.1`; any other address unchanged. */
export function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && isIPv4(address.slice(7)) ? address.slice(7) : address
}

// Proxies and content networks name the client in a header of their own, or only say that they stand in
// between. New ones keep to these words, so the words are matched and not a list of products.
const ofProxies =
  /^(?:via|cdn-loop|cf-ray)$|(?:^|-)forwarded(?:-|$)|(?:client|real|connecting|originating|remote|external|user|source|peer)-?(?:ip(?:v6)?|addr(?:ess)?)$/

/** Whether a request says that it was forwarded. Such headers can be forged, but not be forgotten. */
export function isForwarded(headers: IncomingHeaders): boolean {
  for (const name in headers) if (ofProxies.test(name)) return true
  return false
}

// Without 100.64.0.0/10: a provider shares that range among its customers, who are strangers.
const privateNetworks = [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
] as const

let privateAddresses: BlockList | null = null
/** Asked for each page that shows a link to the metrics; the list takes microseconds. */
const recent = new RecentTexts<boolean>(500)

/** Whether an address is of this machine, a private network (RFC 1918, RFC 4193) or the local link. */
export function isPrivateAddress(address: string): boolean {
  // A longer one has the name of a network card, which may be of any length.
  return address.length <= 45 ? recent.getOr(address, isPrivate) : isPrivate(address)
}

function isPrivate(address: string): boolean {
  const [plain = ''] = address.split('%')
  const version = isIP(plain)
  privateAddresses ??= listPrivateAddresses()
  return version !== 0 && privateAddresses.check(plain, familyOf(version))
}

function listPrivateAddresses(): BlockList {
  const list = new BlockList()
  for (const [address, bits] of privateNetworks) {
    list.addSubnet(address, bits, familyOf(isIP(address)))
  }
  return list
}

function familyOf(version: number): 'ipv4' | 'ipv6' {
  return version === 4 ? 'ipv4' : 'ipv6'
}
