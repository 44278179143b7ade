/** Targets that throwables can be rendered for. */
export const Debugging: Readonly<{
  /** A terminal, with ANSI colours. */
  TARGET_CLI: 'cli'
  /** A part of an HTML document. */
  TARGET_HTML: 'html'
}> = Object.freeze({ TARGET_CLI: 'cli', TARGET_HTML: 'html' })

/** One of the targets of `Debugging`. */
export type Target = 'cli' | 'html'
