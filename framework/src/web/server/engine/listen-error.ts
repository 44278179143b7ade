import { FrameworkError } from '../../../base/errors.ts'

/** The server could not take its address; the message says who or what stands in the way. */
export class ListenError extends FrameworkError {
  constructor(host: string, port: number, cause: Error) {
    super('E_LISTEN', explain(host, port, cause), { cause })
  }
}

function explain(host: string, port: number, cause: Error): string {
  switch ('code' in cause ? cause.code : '') {
    case 'EADDRINUSE':
      return `port ${port} on ${host} is taken by another process; stop it or choose another port`
    case 'EACCES':
      return `port ${port} on ${host} may not be used by this user; choose one above 1023`
    case 'EADDRNOTAVAIL':
      return `this machine has no address ${host}; use 127.0.0.1, 0.0.0.0 or one of its own`
    case 'ENOTFOUND':
      return `the host name ${host} is not known; use an address or a name that resolves`
    default:
      return `could not listen on ${host}:${port}: ${cause.message}`
  }
}
