import { invalidArgument } from '../base/errors.ts'
import { isSecretKey } from '../base/is-secret-key.ts'

/** One environment variable: how its text is parsed and how it is described. */
export interface Variable<T> {
  readonly name: string
  /** Describes a valid text, to follow the word "expected". */
  readonly expects: string
  readonly meaning: string
  /** Never printed, neither in tables nor in errors. */
  readonly secret: boolean
  /** The default value; null makes the variable required. */
  readonly fallback: { readonly value: T } | null
  /** Whether empty text is a value; otherwise it counts as not set. */
  readonly acceptsEmpty: boolean
  /** Parses a text; undefined if it is not valid. */
  readonly parse: (text: string) => T | undefined
}

/** Options of every kind of variable. */
export interface VariableOptions<T> {
  /** Used when the variable is not set. Without it the variable is required. */
  readonly default?: T
  /** The purpose of the value in a few words, as printed by `framework config`. */
  readonly meaning: string
  /** Keeps the value out of tables and errors. @default false */
  readonly secret?: boolean
}

/** How the text of one kind of variable is parsed. */
export interface VariableKind<T> {
  readonly expects: string
  readonly acceptsEmpty?: boolean
  readonly parse: (text: string) => T | undefined
}

/** Takes a text that `read` reads. Why it does not is not passed on: it could quote a password. */
export function readBy(read: (text: string) => unknown): VariableKind<string>['parse'] {
  return (text) => {
    try {
      read(text)
      return text
    } catch {
      return undefined
    }
  }
}

const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/

/**
 * Builds a variable.
 * @throws InvalidArgumentException for a name that an environment variable cannot have.
 */
export function variable<T>(
  name: string,
  { expects, acceptsEmpty = false, parse }: VariableKind<T>,
  options: VariableOptions<T>,
): Variable<T> {
  if (!variableName.test(name)) {
    throw invalidArgument(
      `"${name}" cannot name an environment variable; use letters, digits and _`,
    )
  }
  const fallback = options.default === undefined ? null : Object.freeze({ value: options.default })
  const { meaning, secret = false } = options
  return Object.freeze({ name, expects, meaning, secret, fallback, acceptsEmpty, parse })
}

/** Whether the value must not be shown: it was declared secret, or its name suggests it. */
export function isSecretVariable({ name, secret }: Variable<unknown>): boolean {
  return secret || isSecretKey(name)
}
