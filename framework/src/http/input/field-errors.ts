import type { StandardSchema } from '../../base/schema/standard-schema.ts'
import { inputIssues } from '../errors/invalid-input.ts'
import type { InputIssue } from '../errors/invalid-input.ts'

/** Error messages, by field. Those of the form as a whole are under an empty name. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>

/** The parsed values of a form, or its errors. */
export type CheckedInput<Values> =
  | { readonly values: Values; readonly errors: null }
  | { readonly values: null; readonly errors: FieldErrors }

/** Checks a value with a schema: for forms that a handler shows again itself. */
export async function checkInput<Output>(
  schema: StandardSchema<unknown, Output>,
  value: unknown,
): Promise<CheckedInput<Output>> {
  const result = await schema['~standard'].validate(value)
  if (result.issues === undefined) return { values: result.value, errors: null }
  return { values: null, errors: fieldErrors(inputIssues(result.issues)) }
}

/** Messages by field: those of an item are under the name of its list. */
export function fieldErrors(issues: readonly InputIssue[]): FieldErrors {
  const errors = new Map<string, string[]>()
  for (const { path, message } of issues) {
    const [field = ''] = path
    const messages = errors.get(field)
    if (messages === undefined) errors.set(field, [message])
    else if (!messages.includes(message)) messages.push(message)
  }
  return Object.fromEntries(errors)
}
