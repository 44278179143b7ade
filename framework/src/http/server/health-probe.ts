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
 * Responds to the native health probe: GET and HEAD of exactly that path, before anything else, so that
 * nothing in the project can change or delay it. Returns whether it responded.
 */
export function respondToProbe(exchange: Exchange, path: string): boolean {
  if (exchange.target !== path || (exchange.method !== 'GET' && exchange.method !== 'HEAD'))
    return false
  exchange.respond(200, headers, body)
  return true
}
