import type { Exchange, FlatHeaders } from './engine/engine.ts'

const body = '{"status":"ok"}'
const headers: FlatHeaders = [
  'Content-Type',
  'application/json; charset=utf-8',
  'Cache-Control',
  'no-store',
  'X-Content-Type-Options',
  'nosniff',
]

/**
 * Answers the native health probe: GET and HEAD of exactly that path, before anything else exists,
 * so that nothing of the project can change or delay it. True when the exchange was answered.
 */
export function answersProbe(exchange: Exchange, path: string): boolean {
  if (exchange.target !== path || (exchange.method !== 'GET' && exchange.method !== 'HEAD'))
    return false
  exchange.respond(200, headers, body)
  return true
}
