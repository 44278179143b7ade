/** How one database writes names and parameters: all that a handwritten statement needs. */
export interface Notation {
  /** Quotes an identifier, which may contain anything but NUL. */
  readonly quote: (identifier: string) => string
  /** The placeholder of the parameter at this position, starting at 1. */
  readonly placeholder: (position: number) => string
}
