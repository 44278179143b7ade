import { normalEmail } from 'framework/auth'
import type { Request } from 'framework/http'
import { RateLimit, fieldKey, peerKey } from 'framework/middlewares'

const email = fieldKey('email', normalEmail)

/** So many requests of one visitor in so many seconds. */
export function perPeer(limit: number, window: number): RateLimit {
  return new RateLimit({ limit, window })
}

/** The limits of the sign-in, the cheapest first. */
export function signInLimits(): RateLimit[] {
  return [
    perPeer(5, 60),
    // Nobody spends on their own what all together have below: one stranger with patience would
    // otherwise lock the owner out.
    new RateLimit({ limit: 20, window: 3600, key: peerAndEmail }),
    // A brake on guessing from many places.
    new RateLimit({ limit: 100, window: 3600, key: email }),
  ]
}

async function peerAndEmail(request: Request): Promise<string | null> {
  const account = await email(request)
  return account === null ? null : `${peerKey(request.peer)} ${account}`
}
