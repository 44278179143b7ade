import { crc32 } from 'node:zlib'
import { newTokenText, readTokenText } from '../tokens/token-text.ts'
import type { NewTokenText, TokenProof } from '../tokens/token-text.ts'

/** Selector, verifier and checksum. Scanners for leaked secrets can look for it. */
const pattern = /^fw_([0-9a-f]{16})_([0-9a-f]{64})([0-9a-f]{8})$/

/** A new API token: `fw_<selector>_<verifier><checksum>`. */
export function newApiTokenText(): NewTokenText {
  const { value, ...proof } = newTokenText()
  const body = `fw_${value.replace('.', '_')}`
  return { ...proof, value: `${body}${checksum(body)}` }
}

/**
 * Parses a presented API token; null if it is malformed. The checksum finds typos and made-up tokens
 * before anything is asked of the database.
 */
export function readApiTokenText(text: string): TokenProof | null {
  const [, selector = '', verifier = '', sum] = pattern.exec(text) ?? []
  if (sum !== checksum(`fw_${selector}_${verifier}`)) return null
  return readTokenText(`${selector}.${verifier}`)
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0')
}
