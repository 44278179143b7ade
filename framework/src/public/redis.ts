export { redisScope } from '../redis/redis-settings.ts'
export { connectRedis } from '../redis/connect-redis.ts'
export { RedisError, type RedisFailure } from '../redis/redis-error.ts'
export { RedisScript, type Redis } from '../redis/redis.ts'
