export { redisScope, type RedisScope, type RedisValues } from '../app/config/redis-scope.ts'
export { connectRedis, type ConnectRedisOptions } from '../services/redis/connect-redis.ts'
export { RedisError, type RedisFailure } from '../services/redis/redis-error.ts'
export { RedisScript, type Redis, type RedisArgument } from '../services/redis/redis.ts'
