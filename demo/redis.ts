import type { Boot } from 'framework'
import { connectRedis } from 'framework/redis'
import type { Redis } from 'framework/redis'
import type { Configs } from './configs/manifest.ts'

/** Connects to Redis; null if REDIS_URL is empty. */
export async function openRedis({ configs, ready }: Boot<Configs>): Promise<Redis | null> {
  if (configs.redis.url === '') return null
  const redis = await connectRedis(configs.redis.url)
  ready('redis', () => redis.ping())
  return redis
}
