import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { TestContext } from 'node:test'

/** A POST as received. */
export interface Post {
  readonly method: string
  readonly target: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** Epoch milliseconds. */
  readonly atMs: number
}

/** A local collector that keeps what it receives. */
export interface FakeCollector {
  readonly url: string
  readonly posts: readonly Post[]
}

/** Responds to a POST, or does not. */
export type Answering = (response: ServerResponse, post: Post) => void

/** Starts a collector that responds in this order, repeating the last one. */
export async function startCollector(
  t: TestContext,
  ...answers: readonly Answering[]
): Promise<FakeCollector> {
  const posts: Post[] = []
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url = '', headers } = request
    const post = { method, target: url, headers, body: await buffer(request), atMs: Date.now() }
    const answering = answers[Math.min(posts.length, answers.length - 1)]
    posts.push(post)
    answering?.(response, post)
  }
  const server = createServer((request, response) => void take(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  return { url: `http://127.0.0.1:${port}`, posts }
}

/** Responds with a status, headers and a body. */
export function answer(
  status: number,
  headers: Readonly<Record<string, string>> = {},
  body = '{}',
): Answering {
  return (response) => void response.writeHead(status, headers).end(body)
}
