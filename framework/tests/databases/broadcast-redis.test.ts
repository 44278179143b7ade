import { connectRedis } from '../../src/redis/connect-redis.ts'
import { RedisLog } from '../../src/broadcast/redis-log.ts'
import { onRedis } from '../support/test-redis.ts'
import { withLongTimeouts } from '../support/long-timeouts.ts'
import { broadcastLogContract } from './broadcast-contract.ts'

onRedis((open, server) => {
  broadcastLogContract(async (t) => {
    const admin = await open(t)
    const url = withLongTimeouts(`${server().url}?prefix=${admin.prefix}`)
    return {
      log: async (throwables) => {
        const [redis, reader] = [await connectRedis(url), await connectRedis(url)]
        // Longer than any test, so that one that relies on the end of a wait would hang.
        return new RedisLog(redis, { reader, wait: 200, throwables })
      },
      breakConnections: async () => {
        await admin.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes')
      },
      empty: async () => {
        await admin.call('DEL', `${admin.prefix}broadcast`)
      },
    }
  })
})
