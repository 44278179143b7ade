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
