import type { Boot } from 'framework'
import { connectRedis } from 'framework/redis'
import type { Redis } from 'framework/redis'
import type { Configs } from './configs/manifest.ts'

/** Connects to the Redis of the settings; null where there is none. */
export async function openRedis({ configs, ready }: Boot<Configs>): Promise<Redis | null> {
  if (configs.redis.url === '') return null
  const redis = await connectRedis(configs.redis.url)
  ready('redis', () => redis.ping())
  return redis
}
