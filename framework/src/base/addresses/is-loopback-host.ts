import { isIPv4 } from 'node:net'

/** Whether a host of a URL or setting is this machine. */
export function isLoopbackHost(host: string): boolean {
  const name = host.replace(/^\[(.*)\]$/, '$1').toLowerCase()
  if (name === '::1' || name === 'localhost' || name.endsWith('.localhost')) return true
  return isIPv4(name) && name.startsWith('127.')
}
