import assert from 'node:assert/strict'
import { test } from 'node:test'
import { networkOf, peerCounters, peerKey } from './network.ts'

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

test('an IPv4 address counts for itself', () => {
  assert.equal(peerKey('192.0.2.1'), '192.0.2.1')
})

test('an IPv6 address counts with all of its /64, however it is written', () => {
  const network = '2001:db8:0:1::/64'
  for (const address of [
    '2001:db8:0:1::1',
    '2001:0db8:0000:0001:ffff:ffff:ffff:ffff',
    '2001:db8:0:1:2:3:4:5',
    '2001:DB8::1:0:0:0:9',
    '2001:db8:0:1::192.0.2.1',
  ]) {
    assert.equal(peerKey(address), network, address)
  }
  assert.notEqual(peerKey('2001:db8:0:2::1'), network)
})

test('IPv4 inside IPv6, mapped or translated, counts as IPv4', () => {
  for (const address of [
    '::ffff:192.0.2.1',
    '::ffff:c000:201',
    '0:0:0:0:0:FFFF:c000:0201',
    '64:ff9b::192.0.2.1',
    '64:ff9b::c000:201',
  ]) {
    assert.equal(peerKey(address), '192.0.2.1', address)
  }
})

test('a zone does not count', () => {
  assert.equal(peerKey('fe80::1%eth0'), 'fe80:0:0:0::/64')
  assert.equal(peerKey('::1'), '0:0:0:0::/64')
})

test('a peer without an address, as on a local socket, is one peer', () => {
  assert.equal(peerKey(''), '')
})

test('an IPv4 address has one counter, an IPv6 address three with rising allowances', () => {
  assert.deepEqual(peerCounters('::ffff:192.0.2.1'), [{ key: '192.0.2.1', times: 1 }])
  assert.deepEqual(peerCounters('2001:db8:1:fedc::1'), [
    { key: '2001:db8:1:fedc::/64', times: 1 },
    { key: '2001:db8:1:fe00::/56', times: 4 },
    { key: '2001:db8:1::/48', times: 16 },
  ])
})
