import { FrameworkError } from '../../../base/errors.ts'

/** The server could not listen on its address; the message gives the reason. */
export class ListenError extends FrameworkError {
  constructor(host: string, port: number, cause: Error) {
    super('E_LISTEN', explain(host, port, cause), { cause })
  }
}

function explain(host: string, port: number, cause: Error): string {
  switch ('code' in cause ? cause.code : '') {
    case 'EADDRINUSE':
      return `port ${port} on ${host} is in use by another process; stop it or choose another port`
    case 'EACCES':
      return `this user may not listen on port ${port} of ${host}; choose one above 1023`
    case 'EADDRNOTAVAIL':
      return `this machine has no address ${host}; use 127.0.0.1, 0.0.0.0 or one of its own`
    case 'ENOTFOUND':
      return `the host name ${host} does not resolve; use an address or another name`
    default:
      return `could not listen on ${host}:${port}: ${cause.message}`
  }
}
