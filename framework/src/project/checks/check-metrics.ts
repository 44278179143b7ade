import type { Check } from './check-context.ts'
import { warning } from './finding.ts'
import { isLoopbackHost } from '../../base/addresses/is-loopback-host.ts'

/** Who can read `/metrics` and `/ready`, if the project serves them. */
export const checkMetrics: Check = ({ source, server, routeSets }) => {
  if (!routeSets.includes('Observability')) return []
  const token = source.lookup('METRICS_TOKEN')?.text ?? ''
  if (token !== '' || isLoopbackHost(server.host) || server.trustedProxies.length > 0) return []
  const what = `HOST=${server.host} lets other machines reach /metrics and /ready`
  const why = 'they show how busy the site is and what it depends on'
  const fix = 'set METRICS_TOKEN, or listen on 127.0.0.1 behind a proxy listed in TRUSTED_PROXIES'
  return [warning(what, why, fix)]
}
