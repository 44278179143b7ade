import { SqlCache } from '../../src/cache/sql-cache.ts'
import { connect } from '../../src/database/connect.ts'
import { Cache } from '../../src/cache/cache.ts'
import { RedisCache } from '../../src/cache/redis-cache.ts'
import { connectRedis } from '../../src/redis/connect-redis.ts'

// Increments one number together with other processes and prints every result.
const [url = '', steps = '0'] = process.argv.slice(2)
const resource = url.startsWith('redis') ? await connectRedis(url) : await connect(url)
const cache = new Cache('rows' in resource ? new SqlCache(resource) : new RedisCache(resource))
const sums: number[] = []
for (let step = 0; step < Number(steps); step += 4) {
  const four = Array.from({ length: 4 }, () => cache.increment('n', 1_000))
  sums.push(...(await Promise.all(four)))
}
console.log(JSON.stringify(sums))
await resource.close()
