/** How an error in a chain relates to the one it was found in. */
export const Relations = { Thrown: 'thrown', Cause: 'cause', Aggregated: 'aggregated' } as const
Object.freeze(Relations)
export type Relations = (typeof Relations)[keyof typeof Relations]

/** One error of a chain. */
export interface Link {
  readonly error: Error
  readonly relation: Relations
}

/** Errors of a chain that are shown, including the outer one. */
export const maxChainLength = 5

/** An error, its causes and the errors it aggregates, each once, the nearest first. */
export function chainOf(error: Error): readonly Link[] {
  const chain: Link[] = [{ error, relation: Relations.Thrown }]
  const seen = new Set<unknown>([error])
  for (const link of chain) {
    for (const next of linksOf(link.error)) {
      if (chain.length >= maxChainLength || seen.has(next.error)) continue
      seen.add(next.error)
      chain.push(next)
    }
  }
  return chain
}

function linksOf(error: Error): Link[] {
  try {
    const { cause } = error
    const links: Link[] = []
    if (cause instanceof Error) links.push({ error: cause, relation: Relations.Cause })
    if (error instanceof AggregateError) {
      for (const gathered of error.errors.slice(0, maxChainLength)) {
        if (gathered instanceof Error)
          links.push({ error: gathered, relation: Relations.Aggregated })
      }
    }
    return links
  } catch {
    // A throwing getter.
    return []
  }
}

/** How reports introduce an error of a chain. */
export const chainTitles: Readonly<Record<Relations, string>> = Object.freeze({
  thrown: 'Thrown',
  cause: 'Caused by',
  aggregated: 'Together with',
})
