import { connectRedis } from '../../src/redis/connect-redis.ts'

// Uses a connection in the given way, and ends if nothing keeps the process alive.
const [way = '', url = ''] = process.argv.slice(2)
const redis = await connectRedis(url, { lazy: way !== 'rest' })
if (way === 'rest') {
  // Longer than a turn: waiting for a reply must keep the process alive.
  console.log(await redis.call('EVAL', 'return ARGV[1]', 0, 'answered'))
} else {
  console.log(await redis.ping().then(String, () => 'refused'))
  await redis.close()
  console.log('closed')
}
