import { normalEmail } from 'framework/auth'
import type { Request } from 'framework/http'
import { RateLimit, fieldKey, peerKey } from 'framework/middlewares'

const email = fieldKey('email', normalEmail)

/** Limits the requests of one visitor per window, in seconds. */
export function perPeer(limit: number, window: number): RateLimit {
  return new RateLimit({ limit, window })
}

/** The limits on signing in, cheapest first. */
export function signInLimits(): RateLimit[] {
  return [
    perPeer(5, 60),
    // Below the limit for the whole account, so that one stranger cannot lock the owner out.
    new RateLimit({ limit: 20, window: 3600, key: peerAndEmail }),
    // Slows down guessing from many addresses.
    new RateLimit({ limit: 100, window: 3600, key: email }),
  ]
}

async function peerAndEmail(request: Request): Promise<string | null> {
  const account = await email(request)
  return account === null ? null : `${peerKey(request.peer)} ${account}`
}
