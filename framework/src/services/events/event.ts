/**
 * The key of one kind of event. The type parameter is the tuple of values its listeners receive;
 * it exists for the compiler only.
 */
export interface Event<Payload extends readonly unknown[]> {
  readonly name: string
  readonly payload?: Payload
}

/** Declares an event: `const Failed = event<[Error]>('app.failed')`. Identity, not the name, is the key. */
export function event<Payload extends readonly unknown[]>(name: string): Event<Payload> {
  return Object.freeze({ name })
}

/** The values listeners of that event receive. */
export type PayloadOf<E extends Event<readonly unknown[]>> =
  E extends Event<infer Payload> ? Payload : never
