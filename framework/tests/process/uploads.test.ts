import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { test } from 'node:test'
import type { Request } from '../../src/web/request/request.ts'
import { RawClient } from '../support/raw-client.ts'
import { serve } from '../support/serve.ts'
import { waitFor } from '../support/wait-for.ts'

test('the files of a form that completes after the response are removed too', async (t) => {
  const paths: string[] = []
  const { port } = await serve(t, (server) => {
    server.router.post('/', async (request) => {
      void request.form().then(({ files }) => paths.push(...files.map(({ path }) => path)))
      await waitFor('the form to be read', () => request.stream.readableFlowing === true)
      return 'answered early'
    })
  })
  const body = `--b\r\nContent-Disposition: form-data; name="f"; filename="a.txt"\r\n\r\n${'x'.repeat(1000)}\r\n--b--\r\n`
  const client = await RawClient.connect(port)
  client.send(
    `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\n` +
      `Content-Length: ${body.length}\r\n\r\n${body.slice(0, 500)}`,
  )
  await client.until('answered early')
  client.send(body.slice(500))
  await waitFor(
    'the upload folder to disappear',
    () => paths.length === 1 && !existsSync(dirname(paths[0] ?? '')),
  )
})

test('reading a body after its client disconnected is an error, not an endless wait', async (t) => {
  let outcome: Promise<unknown> = Promise.resolve('not asked')
  let arrived: (request: Request) => void = () => {}
  const arrival = new Promise<Request>((resolve) => {
    arrived = resolve
  })
  const { port } = await serve(t, (server) => {
    server.router.post('/', async (request) => {
      arrived(request)
      await once(request.signal, 'abort')
      outcome = request.json().catch((error: unknown) => error)
      return outcome
    })
  })
  const client = await RawClient.connect(port)
  client.send('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{"a"')
  const request = await arrival
  client.socket.destroy()
  await once(request.signal, 'abort')
  await new Promise(setImmediate)
  const error = await outcome
  assert.ok(error instanceof Error)
  assert.match(error.message, /incomplete/)
})
