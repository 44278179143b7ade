import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Purposes, Token } from '../../src/accounts/tokens/token.ts'
import { Theft } from '../../src/accounts/devices/trust.ts'
import type { Trust } from '../../src/accounts/devices/trust.ts'
import { onEveryDatabase } from '../support/test-databases.ts'
import { TokenStores } from './token-stores.ts'

const { Recovery } = Purposes
const rounds = 15

async function issued(trust: Trust, user: string, devices: number): Promise<readonly Token[]> {
  return Promise.all(Array.from({ length: devices }, () => trust.issue(user)))
}

onEveryDatabase((_, open) => {
  test('after a theft no device of the user is left, including those rotated at that moment', async (t) => {
    const stores = await TokenStores.open(t, open, 'pool=10')
    const trust = stores.trust()
    for (let round = 0; round < rounds; round += 1) {
      const user = `user ${round}`
      const [first, ...others] = await issued(trust, user, 8)
      const bystander = await trust.issue('somebody else')
      await trust.rotate(first?.value ?? '')
      const rotations = others.map(({ value }) => trust.rotate(value))
      const replays = [1, 2].map(() => trust.rotate(first?.value ?? ''))
      const outcomes = await Promise.all([...replays, ...rotations])
      assert.equal(outcomes.filter((outcome) => outcome instanceof Theft).length, 1)
      for (const outcome of outcomes) {
        if (outcome instanceof Token) assert.equal(await trust.rotate(outcome.value), null)
      }
      assert.deepEqual(await trust.list(user), [])
      assert.equal(await trust.isLive(bystander.selector), true)
    }
    assert.deepEqual(stores.reported, [])
  })

  test('a revocation drops every device, including those rotated at that moment', async (t) => {
    const stores = await TokenStores.open(t, open, 'pool=10')
    const trust = stores.trust()
    for (let round = 0; round < rounds; round += 1) {
      const user = `user ${round}`
      const devices = await issued(trust, user, 10)
      const works: (() => Promise<unknown>)[] = devices.map(
        ({ value }) =>
          () =>
            trust.rotate(value),
      )
      const counts: number[] = []
      works.splice(round % 10, 0, async () => counts.push(await trust.revoke(user)))
      await Promise.all(works.map((work) => work()))
      assert.deepEqual(counts, [10])
      assert.deepEqual(await trust.list(user), [])
    }
    assert.deepEqual(stores.reported, [])
  })

  test('concurrent thefts from several devices of a user drop everything and are reported once', async (t) => {
    const stores = await TokenStores.open(t, open, 'pool=10')
    const trust = stores.trust()
    for (let round = 0; round < rounds; round += 1) {
      const devices = await issued(trust, '7', 6)
      await Promise.all(devices.map(({ value }) => trust.rotate(value)))
      const replays = await Promise.all(devices.map(({ value }) => trust.rotate(value)))
      const thefts = replays.filter((outcome) => outcome instanceof Theft)
      assert.equal(thefts.length, 1)
      assert.deepEqual(await stores.rows('trusts'), [])
    }
    assert.deepEqual(stores.reported, [])
  })

  test('of tokens minted concurrently for one user and purpose one is valid', async (t) => {
    const stores = await TokenStores.open(t, open, 'pool=10')
    const tokens = stores.tokens()
    for (let round = 0; round < rounds; round += 1) {
      const minted = await Promise.all(Array.from({ length: 10 }, () => tokens.mint('7', Recovery)))
      const good = await Promise.all(minted.map(({ value }) => tokens.redeem(value, Recovery)))
      assert.deepEqual(
        good.filter((user) => user !== null),
        ['7'],
      )
    }
  })

  test('beforeTheft runs before the devices are dropped; if it fails, there is no theft yet', async (t) => {
    const stores = await TokenStores.open(t, open)
    const trust = stores.trust()
    const first = await trust.issue('7')
    await trust.rotate(first.value)
    const before = await stores.rows('trusts')
    const ended: string[] = []
    const failing = async (): Promise<void> => {
      throw new Error('planted')
    }
    assert.equal(await trust.rotate(first.value, 900, { beforeTheft: failing }), null)
    assert.deepEqual(await stores.rows('trusts'), before)
    const outcome = await trust.rotate(first.value, 900, {
      beforeTheft: async (user) => {
        ended.push(`${user}, ${(await stores.rows('trusts')).length} left`)
      },
    })
    assert.ok(outcome instanceof Theft)
    assert.deepEqual([ended, await stores.rows('trusts')], [['7, 1 left'], []])
  })

  test('a token is either redeemed or revoked', async (t) => {
    const stores = await TokenStores.open(t, open, 'pool=10')
    const tokens = stores.tokens()
    for (let round = 0; round < rounds; round += 1) {
      const { value } = await tokens.mint('7', Recovery)
      const redeems = Array.from({ length: 4 }, () => tokens.redeem(value, Recovery))
      const [revoked, ...redeemed] = await Promise.all([tokens.revoke('7'), ...redeems])
      const users = redeemed.filter((user) => user !== null)
      assert.equal(revoked + users.length, 1)
    }
    assert.deepEqual(stores.reported, [])
  })
})
