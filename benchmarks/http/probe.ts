import type { ServerProcess } from './server-process.ts'
import { exchanges } from './scenarios.ts'

/**
 * Asks a server once and compares every part of the answer, so that only equal work is compared.
 * @throws Error that names the first difference.
 */
export async function probe({ entrant, origin }: ServerProcess): Promise<void> {
  const { path, type, body, headers } = exchanges[entrant.scenario]
  const response = await fetch(`${origin}${path}`, { headers: { connection: 'close' } })
  const came = await response.text()
  const differences = [
    differ('status', 200, response.status),
    differ('type', type, response.headers.get('content-type')?.split(';')[0]),
    differ('length', String(Buffer.byteLength(body)), response.headers.get('content-length')),
    differ('body', body, came),
    ...headers.map((name) => differ(name, '1', response.headers.get(name))),
  ].filter((difference) => difference !== null)
  if (differences.length > 0) {
    throw new Error(`"${entrant.label}" answers ${path} wrongly: ${differences.join('; ')}`)
  }
}

function differ(what: string, expected: unknown, came: unknown): string | null {
  return expected === came
    ? null
    : `${what} is ${JSON.stringify(came)}, expected ${JSON.stringify(expected)}`
}
