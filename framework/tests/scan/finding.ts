/** A problem that a scan found. */
export interface Finding {
  /** Who found it: a scanner, or our own monitoring of the site. */
  readonly by: string
  /** The kind of weakness. */
  readonly kind: string
  /** Where, for example `POST /login`, with the parameter if there is one. */
  readonly where: string
  readonly detail: string
}

/** Formats a finding on one line. */
export function findingLine({ by, kind, where, detail }: Finding): string {
  return `${by}: ${kind} at ${where}: ${detail.replaceAll(/\s+/g, ' ').slice(0, 300)}`
}
