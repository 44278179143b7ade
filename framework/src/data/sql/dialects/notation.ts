/** How one database writes names and parameters: all that a statement written by hand needs. */
export interface Notation {
  /** An identifier that can hold anything but a NUL, quoted so that it is nothing but a name. */
  readonly quote: (identifier: string) => string
  /** The place of the parameter with this number, from 1. */
  readonly placeholder: (position: number) => string
}
