import { isIP } from 'node:net'

/** The site as authenticators know it. A passkey belongs to its id, and works on its origin only. */
export interface RelyingParty {
  /** The host name of the site. */
  readonly id: string
  /** Scheme, host and port of its pages. */
  readonly origin: string
  /** The name that authenticators show. */
  readonly title: string
  /** Whether browsers allow passkeys there: not for an address without a name, nor without TLS. */
  readonly isUsable: boolean
}

/** The site with this address. Never taken from a request, which could name another site. */
export function relyingParty(url: string, title: string): RelyingParty {
  const { hostname: id, origin, protocol } = new URL(url)
  const isAddress = isIP(id) !== 0 || id.startsWith('[')
  const isLocal = id === 'localhost' || id.endsWith('.localhost')
  return { id, origin, title, isUsable: !isAddress && (protocol === 'https:' || isLocal) }
}
