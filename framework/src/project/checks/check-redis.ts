import { parseRedisUrl, redisLabel } from '../../redis/redis-url.ts'
import { redisScope } from '../../redis/redis-settings.ts'
import type { Check } from './check-context.ts'
import { warning } from './finding.ts'
import type { Finding } from './finding.ts'
import { isLoopbackHost } from '../../base/addresses/is-loopback-host.ts'
import { settingOf } from './setting-of.ts'

/** The connection to Redis, as far as its URL tells. */
export const checkRedis: Check = (context) => {
  const url = settingOf(context, redisScope.variables.url)
  if (url === undefined || url === '') return []
  const settings = parseRedisUrl(url)
  if (isLoopbackHost(settings.host)) return []
  const label = redisLabel(settings)
  const findings: Finding[] = []
  if (settings.tls === 'off') {
    const why = 'whoever sees the network traffic reads sessions and jobs'
    const fix = 'begin REDIS_URL with rediss://'
    findings.push(warning(`the connection to ${label} is not encrypted`, why, fix))
  } else if (settings.tls === 'unverified') {
    const why = 'a machine in between can pose as Redis and read everything'
    const fix = 'remove tls=unverified, with the authority in NODE_EXTRA_CA_CERTS if needed'
    findings.push(warning(`the certificate of ${label} is not verified`, why, fix))
  }
  if (settings.password === '') {
    const why = 'every machine that reaches it can read and end the sessions of your visitors'
    const fix = 'set a password in Redis and in REDIS_URL'
    findings.push(warning(`${label} is used without a password`, why, fix))
  }
  return findings
}
