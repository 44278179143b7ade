import type { PathParams } from '../router/path-params.ts'

/** Patterns by the names of their routes: `{ 'notes.show': '/notes/:id<int>' }`. */
export type RoutePatterns = Readonly<Record<string, string>>

/** A value in an address. */
export type AddressValue = string | number

/** The query of an address: a list repeats its name; null and undefined are left out. */
export type AddressQuery = Readonly<
  Record<string, AddressValue | boolean | readonly AddressValue[] | null | undefined>
>

/** What an address needs for a pattern: `/users/:id<int>/:tab?` takes `{ id: number; tab?: AddressValue }`. */
export type AddressParams<Pattern extends string> = [keyof PathParams<Pattern>] extends [never]
  ? NoParams
  : Given<PathParams<Pattern>>

/** The arguments after the name: the parameters, which may be left out if none is required, and the query. */
export type AddressArguments<Pattern extends string> =
  Partial<PathParams<Pattern>> extends PathParams<Pattern>
    ? [params?: AddressParams<Pattern>, query?: AddressQuery]
    : [params: AddressParams<Pattern>, query?: AddressQuery]

// An empty object type would accept any object.
type NoParams = Readonly<Record<string, never>>

// A text parameter takes a number too: most ids are numbers.
type Given<Params> = {
  readonly [Key in keyof Params]: Params[Key] extends number | undefined ? number : AddressValue
}
