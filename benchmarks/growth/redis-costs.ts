import { randomBytes } from 'node:crypto'
import { startOwnRedis } from '../../framework/tests/support/redis-server.ts'
import { RedisRateLimits } from '../../framework/dist/public/middlewares.js'
import { connectRedis } from '../../framework/dist/public/redis.js'
import { RedisSessions } from '../../framework/dist/public/sessions.js'

const calls = 60_000
const atOnce = 100

/** What a call costs the Redis that all machines share: microseconds of its CPU, which is one core. */
export async function redisCosts(): Promise<readonly (readonly string[])[]> {
  const server = await startOwnRedis()
  const redis = await connectRedis(server.url)
  const infoOf = async (section: string, key: string): Promise<number> => {
    const text = String(await redis.call('INFO', section))
    return Number(new RegExp(`^${key}:([\\d.]+)`, 'm').exec(text)?.[1])
  }
  const cpuOf = async (): Promise<number> =>
    (await infoOf('cpu', 'used_cpu_user')) + (await infoOf('cpu', 'used_cpu_sys'))
  const sessions = new RedisSessions(redis)
  const limits = new RedisRateLimits(redis)
  const now = Math.floor(Date.now() / 1_000)
  const digests = Array.from({ length: calls }, () => randomBytes(32).toString('hex'))
  const row = {
    data: '{"identity":"7","intended":"/items"}',
    device: null,
    agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0',
    peer: '203.0.113.9',
    created: now,
    used: now,
    expires: now + 7_200,
  }
  const use = { used: now + 60, expires: now + 7_260, agent: row.agent, peer: row.peer }
  const rule = { limit: 2 ** 31 - 1, window: 3_600, algorithm: 'fixed' } as const
  const work: Readonly<Record<string, (digest: string, at: number) => unknown>> = {
    'a session that begins': (digest, at) =>
      sessions.create(digest, { ...row, identity: String(Math.floor(at / 4)) }),
    'a request with a session': (digest) => sessions.read(digest),
    'a use that is noted, once a minute': (digest) => sessions.touch(digest, use),
    'a hit of a rate limit': (digest) => limits.hit(digest, rule, now),
  }
  try {
    const before = await infoOf('memory', 'used_memory')
    const rows: string[][] = []
    for (const [what, call] of Object.entries(work)) {
      const cpu = await cpuOf()
      for (let at = 0; at < calls; at += atOnce) {
        await Promise.all(digests.slice(at, at + atOnce).map((one, nth) => call(one, at + nth)))
      }
      const micros = (((await cpuOf()) - cpu) * 1e6) / calls
      rows.push([what, micros.toFixed(1), Math.round(1e6 / micros).toLocaleString('en-GB')])
      if (rows.length > 1) continue
      const bytes = ((await infoOf('memory', 'used_memory')) - before) / calls
      rows.push(['bytes of a session', bytes.toFixed(0), ''])
    }
    return rows
  } finally {
    await redis.close()
    await server.stop()
  }
}
