import assert from 'node:assert/strict'
import { test } from 'node:test'
import { networkOf } from './network.ts'

test('an IPv4 address is in its /24, also inside IPv6', () => {
  for (const address of ['192.0.2.1', '192.0.2.255', '::ffff:192.0.2.7', '64:ff9b::c000:201']) {
    assert.equal(networkOf(address), '192.0.2.0/24', address)
  }
  assert.notEqual(networkOf('192.0.3.1'), networkOf('192.0.2.1'))
})

test('an IPv6 address is in its /48, however it is written', () => {
  for (const address of ['2001:db8:1::1', '2001:0DB8:0001:ffff::', '2001:db8:1:2:3:4:5:6%eth0']) {
    assert.equal(networkOf(address), '2001:db8:1::/48', address)
  }
  assert.notEqual(networkOf('2001:db8:2::1'), networkOf('2001:db8:1::1'))
})

test('a text that is no address is its own network', () => {
  assert.equal(networkOf(''), '')
  assert.equal(networkOf('unknown'), 'unknown')
})
