import type { ServerProcess } from './server-process.ts'
import { exchanges, Scenarios } from './scenarios.ts'

/**
 * Asks a server once and compares every part of the answer, so that only equal work is compared.
 * @throws Error that names the first difference.
 */
export async function probe({ entrant, origin }: ServerProcess): Promise<void> {
  const { path, sent, type, body, headers } = exchanges[entrant.scenario]
  const response = await ask(origin + path, sent)
  const came = await response.text()
  const differences = [
    differ('status', 200, response.status),
    differ('type', type, response.headers.get('content-type')?.split(';')[0]),
    differ('length', String(Buffer.byteLength(body)), response.headers.get('content-length')),
    differ('body', body, came),
    ...headers.map((name) => differ(name, '1', response.headers.get(name))),
    entrant.scenario === Scenarios.Input ? await differWhenInvalid(origin + path) : null,
  ].filter((difference) => difference !== null)
  if (differences.length > 0) {
    throw new Error(`"${entrant.label}" answers ${path} wrongly: ${differences.join('; ')}`)
  }
}

function ask(url: string, sent: string | null): Promise<Response> {
  const headers = { connection: 'close' }
  if (sent === null) return fetch(url, { headers })
  const json = { ...headers, 'content-type': 'application/json' }
  return fetch(url, { method: 'POST', headers: json, body: sent })
}

// A server that lets this pass has not validated anything.
async function differWhenInvalid(url: string): Promise<string | null> {
  const { status } = await ask(url, '{"title":"","text":"","stars":7,"tags":[]}')
  return status === 400 || status === 422
    ? null
    : `an invalid body is ${status}, expected 400 or 422`
}

function differ(what: string, expected: unknown, came: unknown): string | null {
  return expected === came
    ? null
    : `${what} is ${JSON.stringify(came)}, expected ${JSON.stringify(expected)}`
}
