import { parseRedisUrl } from './redis-url.ts'
import { env } from '../settings/env.ts'
import { scope } from '../settings/scope.ts'
import type { ConfigScope } from '../settings/scope.ts'
import { readBy } from '../settings/variable.ts'
import type { Variable, VariableKind } from '../settings/variable.ts'

const redisUrl: VariableKind<string> = {
  expects:
    'redis://<user>:<password>@<host>:<port>/<number> or rediss://…, with options such as ?prefix=shop:',
  parse: readBy(parseRedisUrl),
}

/** The scope `redis`. Sessions, rate limits, the cache and queues can share this server. */
export const redisScope: ConfigScope<{ readonly url: Variable<string> }> = scope('redis', {
  url: env.custom('REDIS_URL', redisUrl, {
    default: '',
    meaning: 'Redis server of the project; empty for none',
  }),
})
