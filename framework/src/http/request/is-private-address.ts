import { BlockList, isIP } from 'node:net'

// Without 100.64.0.0/10: a provider shares that range among its customers, who are strangers.
const networks = [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
] as const

let known: BlockList | null = null

/** Whether an address is of this machine, a private network (RFC 1918, RFC 4193) or the local link. */
export function isPrivateAddress(address: string): boolean {
  const [plain = ''] = address.split('%')
  const version = isIP(plain)
  if (version === 0) return false
  known ??= listOf(networks)
  return known.check(plain, family(version))
}

function listOf(all: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList()
  for (const [address, bits] of all) list.addSubnet(address, bits, family(isIP(address)))
  return list
}

function family(version: number): 'ipv4' | 'ipv6' {
  return version === 4 ? 'ipv4' : 'ipv6'
}
