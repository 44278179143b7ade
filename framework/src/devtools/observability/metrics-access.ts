import { Environments } from '../../settings/environments.ts'
import { hostName, isLocalHost } from '../../http/errors/sees-details.ts'
import { isPrivateAddress } from '../../http/request/peer.ts'
import type { Request } from '../../http/request/request.ts'

/** Options of `MetricsAccess`. */
export interface MetricsAccessOptions {
  readonly environment: Environments
  /** Opens the metrics to clients anywhere that send it as a bearer token; null for none. */
  readonly token: string | null
  /** Public URL of the site, whose name the `Host` may have. @default null */
  readonly url?: string | null
}

// A name without a dot, of a container for example, and a name that is reserved for private networks.
const privateNames = /^[^.]+$|\.internal$/

/**
 * Who may see `/metrics` and `/ready`: clients on this machine and in private networks, and those that
 * send the token. A forwarded request counts as its client's, and nobody's if no trusted proxy says who
 * that is. Without the token the `Host` must be one that no stranger can point at this machine, or a page of
 * theirs could read the metrics in a browser here (DNS rebinding). In `test` everyone may.
 */
export class MetricsAccess {
  readonly #isOpen: boolean
  readonly #digest: Buffer | null
  readonly #ownName: string | null

  constructor({ environment, token, url = null }: MetricsAccessOptions) {
    this.#ownName = url === null ? null : hostName(new URL(url).host)
    this.#isOpen = environment === Environments.Test
    this.#digest = token === null ? null : digestOf(token)
  }

  /** Whether the client of a request may see them. */
  allows(request: Request): boolean {
    if (this.#isOpen) return true
    const { client, host } = request
    const isInside = client !== null && isPrivateAddress(client) && this.#isOurs(host)
    return isInside || this.#hasToken(request)
  }

  #isOurs(host: string): boolean {
    const name = hostName(host)
    return isLocalHost(host) || name === this.#ownName || privateNames.test(name)
  }

  #hasToken(request: Request): boolean {
    if (this.#digest === null) return false
    const sent = /^bearer +(\S+) *$/i.exec(request.header('authorization') ?? '')?.[1]
    // Digests have one length, so that the comparison takes the same time whatever was sent.
    const { timingSafeEqual } = process.getBuiltinModule('node:crypto')
    return sent !== undefined && timingSafeEqual(digestOf(sent), this.#digest)
  }
}

function digestOf(token: string): Buffer {
  return process.getBuiltinModule('node:crypto').hash('sha256', token, 'buffer')
}
