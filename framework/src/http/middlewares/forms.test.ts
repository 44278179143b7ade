import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { test } from 'node:test'
import { Environments } from '../../settings/environments.ts'
import type { Handler } from '../router/route.ts'
import { Server } from '../server/server.ts'
import { Forms } from './forms.ts'

function serverOf(): Server {
  const server = new Server({ environment: Environments.Test })
  server.use(new Forms())
  server.router.post('/', (request) => ({ ...request.fields }))
  return server
}

async function multipart(
  data: FormData,
): Promise<{ body: Uint8Array; headers: Record<string, string> }> {
  const encoded = new Response(data)
  const type = encoded.headers.get('content-type') ?? ''
  return { body: new Uint8Array(await encoded.arrayBuffer()), headers: { 'content-type': type } }
}

test('fields of a urlencoded form are there when the handler runs', async () => {
  const body = new URLSearchParams({ a: '1', b: 'x y' })
  const answer = await serverOf().inject({ method: 'POST', url: '/', body })
  assert.deepEqual(answer.json(), { a: '1', b: 'x y' })
})

test('a request without a body has no fields', async () => {
  assert.deepEqual((await serverOf().inject({ method: 'POST', url: '/' })).json(), {})
})

test('JSON is left to the handler', async () => {
  const server = serverOf()
  server.router.post('/json', (request) => request.json())
  const answer = await server.inject({ method: 'POST', url: '/json', body: { a: [1] } })
  assert.deepEqual(answer.json(), { a: [1] })
})

test('uploaded files lie on disk while the handler runs and are gone after the answer', async () => {
  const server = serverOf()
  let folder = ''
  const handler: Handler = async (request) => {
    const [file] = request.files
    folder = dirname(file?.path ?? '')
    return `${file?.filename}: ${await readFile(file?.path ?? '', 'utf8')} for ${request.fields['title']}`
  }
  server.router.post('/upload', handler, { uploads: {} })
  const data = new FormData()
  data.append('title', 'Title')
  data.append('upload', new File(['hello'], 'a.txt'))
  const answer = await server.inject({ method: 'POST', url: '/upload', ...(await multipart(data)) })
  assert.equal(answer.text, 'a.txt: hello for Title')
  while (existsSync(folder)) await new Promise(setImmediate)
})

test('files are gone as well when the handler fails', async () => {
  const server = serverOf()
  let folder = ''
  const handler: Handler = (request) => {
    folder = dirname(request.files[0]?.path ?? '')
    assert.ok(existsSync(folder))
    return request.json()
  }
  server.router.post('/upload', handler, { uploads: {} })
  const data = new FormData()
  data.append('upload', new File(['hello'], 'a.txt'))
  const answer = await server.inject({ method: 'POST', url: '/upload', ...(await multipart(data)) })
  assert.equal(answer.status, 500)
  while (existsSync(folder)) await new Promise(setImmediate)
})

test('a form above the limits answers 413 and a broken one 400, before the handler', async () => {
  const server = serverOf().configure({ limits: { body: 100 } })
  const large = new URLSearchParams({ a: 'x'.repeat(200) })
  assert.equal((await server.inject({ method: 'POST', url: '/', body: large })).status, 413)
  const headers = { 'content-type': 'multipart/form-data; boundary=B' }
  assert.equal(
    (await server.inject({ method: 'POST', url: '/', body: '--B\r\n', headers })).status,
    400,
  )
})
