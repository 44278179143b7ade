import type { Check } from './check-context.ts'
import { warning } from './finding.ts'

/** The proxies in front of the server, as far as the settings tell that there are some. */
export const checkProxies: Check = ({ server, tls }) => {
  const wide = server.trustedProxies.filter((proxy) => /\/0+$/.test(proxy))
  if (wide.length > 0) {
    const why = 'every visitor can claim any address, and so evade limits and bans'
    const fix = 'list only the addresses of your own proxies'
    return [warning(`TRUSTED_PROXIES trusts everybody: ${wide.join(', ')}`, why, fix)]
  }
  // The server does not serve TLS, so something else does it for the https:// of APP_URL.
  if (tls || !server.url.startsWith('https:') || server.trustedProxies.length > 0) return []
  const why = 'all visitors seem to have the address of the proxy, and limits count them as one'
  const fix = 'set TRUSTED_PROXIES to the address of the proxy that serves APP_URL'
  return [warning('APP_URL is served by a proxy, but TRUSTED_PROXIES is empty', why, fix)]
}
