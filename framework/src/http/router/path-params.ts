/**
 * The parameters of a literal pattern: `/users/:id<int>/:tab?` gives `{ id: number; tab?: string }`.
 * If the pattern is known only at run time, any name is allowed.
 */
export type PathParams<Pattern extends string> = string extends Pattern
  ? Readonly<Record<string, string | number>>
  : Flat<Segments<Pattern>>

type Segments<Pattern extends string> = Pattern extends `${infer Head}/${infer Tail}`
  ? Segment<Head> & Segments<Tail>
  : Segment<Pattern>

type Segment<Part extends string> = Part extends `:${infer Name}?`
  ? { readonly [Key in Bare<Name>]?: ValueOf<Name> }
  : Part extends `:${infer Name}`
    ? { readonly [Key in Bare<Name>]: ValueOf<Name> }
    : Part extends '*'
      ? { readonly rest: string }
      : Part extends `*${infer Name}`
        ? { readonly [Key in Name]: string }
        : unknown

type Bare<Name extends string> = Name extends `${infer Plain}<${string}` ? Plain : Name

type ValueOf<Name extends string> = Name extends `${string}<int>` ? number : string

type Flat<Shape> = { [Key in keyof Shape]: Shape[Key] }
