import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { FrameworkError, InvalidArgumentException } from '../base/errors.ts'
import { Cache } from './cache.ts'
import type { CacheOptions } from './cache.ts'
import { MemoryCache } from './memory-cache.ts'

/** A store that can be switched off, and writes down what it is asked. */
class SwitchedStore extends MemoryCache {
  isOff = false
  readonly asked: string[] = []
  /** Writes wait for it. */
  gate: Promise<void> = Promise.resolve()

  override async get(key: string): Promise<string | null> {
    this.#ask('get', key)
    return super.get(key)
  }

  override async set(key: string, text: string, ttl: number): Promise<void> {
    await this.gate
    this.#ask('set', key)
    return super.set(key, text, ttl)
  }

  override async increment(key: string, by: number, ttl: number): Promise<number | null> {
    this.#ask('increment', key)
    return super.increment(key, by, ttl)
  }

  override async delete(key: string): Promise<void> {
    this.#ask('delete', key)
    return super.delete(key)
  }

  #ask(verb: string, key: string): void {
    this.asked.push(`${verb} ${key}`)
    if (this.isOff) throw Object.assign(new Error('away'), { unavailable: true })
  }
}

function build(options: CacheOptions = {}): {
  cache: Cache
  store: SwitchedStore
  reports: unknown[]
} {
  const store = new SwitchedStore()
  const reports: unknown[] = []
  const throwables = { notify: (error: unknown) => void reports.push(error) }
  return { cache: new Cache(store, { throwables, ...options }), store, reports }
}

test('a value comes back as JSON leaves it, each time as a copy of its own', async () => {
  const { cache } = build()
  const value = { name: 'Ada', tags: ['a'], at: new Date(0), gone: undefined }
  await cache.set('a', value, 10)
  value.tags.push('later')
  const first = await cache.get('a')
  assert.deepEqual(first, { name: 'Ada', tags: ['a'], at: '1970-01-01T00:00:00.000Z' })
  assert.notEqual(await cache.get('a'), first)
})

test('a missing value is null', async () => {
  const { cache } = build()
  assert.equal(await cache.get('a'), null)
  await cache.set('a', 1, 10)
  await cache.delete('a')
  assert.equal(await cache.get('a'), null)
})

test('increment adds one, or the given number', async () => {
  const { cache } = build()
  assert.equal(await cache.increment('n', 10), 1)
  assert.equal(await cache.increment('n', 10, 41), 42)
  assert.equal(await cache.increment('n', 10, -42), 0)
  assert.equal(await cache.get('n'), 0)
})

test('increment rejects values that are not whole numbers, or become too large', async () => {
  const { cache } = build()
  await cache.set('n', 'secret-value', 10)
  await assert.rejects(cache.increment('n', 10), (error) => {
    assert.ok(error instanceof FrameworkError)
    assert.equal(error.code, 'E_CACHE_COUNT')
    assert.doesNotMatch(error.message, /secret/)
    return true
  })
  await cache.set('m', Number.MAX_SAFE_INTEGER, 10)
  await assert.rejects(cache.increment('m', 10), { code: 'E_CACHE_COUNT' })
})

test('two caches with prefixes share a store without meeting', async () => {
  const store = new SwitchedStore()
  const [one, other] = ['one:', 'other:'].map((prefix) => new Cache(store, { prefix }))
  await one?.set('a', 1, 10)
  assert.equal(await other?.get('a'), null)
  assert.deepEqual(store.asked, ['set one:a', 'get other:a'])
})

