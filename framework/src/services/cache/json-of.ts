/** What is left of a value that went through JSON: a `Date` is a text, a method is gone. */
export type JsonOf<T> = T extends string | number | boolean | null | undefined
  ? T
  : T extends { toJSON(): infer Json }
    ? JsonOf<Json>
    : T extends bigint | Unkept
      ? never
      : T extends readonly unknown[]
        ? { [Key in keyof T]: JsonOf<T[Key]> }
        : T extends object
          ? { [Key in keyof T as T[Key] extends Unkept ? never : Key]: JsonOf<T[Key]> }
          : unknown

type Unkept = symbol | ((...parameters: never) => unknown)
