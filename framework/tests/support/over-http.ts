import type { InjectedAnswer, InjectedRequest } from '../../src/web/server/inject.ts'
import type { ProjectServer } from '../../src/web/testing/project-server.ts'

/** Wraps a server in another process so that it can be used like one in this process. */
export function overHttp(url: string): Pick<ProjectServer, 'inject' | 'close'> {
  return { inject: (request) => ask(url, request), close: async () => {} }
}

async function ask(
  origin: string,
  { method = 'GET', url, headers = {}, body }: InjectedRequest,
): Promise<InjectedAnswer> {
  const isPlain = typeof body === 'object' && !(body instanceof URLSearchParams)
  const answer = await fetch(new URL(url, origin), {
    method,
    redirect: 'manual',
    headers: { ...headers, ...(isPlain && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: isPlain ? JSON.stringify(body) : body }),
  })
  const bytes = Buffer.from(await answer.arrayBuffer())
  const text = bytes.toString()
  return {
    status: answer.status,
    headers: Object.fromEntries(answer.headers),
    cookies: answer.headers.getSetCookie(),
    bytes,
    text,
    json: (): unknown => JSON.parse(text),
  }
}
