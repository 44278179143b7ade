/** Something that a scan has to say against the site. */
export interface Finding {
  /** Who says it: a scanner, or what watches the site meanwhile. */
  readonly by: string
  /** What kind of weakness it is. */
  readonly kind: string
  /** Where, such as `POST /login`, with the parameter if there is one. */
  readonly where: string
  readonly detail: string
}

/** A finding on one line. */
export function findingLine({ by, kind, where, detail }: Finding): string {
  return `${by}: ${kind} at ${where}: ${detail.replaceAll(/\s+/g, ' ').slice(0, 300)}`
}
