import { isIP } from 'node:net'
import { connect } from 'node:tls'
import type { TLSSocket } from 'node:tls'

/** A connection that is encrypted, for HTTP/1. */
export function connectTls(host: string, port: number): TLSSocket {
  const name = isIP(host) === 0 ? { servername: host } : {}
  return connect({ host, port, ALPNProtocols: ['http/1.1'], ...name })
}
