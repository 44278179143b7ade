import { parseRedisUrl } from './redis-url.ts'
import { env } from '../settings/env.ts'
import { scope } from '../settings/scope.ts'
import type { ConfigScope } from '../settings/scope.ts'
import type { Variable, VariableKind } from '../settings/variable.ts'

/** The setting for the Redis server of a project. */
export type RedisScope = ConfigScope<{ readonly url: Variable<string> }>

const redisUrl: VariableKind<string> = {
  expects:
    'redis://<user>:<password>@<host>:<port>/<number> or rediss://…, with options such as ?prefix=shop:',
  parse(text) {
    try {
      parseRedisUrl(text)
      return text
    } catch {
      // The reason is not passed on: it could quote a password.
      return undefined
    }
  },
}

/** The scope `redis`. Sessions, rate limits, the cache and queues can share this server. */
export const redisScope: RedisScope = scope('redis', {
  url: env.custom('REDIS_URL', redisUrl, {
    default: '',
    meaning: 'Redis server of the project; empty for none',
  }),
})
