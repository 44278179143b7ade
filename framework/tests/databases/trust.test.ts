import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deviceHandle, Theft } from '../../src/accounts/devices/trust.ts'
import { Token } from '../../src/accounts/tokens/token.ts'
import { onEveryDatabase } from '../support/test-databases.ts'
import { TokenStores, around, storedDigest, tampered } from './token-stores.ts'

/** The new token; anything else fails the test. */
function token(outcome: Token | Theft | null): Token {
  assert.ok(outcome instanceof Token)
  return outcome
}

onEveryDatabase((_name, open) => {
  test('an issued series is active, with its own selector and validator', async (t) => {
    const stores = await TokenStores.open(t, open)
    const use = { agent: 'Firefox', peer: '192.0.2.1' }
    const issued = await stores.trust().issue('7', 900, use)
    assert.match(issued.value, /^[0-9a-f]{16}\.[0-9a-f]{64}$/)
    assert.deepEqual(
      [issued.selector, issued.user, issued.purpose, issued.expires],
      [issued.value.slice(0, 16), '7', null, 1_700_000_900],
    )
    const row = {
      selector: issued.selector,
      verifier: storedDigest(issued.value),
      previous: null,
      rotated: null,
      user_id: '7',
      expires: 1_700_000_900,
      created_at: 1_700_000_000,
      ...use,
      used: 1_700_000_000,
    }
    assert.deepEqual(await stores.rows('trusts'), [row])
    const second = await stores.trust().issue('7')
    assert.equal(second.expires, 1_702_592_000)
    assert.notEqual(second.selector, issued.selector)
    assert.equal((await stores.rows('trusts')).length, 2)
  })

  test('a user has at most fifty devices, and the one not used for longest makes room', async (t) => {
    const stores = await TokenStores.open(t, open)
    const trust = stores.trust()
    const first = await trust.issue('7')
    const second = await trust.issue('7')
    const other = await trust.issue('8')
    for (let count = 2; count < 50; count += 1) await trust.issue('7')
    stores.clock.now += 10
    const kept = token(await trust.rotate(first.value))
    await trust.issue('7')
    assert.equal((await trust.list('7')).length, 50)
    assert.equal(await trust.isLive(second.selector), false)
    assert.equal(await trust.isLive(kept.selector), true)
    await Promise.all(Array.from({ length: 20 }, () => trust.issue('7')))
    assert.equal((await trust.list('7')).length, 50)
    assert.equal(await trust.isLive(other.selector), true)
  })

  test('the right validator keeps the series and is replaced', async (t) => {
    const stores = await TokenStores.open(t, open)
    const trust = stores.trust()
    const first = await trust.issue('7', 900, { agent: 'Firefox', peer: '192.0.2.1' })
    stores.clock.now += 10
    const second = token(await trust.rotate(first.value, 500, { peer: '192.0.2.2' }))
    assert.deepEqual(
      [second.selector, second.user, second.purpose, second.expires],
      [first.selector, '7', null, 1_700_000_510],
    )
    assert.notEqual(second.value, first.value)
    const row = {
      selector: first.selector,
      verifier: storedDigest(second.value),
      previous: storedDigest(first.value),
      rotated: 1_700_000_010,
      user_id: '7',
      expires: 1_700_000_510,
      created_at: 1_700_000_000,
      agent: 'Firefox',
      peer: '192.0.2.2',
      used: 1_700_000_010,
    }
    assert.deepEqual(await stores.rows('trusts'), [row])
    const third = token(await trust.rotate(second.value))
    assert.equal(third.expires, 1_702_592_010)
  })

  test('the owner of a token is known without using it up, and a used one has no consequences', async (t) => {
    const stores = await TokenStores.open(t, open)
    const trust = stores.trust()
    const first = await trust.issue('7', 900)
    const rows = await stores.rows('trusts')
    assert.deepEqual([await trust.owner(first.value), await trust.owner(first.value)], ['7', '7'])
    for (const other of [
      '',
      'x',
      tampered(first.value),
      (await stores.trust().issue('8')).selector,
    ]) {
      assert.equal(await trust.owner(other), null)
    }
    assert.deepEqual((await stores.rows('trusts')).slice(0, 1), rows)
    const second = token(await trust.rotate(first.value, 900))
    assert.deepEqual([await trust.owner(first.value), await trust.owner(second.value)], [null, '7'])
    stores.clock.now += 900
    assert.equal(await trust.owner(second.value), null)
  })

  test('a replayed validator drops every series of the user and returns Theft', async (t) => {
    const stores = await TokenStores.open(t, open)
    const trust = stores.trust()
    const first = await trust.issue('7')
    const other = await trust.issue('7')
    const foreign = await trust.issue('8')
    const second = token(await trust.rotate(first.value))
    stores.clock.now += 3
    const theft = await trust.rotate(first.value)
    assert.deepEqual(theft, new Theft('7', first.selector, 1_700_000_003))
    for (const { value } of [second, other]) assert.equal(await trust.rotate(value), null)
    assert.equal(await trust.rotate(first.value), null, 'there is no series left to replay')
    token(await trust.rotate(foreign.value))
  })

  test('any wrong validator of a known series is Theft, also with grace', async (t) => {
    const stores = await TokenStores.open(t, open)
    const trust = stores.trust()
    const first = await trust.issue('7')
    assert.ok((await trust.rotate(tampered(first.value))) instanceof Theft)
    const second = await trust.issue('7')
    assert.ok((await trust.rotate(tampered(second.value), 900, { grace: 60 })) instanceof Theft)
    assert.deepEqual(await stores.rows('trusts'), [])
  })

  test('within grace, including its last second, the previous validator is null and changes nothing', async (t) => {
    const stores = await TokenStores.open(t, open)
    const trust = stores.trust()
    const first = await trust.issue('7')
    const second = token(await trust.rotate(first.value))
    const before = await stores.rows('trusts')
    for (const seconds of [0, 3, 2]) {
      stores.clock.now += seconds
      assert.equal(await trust.rotate(first.value, 900, { grace: 5, agent: 'other' }), null)
      assert.deepEqual(await stores.rows('trusts'), before)
    }
    token(await trust.rotate(second.value))
  })

  test('after grace the previous validator is Theft, and within it so is the one before that', async (t) => {
    const stores = await TokenStores.open(t, open)
    const trust = stores.trust()
    const first = await trust.issue('7')
    await trust.rotate(first.value)
    stores.clock.now += 6
    assert.ok((await trust.rotate(first.value, 900, { grace: 5 })) instanceof Theft)
    const third = await trust.issue('7')
    await trust.rotate(token(await trust.rotate(third.value)).value)
    assert.ok((await trust.rotate(third.value, 900, { grace: 5 })) instanceof Theft)
  })

  test('without grace, or with 0, the previous validator is Theft in the same second', async (t) => {
    const stores = await TokenStores.open(t, open)
    const trust = stores.trust()
    for (const options of [{}, { grace: 0 }]) {
      const first = await trust.issue('7')
      await trust.rotate(first.value)
      assert.ok((await trust.rotate(first.value, 900, options)) instanceof Theft)
    }
  })

  test('a rotation that read before another one wrote loses the race: null, never Theft', async (t) => {
    const stores = await TokenStores.open(t, open)
    const first = await stores.trust().issue('7')
    const winners: unknown[] = []
    const surface = around(stores.database, async (proceed) => {
      const answer = await proceed()
      if (winners.length === 0) winners.push(await stores.trust().rotate(first.value))
      return answer
    })
    assert.equal(await stores.trust(surface).rotate(first.value), null)
    const [winner] = winners
    assert.ok(winner instanceof Token)
    token(await stores.trust().rotate(winner.value))
  })

  test('a replay that loses against a revocation or another theft is null: it is reported once', async (t) => {
    const stores = await TokenStores.open(t, open)
    const first = await stores.trust().issue('7')
    await stores.trust().rotate(first.value)
    const outcomes: unknown[] = []
    const surface = around(stores.database, async (proceed) => {
      const answer = await proceed()
      if (outcomes.length === 0) outcomes.push(await stores.trust().rotate(first.value))
      return answer
    })
    assert.equal(await stores.trust(surface).rotate(first.value), null)
    assert.ok(outcomes[0] instanceof Theft)
  })

  test('a late replay does not drop devices that were issued since', async (t) => {
    const stores = await TokenStores.open(t, open)
    const first = await stores.trust().issue('7')
    await stores.trust().rotate(first.value)
    const fresh: Token[] = []
    const surface = around(stores.database, async (proceed) => {
      const answer = await proceed()
      if (fresh.length > 0) return answer
      assert.equal(await stores.trust().revoke('7'), 1)
      fresh.push(await stores.trust().issue('7'))
      return answer
    })
    assert.equal(await stores.trust(surface).rotate(first.value), null)
    assert.equal(await stores.trust().isLive(fresh[0]?.selector ?? ''), true)
  })

  test('a series is valid until the second before its expiry; then rotate purges it, without Theft', async (t) => {
    const stores = await TokenStores.open(t, open)
    const trust = stores.trust()
    const first = await trust.issue('7', 60)
    stores.clock.now += 59
    const second = token(await trust.rotate(first.value, 60))
    stores.clock.now += 60
    const other = await trust.issue('7')
    assert.equal(await trust.rotate(first.value), null)
    assert.deepEqual(
      (await stores.rows('trusts')).map(({ selector }) => selector),
      [other.selector],
    )
    assert.equal(await trust.rotate(second.value), null)
  })

  test('a series that was renewed meanwhile is not purged as expired', async (t) => {
    const stores = await TokenStores.open(t, open)
    const first = await stores.trust().issue('7', 60)
    // A worker whose clock is ahead looks, another renews, then the first would purge.
    const ahead = new TokenStores(
      around(stores.database, async (proceed) => {
        const answer = await proceed()
        if (renewed.length === 0) renewed.push(token(await stores.trust().rotate(first.value)))
        return answer
      }),
    )
    const renewed: Token[] = []
    ahead.clock.now += 60
    assert.equal(await ahead.trust().rotate(first.value), null)
    token(await stores.trust().rotate(renewed[0]?.value ?? ''))
  })

  test('forget drops that series only, and only for its current validator', async (t) => {
    const stores = await TokenStores.open(t, open)
    const trust = stores.trust()
    const first = await trust.issue('7')
    const second = token(await trust.rotate(first.value))
    const other = await trust.issue('7')
    const before = await stores.rows('trusts')
    for (const wrong of [
      first.value,
      tampered(second.value),
      `${'0'.repeat(16)}.${'0'.repeat(64)}`,
    ]) {
      assert.equal(await trust.forget(wrong), false)
    }
    assert.deepEqual(await stores.rows('trusts'), before)
    assert.equal(await trust.forget(second.value), true)
    assert.equal(await trust.forget(second.value), false)
    token(await trust.rotate(other.value))
  })

  test('forget of an expired series is false and purges it', async (t) => {
    const stores = await TokenStores.open(t, open)
    const { value } = await stores.trust().issue('7', 60)
    stores.clock.now += 60
    assert.equal(await stores.trust().forget(value), false)
    assert.deepEqual(await stores.rows('trusts'), [])
  })

  test('revoke drops all series of the user and counts them', async (t) => {
    const stores = await TokenStores.open(t, open)
    const trust = stores.trust()
    const own = [await trust.issue('7'), await trust.issue('7')]
    const foreign = await trust.issue('8')
    assert.equal(await trust.revoke('7'), 2)
    assert.equal(await trust.revoke('7'), 0)
    for (const { value } of own) assert.equal(await trust.rotate(value), null)
    token(await trust.rotate(foreign.value))
  })

  test('sweep drops what has expired and counts it', async (t) => {
    const stores = await TokenStores.open(t, open)
    const trust = stores.trust()
    for (const user of ['7', '7', '8']) await trust.issue(user, 60)
    const live = await trust.issue('7', 61)
    assert.equal(await trust.sweep(), 0)
    stores.clock.now += 60
    assert.equal(await trust.sweep(), 3)
    assert.equal(await trust.isLive(live.selector), true)
  })

  test('the list has the live devices, most recently used first, with their handles', async (t) => {
    const stores = await TokenStores.open(t, open)
    const trust = stores.trust()
    const first = await trust.issue('7', 900, { agent: 'Firefox', peer: '192.0.2.1' })
    await trust.issue('7', 5)
    await trust.issue('8')
    stores.clock.now += 10
    const second = await trust.issue('7', 900)
    const facts = { agent: '', peer: '', created: 1_700_000_010, used: 1_700_000_010 }
    const listed = [
      { handle: deviceHandle(second.selector), ...facts, expires: 1_700_000_910 },
      {
        handle: deviceHandle(first.selector),
        agent: 'Firefox',
        peer: '192.0.2.1',
        created: 1_700_000_000,
        used: 1_700_000_000,
        expires: 1_700_000_900,
      },
    ]
    assert.deepEqual(await trust.list('7'), listed)
    stores.clock.now += 10
    await trust.rotate(first.value)
    const [top] = await trust.list('7')
    assert.deepEqual(
      [top?.handle, top?.used, top?.created],
      [listed[1]?.handle, 1_700_000_020, 1_700_000_000],
    )
  })

  test('a device is ended by its handle, only by its owner', async (t) => {
    const stores = await TokenStores.open(t, open)
    const trust = stores.trust()
    const [one, other] = [await trust.issue('7'), await trust.issue('7', 60)]
    const handle = deviceHandle(one.selector)
    assert.equal(await trust.end('8', handle), false)
    assert.equal(await trust.end('7', 'unknown'), false)
    assert.equal(await trust.end('7', one.selector), false)
    assert.equal(await trust.end('7', handle), true)
    assert.equal(await trust.end('7', handle), false)
    assert.equal(await trust.rotate(one.value), null)
    assert.equal(await trust.isLive(other.selector), true)
    stores.clock.now += 60
    assert.equal(await trust.end('7', deviceHandle(other.selector)), false)
  })

  test('a series is live until it is dropped or expires', async (t) => {
    const stores = await TokenStores.open(t, open)
    const trust = stores.trust()
    const { selector, value } = await trust.issue('7', 60)
    assert.equal(await trust.isLive(selector), true)
    stores.clock.now += 59
    assert.equal(await trust.isLive(selector), true)
    stores.clock.now += 1
    assert.equal(await trust.isLive(selector), false)
    stores.clock.now -= 1
    assert.equal(await trust.forget(value), true)
    assert.equal(await trust.isLive(selector), false)
    assert.equal(await trust.isLive('nothing'), false)
  })
})