describe('remember', () => {
  test('makes a value once and keeps it', async () => {
    const { cache } = build()
    let made = 0
    const make = (): { made: number } => ({ made: (made += 1) })
    assert.deepEqual(await cache.remember('a', 10, make), { made: 1 })
    assert.deepEqual(await cache.remember('a', 10, make), { made: 1 })
    assert.deepEqual(await cache.get('a'), { made: 1 })
  })

  test('knows a kept null from nothing', async () => {
    const { cache } = build()
    let made = 0
    const make = (): null => {
      made += 1
      return null
    }
    await cache.remember('a', 10, make)
    assert.equal(await cache.remember('a', 10, make), null)
    assert.equal(made, 1)
  })

  test('lets concurrent callers share one make, and gives each its own copy', async () => {
    const { cache, store } = build()
    const { promise, resolve } = Promise.withResolvers<string[]>()
    let made = 0
    const make = (): Promise<string[]> => {
      made += 1
      return promise
    }
    const callers = Array.from({ length: 100 }, () => cache.remember('a', 10, make))
    resolve(['x'])
    const values = await Promise.all(callers)
    assert.equal(made, 1)
    assert.equal(new Set(values).size, 100)
    for (const value of values) assert.deepEqual(value, ['x'])
    assert.deepEqual(store.asked, ['get a', 'set a'])
  })

  test('makes values of different keys side by side', async () => {
    const { cache } = build()
    const gates = [Promise.withResolvers<string>(), Promise.withResolvers<string>()]
    const [a, b] = ['a', 'b'].map((key, at) =>
      cache.remember(key, 10, () => gates[at]?.promise ?? ''),
    )
    gates[1]?.resolve('second')
    assert.equal(await b, 'second')
    gates[0]?.resolve('first')
    assert.equal(await a, 'first')
  })

  test('rejects every caller when make fails, stores nothing and tries again', async () => {
    const { cache, store } = build()
    const broken = new Error('broken')
    const failing = [1, 2, 3].map(() => cache.remember('a', 10, () => Promise.reject(broken)))
    for (const outcome of await Promise.allSettled(failing)) {
      assert.equal(outcome.status === 'rejected' && outcome.reason, broken)
    }
    assert.deepEqual(store.asked, ['get a'])
    const thrown = cache.remember('a', 10, () => {
      throw broken
    })
    await assert.rejects(thrown, broken)
    assert.equal(await cache.remember('a', 10, () => 'fine'), 'fine')
  })

  test('does not store a value whose key was deleted meanwhile', async () => {
    const { cache } = build()
    const gate = Promise.withResolvers<string>()
    const stale = cache.remember('a', 10, () => gate.promise)
    await cache.delete('a')
    const fresh = cache.remember('a', 10, () => 'new')
    assert.equal(await fresh, 'new')
    gate.resolve('old')
    assert.equal(await stale, 'old')
    assert.equal(await cache.get('a'), 'new')
  })

  test('does not overwrite a value that was set or incremented meanwhile', async () => {
    const { cache } = build()
    const gate = Promise.withResolvers<string>()
    const makers = ['a', 'n'].map((key) => cache.remember(key, 10, () => gate.promise))
    await cache.set('a', 'set', 10)
    await cache.increment('n', 10)
    gate.resolve('made')
    assert.deepEqual(await Promise.all(makers), ['made', 'made'])
    assert.deepEqual([await cache.get('a'), await cache.get('n')], ['set', 1])
  })

  test('has finished a write that had begun before a delete is sent', async () => {
    const { cache, store } = build()
    const gate = Promise.withResolvers<void>()
    store.gate = gate.promise
    const made = cache.remember('a', 10, () => 'old')
    // Lets the write begin; it then stands at the gate.
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
    const deleted = cache.delete('a')
    gate.resolve()
    await Promise.all([made, deleted])
    assert.deepEqual(store.asked, ['get a', 'set a', 'delete a'])
    assert.equal(await cache.get('a'), null)
  })
})

