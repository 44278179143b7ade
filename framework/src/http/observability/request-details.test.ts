import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Environments } from '../../settings/environments.ts'
import { Server } from '../server/server.ts'
import { RequestDetails } from './request-details.ts'

interface Asked {
  readonly url: string
  readonly method?: string
  readonly host?: string
  readonly status?: number
}

/** Key, name and attributes of the span of a request. */
async function detailsOf({ url, method = 'GET', host = 'a.test', status = 200 }: Asked) {
  const seen: unknown[][] = []
  const server = new Server({ environment: Environments.Test })
  for (const path of ['/plain', '/items/:id']) {
    server.router.any(path, (request) => {
      const details = new RequestDetails(request, status)
      seen.push([details.key, details.name, details.attributes('')])
    })
  }
  await server.inject({ url, method, headers: { host } })
  return seen
}

test('what is kept of a request is not mixed up with others of the same path', async () => {
  const plain = await detailsOf({ url: '/plain' })
  for (const other of [{ method: 'POST' }, { host: 'b.test' }, { status: 404 }]) {
    const seen = await detailsOf({ url: '/plain', ...other })
    assert.notEqual(seen[0]?.[0], plain[0]?.[0], JSON.stringify(other))
    assert.notDeepEqual(seen[0]?.slice(1), plain[0]?.slice(1), JSON.stringify(other))
    assert.deepEqual(await detailsOf({ url: '/plain' }), plain)
  }
})

test('requests of one route with other parameters have other paths', async () => {
  const five = await detailsOf({ url: '/items/5' })
  const six = await detailsOf({ url: '/items/6' })
  assert.notEqual(six[0]?.[0], five[0]?.[0])
  assert.notDeepEqual(six[0]?.slice(1), five[0]?.slice(1))
  assert.deepEqual(await detailsOf({ url: '/items/5' }), five)
})
