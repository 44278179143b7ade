import assert from 'node:assert/strict'
import { Environments } from '../../src/settings/environments.ts'
import type { Request } from '../../src/http/request/request.ts'
import { Server } from '../../src/http/server/server.ts'

/** A request from this address, for code that is called by handlers. */
export async function requestFrom(address: string): Promise<Request> {
  const seen: Request[] = []
  const server = new Server({ environment: Environments.Test })
  server.router.get('/', (request) => void seen.push(request))
  await server.inject({ url: '/', address })
  return seen[0] ?? assert.fail()
}
