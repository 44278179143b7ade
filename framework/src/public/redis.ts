export { redisScope, type RedisScope, type RedisValues } from '../redis/redis-settings.ts'
export { connectRedis, type ConnectRedisOptions } from '../redis/connect-redis.ts'
export { RedisError, type RedisFailure } from '../redis/redis-error.ts'
export { RedisScript, type Redis, type RedisArgument } from '../redis/redis.ts'
