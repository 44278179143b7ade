import { setTimeout as sleep } from 'node:timers/promises'
import type { History } from './history.ts'

const anew = 'the server is killed'
const anewMs = 15_000

/** Watches the counters of a site, each the sum of its series: none may fall, unless the server was started anew. */
export async function watchCounters(
  url: string,
  history: History,
  signal: AbortSignal,
): Promise<void> {
  const highest = new Map<string, number>()
  while (!signal.aborted) {
    const text = await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(10_000) })
      .then((response) => (response.status === 200 ? response.text() : ''))
      .catch(() => '')
    // Workers of the server before may still answer on open connections.
    const isAnew = history.disturbances.some(
      ({ kind, from }) => kind === anew && from > Date.now() - anewMs,
    )
    if (isAnew) highest.clear()
    for (const [name, value] of countersIn(text)) {
      const before = highest.get(name) ?? 0
      if (value < before) {
        const { kind = 'nothing' } = history.disturbances.at(-1) ?? {}
        history.wrong(`a counter fell after "${kind}"`, `${name}: ${before}, then ${value}`)
      }

      highest.set(name, value)
    }
    if (text !== '') history.count('metrics read')
    await sleep(500, undefined, { signal }).catch(() => {})
  }
}

/** The sum of each counter; series of a single process end with it. */
function countersIn(text: string): ReadonlyMap<string, number> {
  const counters = new Set(
    [...text.matchAll(/^# TYPE (\S+) counter$/gm)].map(([, name = '']) => name),
  )
  const sums = new Map<string, number>()
  for (const [, name = '', labels = '', value] of text.matchAll(/^(\w+)(\{.*\})? (\S+)$/gm)) {
    if (!counters.has(name) || labels.includes('pid="')) continue
    sums.set(name, (sums.get(name) ?? 0) + Number(value))
  }
  return sums
}
