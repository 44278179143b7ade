import { InvalidArgumentException } from '../../base/errors.ts'

/** One environment variable: how its text becomes a value, and what people are told about it. */
export interface Variable<T> {
  readonly name: string
  /** What a text must be, as it follows "expected". */
  readonly expects: string
  readonly meaning: string
  /** Never printed, neither in tables nor in errors. */
  readonly secret: boolean
  /** The value when none is given; without it the variable is required. */
  readonly fallback: { readonly value: T } | null
  /** Whether an empty text is a value; else it counts as not given. */
  readonly acceptsEmpty: boolean
  /** The value of a text, or undefined when the text is not what is expected. */
  readonly parse: (text: string) => T | undefined
}

/** What every kind of variable may be told. */
export interface VariableOptions<T> {
  /** Used when the variable is not given. Leave it out to make the variable required. */
  readonly default?: T
  /** What the value is for, in a few words; `framework config` prints it. */
  readonly meaning: string
  /** Marks a value that nobody may see. */
  readonly secret?: boolean
}

/** How the text of one kind of variable is understood. */
export interface VariableKind<T> {
  readonly expects: string
  readonly acceptsEmpty?: boolean
  readonly parse: (text: string) => T | undefined
}

const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/

/**
 * Puts a variable together.
 * @throws InvalidArgumentException for a name that no environment can hold.
 */
export function variable<T>(
  name: string,
  { expects, acceptsEmpty = false, parse }: VariableKind<T>,
  options: VariableOptions<T>,
): Variable<T> {
  if (!variableName.test(name)) {
    throw new InvalidArgumentException(
      'E_INVALID_ARGUMENT',
      `"${name}" cannot name an environment variable; use letters, digits and _`,
    )
  }
  const fallback = options.default === undefined ? null : Object.freeze({ value: options.default })
  const { meaning, secret = false } = options
  return Object.freeze({ name, expects, meaning, secret, fallback, acceptsEmpty, parse })
}
