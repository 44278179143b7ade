/**
 * Identifies one kind of event. The type parameter is the tuple of values its listeners receive; it
 * exists only at compile time.
 */
export interface Event<Payload extends readonly unknown[]> {
  readonly name: string
  readonly payload?: Payload
}

/** Declares an event: `const Failed = event<[Error]>('app.failed')`. Equal names are not the same event. */
export function event<Payload extends readonly unknown[]>(name: string): Event<Payload> {
  return Object.freeze({ name })
}

/** The values that listeners of an event receive. */
export type PayloadOf<E extends Event<readonly unknown[]>> =
  E extends Event<infer Payload> ? Payload : never
