import { parseRedisUrl } from '../../services/redis/redis-url.ts'
import { env } from './env.ts'
import { scope } from './scope.ts'
import type { ConfigScope, ValuesOf } from './scope.ts'
import type { Variable, VariableKind } from './variable.ts'

/** The setting that names the Redis of a project. */
export type RedisScope = ConfigScope<{ readonly url: Variable<string> }>

/** The values of the scope `redis`; `url` is empty when there is no Redis. */
export type RedisValues = ValuesOf<RedisScope>

const redisUrl: VariableKind<string> = {
  expects:
    'redis://<user>:<password>@<host>:<port>/<number> or rediss://…, with options such as ?prefix=shop:',
  parse(text) {
    try {
      parseRedisUrl(text)
      return text
    } catch {
      // What is expected is said above; what came may hold a password.
      return undefined
    }
  },
}

/** The scope `redis`. Sessions, rate limits, the cache and queues can share what it names. */
export const redisScope: RedisScope = scope('redis', {
  url: env.custom('REDIS_URL', redisUrl, {
    default: '',
    meaning: 'Redis of the project; empty when there is none',
  }),
})
