import { redisScope } from 'framework/redis'

// REDIS_URL. With it sessions and rate limits are kept there, for several machines.
export default redisScope
