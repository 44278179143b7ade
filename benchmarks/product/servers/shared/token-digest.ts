import { hash } from 'node:crypto'

/** What `peer_tokens` keeps of a bearer token: its SHA-256 in hexadecimal digits. */
export function tokenDigest(token: string): string {
  return hash('sha256', token)
}
