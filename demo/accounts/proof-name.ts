const names: ReadonlyMap<string, string> = new Map([
  ['password', 'password'],
  ['passkey', 'passkey'], // part: passkeys
])

/** What pages call the proof of a factor, or of another method to confirm with. */
export function proofName(method: string): string {
  return names.get(method) ?? 'code'
}
