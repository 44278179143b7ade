import { isRecord } from './is-record.ts'
import { visible } from './terminal-paint.ts'
import type { TerminalPaint, TerminalStyle } from './terminal-paint.ts'

const slowMs = 200
const verySlowMs = 1_000

/**
 * A line of the request log for a screen: method, path, status, milliseconds and statements. Null if the
 * context is not that of a request.
 */
export function terminalRequest(context: unknown, paint: TerminalPaint): string | null {
  if (!isRecord(context)) return null
  const { method, route, path, status, ms, queries, queryMs, gone } = context
  if (typeof method !== 'string' || typeof status !== 'number' || typeof ms !== 'number')
    return null
  const parts = [
    paint('bold', visible(method).padEnd(4)),
    visible(route ?? path ?? '(no route)'),
    paint(statusStyle(status), String(status)),
    paint(ms >= verySlowMs ? 'red' : ms >= slowMs ? 'yellow' : 'dim', `${ms} ms`),
    paint('dim', statementsOf(queries, queryMs)),
    paint('yellow', gone === true ? 'the client disconnected' : ''),
  ]
  return parts.filter((part) => part !== '').join(' ')
}

function statusStyle(status: number): TerminalStyle {
  if (status >= 500) return 'red'
  if (status >= 400) return 'yellow'
  return status >= 300 ? 'cyan' : 'green'
}

function statementsOf(queries: unknown, queryMs: unknown): string {
  if (typeof queries !== 'number' || queries === 0) return ''
  return `${queries} ${queries === 1 ? 'query' : 'queries'} ${visible(queryMs)} ms`
}
