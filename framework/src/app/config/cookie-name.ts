import type { VariableKind } from './variable.ts'

/** A setting that names a cookie. Fewer characters than the standard allows: these need no quotes. */
export const cookieName: VariableKind<string> = {
  expects: 'a cookie name of letters, digits and -_.',
  parse: (text) => (/^[\w.-]+$/.test(text) ? text : undefined),
}
