/** The type of a value after a round trip through JSON: a `Date` becomes a string, methods vanish. */
export type JsonOf<T> = T extends string | number | boolean | null | undefined
  ? T
  : T extends { toJSON(): infer Json }
    ? JsonOf<Json>
    : T extends bigint | Omitted
      ? never
      : T extends readonly unknown[]
        ? { [Key in keyof T]: JsonOf<T[Key]> }
        : T extends object
          ? { [Key in keyof T as T[Key] extends Omitted ? never : Key]: JsonOf<T[Key]> }
          : unknown

type Omitted = symbol | ((...parameters: never) => unknown)

/**
 * A value as it is stored. `refuse` makes the error for one that is not JSON. It is told what the value is;
 * the original error is not passed on: its message may contain parts of the value.
 */
export function jsonOf(value: unknown, refuse: (got: string) => Error): string {
  let text: unknown
  try {
    text = JSON.stringify(value)
  } catch {
    throw refuse('a value with a bigint or a circular reference')
  }
  if (typeof text === 'string') return text
  throw refuse(typeof value)
}
