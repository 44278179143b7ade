/** An argument or an option of a command. */
export interface Parameter<T> {
  readonly kind: 'value' | 'flag' | 'list'
  readonly description: string
  /** What it is called in the help, such as `number`. */
  readonly placeholder: string
  /** Describes a valid text: "It must be …". */
  readonly expects: string
  readonly isOptional: boolean
  /** Its value when it is not given. */
  readonly fallback: T | undefined
  /** Parses a text; undefined if it is not valid. */
  readonly parse: (text: string) => T | undefined
}

/** Options of a parameter that may be left out: its value is then the default, or undefined. */
export type ParameterOptions<T> =
  | { readonly default?: T; readonly optional?: never }
  | { readonly optional: true; readonly default?: never }

/** Makes parameters of one kind: `parameter.integer('how many', { default: 10 })`. */
export interface MakeParameter<T> {
  (description: string, options: { readonly optional: true }): Parameter<T | undefined>
  (description: string, options?: { readonly default?: T }): Parameter<T>
}

type ValueKind<T> = Pick<Parameter<T>, 'placeholder' | 'expects' | 'parse'>

const anyText: ValueKind<string> = {
  placeholder: 'text',
  expects: 'a text',
  parse: (text) => text,
}

/** Kinds of arguments and options of commands. Without `default` or `optional` one must be given. */
export const parameter: {
  readonly text: MakeParameter<string>
  readonly integer: MakeParameter<number>
  readonly number: MakeParameter<number>
  /** One of several texts: `parameter.choice(['csv', 'json'], 'format of the file')`. */
  choice<const Choice extends string>(
    choices: readonly Choice[],
    description: string,
    options: { readonly optional: true },
  ): Parameter<Choice | undefined>
  choice<const Choice extends string>(
    choices: readonly Choice[],
    description: string,
    options?: { readonly default?: NoInfer<Choice> },
  ): Parameter<Choice>
  /** Only for options: true if it is given. */
  flag(description: string): Parameter<boolean>
  /** All texts that are left. Only for the last argument. */
  list(description: string): Parameter<readonly string[]>
} = Object.freeze({
  text: value(anyText),
  integer: value({ placeholder: 'number', expects: 'a whole number', parse: wholeNumber }),
  number: value({ placeholder: 'number', expects: 'a number', parse: decimalNumber }),
  choice<const Choice extends string>(
    choices: readonly Choice[],
    description: string,
    options: ParameterOptions<Choice> = {},
  ): Parameter<Choice> {
    const kind: ValueKind<Choice> = {
      placeholder: choices.join('|'),
      expects: `one of ${choices.join(', ')}`,
      parse: (text) => choices.find((choice) => choice === text),
    }
    return build(kind, description, options)
  },
  flag(description: string): Parameter<boolean> {
    const kind = { placeholder: '', expects: '', parse: () => true }
    return build(kind, description, { default: false }, 'flag')
  },
  list(description: string): Parameter<readonly string[]> {
    const kind = { ...anyText, parse: (text: string): readonly string[] => [text] }
    return build(kind, description, { default: Object.freeze([]) }, 'list')
  },
})

function value<T>(kind: ValueKind<T>): MakeParameter<T> {
  return (description: string, options?: ParameterOptions<T>) =>
    build(kind, description, options ?? {})
}

function build<T>(
  parsed: ValueKind<T>,
  description: string,
  { default: fallback, optional }: ParameterOptions<T>,
  kind: Parameter<T>['kind'] = 'value',
): Parameter<T> {
  const isOptional = optional === true || fallback !== undefined
  return Object.freeze({ ...parsed, kind, description, isOptional, fallback })
}

function wholeNumber(text: string): number | undefined {
  const number = /^-?\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(number) ? number : undefined
}

function decimalNumber(text: string): number | undefined {
  return /^-?\d{1,16}(\.\d{1,16})?$/.test(text) ? Number(text) : undefined
}
