import assert from 'node:assert/strict'
import { test } from 'node:test'
import { trustPeers, isForwarded } from './peer.ts'

test('without trusted proxies the peer is the neighbour, whatever it claims', () => {
  assert.equal(trustPeers([]).peer('203.0.113.9', '198.51.100.1'), '203.0.113.9')
})

test('a trusted proxy speaks for its client', () => {
  assert.equal(trustPeers(['10.0.0.0/8']).peer('10.1.2.3', '198.51.100.1'), '198.51.100.1')
})

test('the list is read from our side and stops at the first address that is not trusted', () => {
  const peers = trustPeers(['10.0.0.0/8'])
  assert.equal(peers.peer('10.0.0.1', '1.1.1.1, 198.51.100.1, 10.0.0.2'), '198.51.100.1')
})

test('an address that is not trusted cannot forge its peer', () => {
  assert.equal(trustPeers(['10.0.0.0/8']).peer('192.0.2.1', '127.0.0.1'), '192.0.2.1')
})

test('garbage in the list ends the reading', () => {
  assert.equal(trustPeers(['10.0.0.1']).peer('10.0.0.1', '198.51.100.1, unknown'), '10.0.0.1')
})

test('ports, brackets and mapped addresses are understood', () => {
  const peers = trustPeers(['10.0.0.1', '::1'])
  assert.equal(peers.peer('::ffff:10.0.0.1', '198.51.100.1:4711'), '198.51.100.1')
  assert.equal(peers.peer('::1', '[2001:db8::7]:443'), '2001:db8::7')
  assert.equal(trustPeers([]).peer('::ffff:192.0.2.1', undefined), '192.0.2.1')
})

for (const proxy of ['', 'proxy.example', '10.0.0.0/33', '10.0.0.0/x', '10.0.0.0/8/8', '::/129']) {
  test(`"${proxy}" is not a proxy one can trust`, () => {
    assert.throws(() => trustPeers([proxy]), { code: 'E_PROXY' })
  })
}

const ofProxies = `
  forwarded via x-forwarded-for x-forwarded-host x-forwarded-proto x-forwarded x-original-forwarded-for
  forwarded-for x-real-ip x-client-ip client-ip true-client-ip fastly-client-ip fly-client-ip
  cf-connecting-ip cf-connecting-ipv6 cf-ray cdn-loop x-cluster-client-ip x-originating-ip x-remote-ip
  x-remote-addr x-azure-clientip x-envoy-external-address x-appengine-user-ip x-proxyuser-ip
  ali-cdn-real-ip wl-proxy-client-ip
`
const ofClients = `
  host accept user-agent accept-encoding cookie referer origin x-request-id x-csrf-token upgrade
  x-requested-with sec-fetch-site forwarder-id x-descriptions
`

test('the headers of proxies mean that the client is elsewhere, those of browsers do not', () => {
  for (const name of ofProxies.trim().split(/\s+/)) {
    assert.equal(isForwarded({ host: 'localhost', [name]: '127.0.0.1' }), true, name)
  }
  for (const name of ofClients.trim().split(/\s+/)) {
    assert.equal(isForwarded({ [name]: '127.0.0.1' }), false, name)
  }
})
