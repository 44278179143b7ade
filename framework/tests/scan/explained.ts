import type { Finding } from './finding.ts'

/** Known findings about the demo that are not weaknesses, each with the reason. */
const explanations: readonly {
  readonly fits: (finding: Finding) => boolean
  readonly reason: string
}[] = [
  {
    fits: ({ detail }) => detail.includes('X-XSS-Protection'),
    reason: 'browsers have dropped that filter, and it could be turned against a page',
  },
  {
    fits: ({ detail }) => detail.includes('Strict-Transport-Security'),
    reason: 'it is sent over TLS only; the scan speaks HTTP on loopback',
  },
  {
    fits: ({ kind, where }) => kind === 'Backup file' && where.startsWith('GET /hello/'),
    reason: 'the page greets whatever name stands in its address, and there is no file behind it',
  },
  {
    fits: ({ detail }) => detail.includes("CSRF token '_token' is not properly checked"),
    reason: 'its relay sends the right token beside the wrong one; forged forms are sent apart',
  },
  {
    fits: ({ where, by }) => by === 'wapiti' && /^GET \/error(?:$|[ ?])/.test(where),
    reason: 'the page fails on purpose, to show how errors look',
  },
]

/** Why a finding is not a weakness; null if it has to be investigated. */
export function explanationOf(finding: Finding): string | null {
  return explanations.find(({ fits }) => fits(finding))?.reason ?? null
}
