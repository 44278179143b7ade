import assert from 'node:assert/strict'
import { createSecretKey } from 'node:crypto'
import { test } from 'node:test'
import { requestFrom } from '../../../tests/support/request-from.ts'
import { HttpError } from '../errors/http-error.ts'
import { AccountLimit } from './account-limit.ts'
import type { AccountLimitOptions } from './account-limit.ts'
import { MemoryRateLimits } from './memory-rate-limits.ts'

const key = createSecretKey(Buffer.alloc(32, 1))
const right = (): Promise<boolean> => Promise.resolve(true)
const wrong = (): Promise<boolean> => Promise.resolve(false)

/** A limit of two an hour, on a clock that stands still until it is moved. */
function limited(options: Partial<AccountLimitOptions> = {}): {
  clock: { now: number }
  attempt: (check: () => Promise<unknown>, account?: string, from?: string) => Promise<string>
} {
  const clock = { now: 1_700_000_000 }
  const limit = new AccountLimit({
    name: 'test',
    limit: 2,
    window: 3600,
    store: new MemoryRateLimits(),
    key,
    clock: () => clock.now,
    ...options,
  })
  return {
    clock,
    attempt: async (check, account = 'ada', from = '192.0.2.1') => {
      const request = await requestFrom(from)
      return limit.run(request, account, check).then(String, (error: unknown) => {
        if (!(error instanceof HttpError)) return String(error)
        return `${error.status} ${error.headers['Retry-After'] ?? ''} ${request.rateLimit?.remaining}`
      })
    },
  }
}

test('only checks that fail are counted, and above the limit none runs', async () => {
  const { attempt, clock } = limited()
  for (let round = 0; round < 5; round += 1) assert.equal(await attempt(right), 'true')
  assert.equal(await attempt(() => Promise.reject(new Error('overloaded'))), 'Error: overloaded')
  assert.deepEqual(
    [await attempt(wrong), await attempt(() => Promise.resolve(null))],
    ['false', 'null'],
  )
  clock.now += 600
  assert.equal(await attempt(() => assert.fail('it must not run')), '429 3000 0')
  assert.equal(await attempt(wrong, 'grace'), 'false')
  clock.now += 3000
  assert.equal(await attempt(right), 'true')
})

test('what no request has caused is counted for everybody together, beside what requests have spent', async () => {
  const options = { name: 'mail', limit: 3, window: 60, store: new MemoryRateLimits(), key }
  const limit = new AccountLimit(options)
  await limit.spend(await requestFrom('192.0.2.1'), 'ada')
  const spent = await Promise.all(Array.from({ length: 5 }, () => limit.trySpend('ada')))
  assert.deepEqual(spent, [true, true, false, false, false])
  await assert.rejects(limit.spend(await requestFrom('192.0.2.1'), 'ada'), { status: 429 })
  assert.equal(await limit.trySpend('grace'), true)
})

test('a network can use up only its part, so that one stranger cannot make the owner wait', async () => {
  const { attempt } = limited({ limit: 3, perNetwork: 2 })
  const from = (address: string): Promise<string> => attempt(wrong, 'ada', address)
  assert.equal(await from('192.0.2.1'), 'false')
  assert.equal(await from('192.0.2.200'), 'false')
  assert.match(await from('192.0.2.99'), /^429/)
  assert.equal(await attempt(right, 'ada', '198.51.100.1'), 'true')
  assert.equal(await from('2001:db8:1::1'), 'false')
  assert.match(await from('2001:db8:1:ffff::1'), /^429/)
})

test('when the limit is used up, networks without failures have a small allowance left', async () => {
  const { attempt, clock } = limited({ limit: 4, perNetwork: 2, allowance: 1 })
  const from = (address: string, check = wrong): Promise<string> => attempt(check, 'ada', address)
  for (const address of ['192.0.2.1', '192.0.2.2', '198.51.100.1', '198.51.100.2']) {
    assert.equal(await from(address), 'false')
  }
  // Networks that have failed may not try, not even with the right password.
  assert.match(await from('192.0.2.9', right), /^429/)
  // The owner elsewhere signs in as often as they like, and has one wrong guess.
  for (let round = 0; round < 3; round += 1) {
    assert.equal(await from('203.0.113.1', right), 'true')
  }
  assert.equal(await from('203.0.113.1'), 'false')
  assert.match(await from('203.0.113.1', right), /^429/)
  // Together such networks may fail as often as the limit says: guessing is bounded whoever takes part.
  for (const network of [1, 2, 3]) assert.equal(await from(`10.0.${network}.1`), 'false')
  assert.match(await from('10.0.4.1', right), /^429/)
  clock.now += 3600
  assert.equal(await from('10.0.4.1', right), 'true')
})

test('concurrent guesses of one network do not exceed its allowance', async () => {
  const { attempt } = limited({ limit: 2, perNetwork: 1, allowance: 1 })
  assert.equal(await attempt(wrong, 'ada', '192.0.2.1'), 'false')
  assert.equal(await attempt(wrong, 'ada', '198.51.100.1'), 'false')
  const guesses = await Promise.all(
    Array.from({ length: 10 }, () => attempt(wrong, 'ada', '203.0.113.1')),
  )
  assert.equal(guesses.filter((outcome) => outcome === 'false').length, 1)
})

test('a lane has counters of its own: strangers cannot make its visitor wait, nor use it', async () => {
  const lane: AccountLimitOptions['lane'] = ({ peer }, account) =>
    peer === '203.0.113.7' && account === 'ada' ? 'laptop' : null
  const { attempt } = limited({ lane })
  const owner = (check: () => Promise<boolean>, account?: string): Promise<string> =>
    attempt(check, account, '203.0.113.7')
  await attempt(wrong)
  await attempt(wrong)
  assert.match(await attempt(wrong), /^429/)
  assert.deepEqual([await owner(right), await owner(wrong)], ['true', 'false'])
  assert.deepEqual([await owner(wrong), (await owner(wrong)).slice(0, 3)], ['false', '429'])
  await attempt(wrong, 'grace')
  await attempt(wrong, 'grace')
  assert.match(await owner(right, 'grace'), /^429/)
})

test('spend counts whatever comes of it', async () => {
  const store = new MemoryRateLimits()
  const limit = new AccountLimit({ name: 'mail', limit: 2, window: 60, store, key })
  const request = await requestFrom('192.0.2.1')
  await limit.spend(request, 'ada')
  await limit.spend(request, 'ada')
  await assert.rejects(limit.spend(request, 'ada'), { status: 429 })
  await limit.spend(request, 'grace')
})

test('a store learns digests that cannot be guessed without the key', async () => {
  const digests: string[] = []
  for (const secret of [key, createSecretKey(Buffer.alloc(32, 2))]) {
    const memory = new MemoryRateLimits()
    const store = {
      hit: (...hit: Parameters<MemoryRateLimits['hit']>) => (
        digests.push(hit[0]),
        memory.hit(...hit)
      ),
    }
    await limited({ store, key: secret }).attempt(wrong)
  }
  assert.match(digests.join(), /^[0-9a-f]{64},[0-9a-f]{64}$/)
  assert.notEqual(digests[0], digests[1])
})

test('numbers that cannot work are refused', () => {
  for (const options of [
    { limit: 0 },
    { perNetwork: 3 },
    { perNetwork: 0.5 },
    { window: 0 },
    { allowance: -1 },
    { allowance: 1 },
    { perNetwork: 1, allowance: 2 },
  ]) {
    assert.throws(() => limited(options), { code: 'E_INVALID_ARGUMENT' })
  }
})
