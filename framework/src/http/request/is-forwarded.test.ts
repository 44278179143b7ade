import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isForwarded } from './is-forwarded.ts'

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
