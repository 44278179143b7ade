import type { IncomingHeaders } from '../server/engine/engine.ts'

// Proxies and content networks name the client in a header of their own, or only say that they stand in
// between. New ones keep to these words, so the words are matched and not a list of products.
const ofProxies =
  /^(?:via|cdn-loop|cf-ray)$|(?:^|-)forwarded(?:-|$)|(?:client|real|connecting|originating|remote|external|user|source|peer)-?(?:ip(?:v6)?|addr(?:ess)?)$/

/** Whether a request says that it was forwarded. Such headers can be forged, but not be forgotten. */
export function isForwarded(headers: IncomingHeaders): boolean {
  for (const name in headers) if (ofProxies.test(name)) return true
  return false
}