describe('while the store is away', () => {
  test('nothing is found and nothing is kept, and that is reported once', async () => {
    const { cache, store, reports } = build()
    await cache.set('a', 1, 10)
    store.isOff = true
    assert.equal(await cache.get('a'), null)
    await cache.set('a', 2, 10)
    await cache.delete('a')
    assert.equal(await cache.remember('a', 10, () => 'made'), 'made')
    assert.equal(reports.length, 1)
    store.isOff = false
    assert.equal(await cache.get('a'), 1)
    assert.equal(reports.length, 1)
  })

  test('increment throws', async () => {
    const { cache, store } = build()
    store.isOff = true
    await assert.rejects(cache.increment('n', 10), /away/)
  })

  test('a strict cache throws at every call', async () => {
    const { cache, store, reports } = build({ strict: true })
    store.isOff = true
    const calls = [
      cache.get('a'),
      cache.set('a', 1, 10),
      cache.delete('a'),
      cache.increment('a', 1),
      cache.remember('a', 10, () => 1),
    ]
    for (const call of await Promise.allSettled(calls)) assert.equal(call.status, 'rejected')
    assert.equal(reports.length, 0)
  })

  test('many callers still wait for one make', async () => {
    const { cache, store } = build()
    store.isOff = true
    let made = 0
    const callers = Array.from({ length: 20 }, () => cache.remember('a', 10, () => (made += 1)))
    await Promise.all(callers)
    assert.equal(made, 1)
  })

  test('a flapping store is reported at most once a minute', async () => {
    let now = 0
    const { cache, store, reports } = build({ clock: () => now })
    for (let second = 0; second < 180; second += 1) {
      now = second
      store.isOff = second % 2 === 0
      await cache.get('a')
    }
    assert.equal(reports.length, 3)
  })

  test('an outage of hours is reported once', async () => {
    let now = 0
    const { cache, store, reports } = build({ clock: () => now })
    store.isOff = true
    for (now = 0; now < 7_200; now += 30) await cache.get('a')
    assert.equal(reports.length, 1)
  })

  test('a second outage is reported like the first', async () => {
    let now = 0
    const { cache, store, reports } = build({ clock: () => now })
    for (const second of [0, 3_600]) {
      now = second
      store.isOff = true
      await cache.get('a')
      store.isOff = false
      await cache.get('a')
    }
    assert.equal(reports.length, 2)
  })

  test('an error that is not an outage is thrown', async () => {
    const { cache, store, reports } = build()
    store.gate = Promise.reject(new Error('no such table'))
    await assert.rejects(cache.set('a', 1, 10), /no such table/)
    assert.equal(reports.length, 0)
  })
})

describe('invalid arguments are rejected before the store is used', () => {
  const wrong: Readonly<Record<string, (cache: Cache) => Promise<unknown>>> = {
    'an empty key': (cache) => cache.get(''),
    'a key of 256 characters': (cache) => cache.delete('k'.repeat(256)),
    'a key with a control character': (cache) => cache.get('a\nb'),
    'a key with half a character': (cache) => cache.get('a\ud800'),
    'a ttl of 0': (cache) => cache.set('a', 1, 0),
    'a ttl with a fraction': (cache) => cache.increment('a', 1.5),
    'a ttl that is no number': (cache) => cache.remember('a', Number.NaN, () => 1),
    'a ttl without end': (cache) => cache.set('a', 1, Infinity),
    'a step with a fraction': (cache) => cache.increment('a', 1, 0.5),
    'a step past every number': (cache) => cache.increment('a', 1, 2 ** 60),
  }
  for (const [what, call] of Object.entries(wrong)) {
    test(what, async () => {
      const { cache, store } = build()
      await assert.rejects(call(cache), InvalidArgumentException)
      assert.deepEqual(store.asked, [])
    })
  }

  test('a key is measured with its prefix', async () => {
    const { cache } = build({ prefix: 'p'.repeat(10) })
    await cache.set('k'.repeat(245), 1, 10)
    await assert.rejects(cache.set('k'.repeat(246), 1, 10), InvalidArgumentException)
  })

  test('a value that JSON cannot hold, without a word of it', async () => {
    const { cache, store } = build()
    const circle: Record<string, unknown> = { secret: 'secret-value' }
    circle['self'] = circle
    for (const value of [undefined, () => 1, Symbol('secret'), 1n, { big: 1n }, circle]) {
      const refusal = {
        code: 'E_CACHE_VALUE',
        message: /^this value of type [^:]*cannot be written as JSON$/,
      }
      await assert.rejects(cache.set('a', value, 10), refusal)
      await assert.rejects(
        cache.remember('b', 10, () => value),
        refusal,
      )
    }
    assert.ok(store.asked.every((asked) => asked === 'get b'))
  })
})

test('a stored text that is not JSON is an error that does not show it', async () => {
  const { cache, store } = build()
  await store.set('a', '{secret', 10)
  for (const call of [cache.get('a'), cache.remember('a', 10, () => 1)]) {
    await assert.rejects(call, {
      code: 'E_CACHE_VALUE',
      message: 'the text cached under this key is not JSON; something else writes to the same key',
    })
  }
})
