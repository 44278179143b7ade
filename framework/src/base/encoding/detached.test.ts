import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { detached } from './detached.ts'

test('a detached text does not keep the long one that it was cut from', () => {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  const used = (): number => {
    if (typeof collect === 'function') collect()
    return process.memoryUsage().heapUsed
  }
  const before = used()
  const kept = Array.from({ length: 100 }, (_, at) => {
    const long = Buffer.alloc(200_000, `line ${at} `).toString()
    return detached(long.slice(1_000, 1_100))
  })
  const grown = used() - before
  assert.ok(grown < 10_000_000, `${grown} bytes for ${kept.length} lines`)
})
