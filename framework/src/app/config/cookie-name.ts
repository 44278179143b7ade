import type { VariableKind } from './variable.ts'

/** A cookie name. Stricter than the standard: only characters that need no quoting. */
export const cookieName: VariableKind<string> = {
  expects: 'a cookie name of letters, digits and -_.',
  parse: (text) => (/^[\w.-]+$/.test(text) ? text : undefined),
}
