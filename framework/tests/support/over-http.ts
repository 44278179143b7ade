import { request as send } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { InjectedResponse, InjectedRequest } from '../../src/http/server/inject.ts'
import type { ProjectServer } from '../../src/testing/project-server.ts'

/** Wraps a server in another process so that it can be used like one in this process. */
export function overHttp(url: string): Pick<ProjectServer, 'inject' | 'close'> {
  return { inject: (request) => ask(url, request), close: async () => {} }
}

// Not with `fetch`, which calls itself a script (`Sec-Fetch-Mode: cors`): a browser that sends a form is none.
async function ask(
  origin: string,
  { method = 'GET', url, headers = {}, body }: InjectedRequest,
): Promise<InjectedResponse> {
  const { type, bytes: sent } = encoded(body)
  const request = send(new URL(url, origin), {
    method,
    headers: {
      ...(type !== null && { 'content-type': type }),
      ...(sent.length > 0 && { 'content-length': sent.length }),
      ...headers,
    },
  })
  request.end(sent)
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request.on('response', resolve).on('error', reject)
  })
  const bytes = Buffer.concat(await answer.toArray())
  const text = bytes.toString()
  const { 'set-cookie': cookies = [], ...others } = answer.headers
  const entries = Object.entries(others).map(([name, value]) => [name, String(value)])
  return {
    status: answer.statusCode ?? 0,
    headers: Object.fromEntries(entries),
    cookies,
    bytes,
    text,
    json: (): unknown => JSON.parse(text),
  }
}

function encoded(body: InjectedRequest['body']): { type: string | null; bytes: Buffer } {
  if (body === undefined) return { type: null, bytes: Buffer.alloc(0) }
  if (body instanceof Uint8Array) return { type: null, bytes: Buffer.from(body) }
  if (body instanceof URLSearchParams) {
    return { type: 'application/x-www-form-urlencoded', bytes: Buffer.from(String(body)) }
  }
  if (typeof body === 'string')
    return { type: 'text/plain;charset=UTF-8', bytes: Buffer.from(body) }
  return { type: 'application/json', bytes: Buffer.from(JSON.stringify(body)) }
}
