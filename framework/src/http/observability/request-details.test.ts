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

/** Name and attributes of the span of a request. */
async function detailsOf({ url, method = 'GET', host = 'a.test', status = 200 }: Asked) {
  const seen: unknown[] = []
  const server = new Server({ environment: Environments.Test })
  for (const path of ['/plain', '/items/:id']) {
    server.router.any(path, (request) => {
      const details = new RequestDetails(request, status)
      seen.push([details.name, details.attributes('')])
    })
  }
  await server.inject({ url, method, headers: { host } })
  return seen
}

test('what is kept of a request is not mixed up with others of the same path', async () => {
  const plain = await detailsOf({ url: '/plain' })
  for (const other of [{ method: 'POST' }, { host: 'b.test' }, { status: 404 }]) {
    assert.notDeepEqual(await detailsOf({ url: '/plain', ...other }), plain, JSON.stringify(other))
    assert.deepEqual(await detailsOf({ url: '/plain' }), plain)
  }
})

test('requests of one route with other parameters have other paths', async () => {
  const five = await detailsOf({ url: '/items/5' })
  assert.notDeepEqual(await detailsOf({ url: '/items/6' }), five)
  assert.deepEqual(await detailsOf({ url: '/items/5' }), five)
})
