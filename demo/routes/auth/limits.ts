import { RateLimit } from 'framework/middlewares'

/** Limits the requests of one visitor per window, in seconds. */
export function perPeer(limit: number, window: number): RateLimit {
  return new RateLimit({ limit, window })
}
