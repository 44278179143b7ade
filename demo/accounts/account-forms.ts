import { isEmailAddress, passwordProblem } from 'framework/auth'
import * as v from 'valibot'

/** What was filled in. */
export type Fields = Readonly<Record<string, string>>

/** What is wrong with a form, by field. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>

/** The values of a form, or what is wrong with them. */
export type Checked<Values> =
  | { readonly values: Values; readonly errors: null }
  | { readonly values: null; readonly errors: FieldErrors }

const email = v.pipe(
  v.optional(v.string(), ''),
  v.trim(),
  v.nonEmpty('Please enter your e-mail.'),
  v.maxLength(254, 'This e-mail is too long.'),
  v.check(isEmailAddress, 'This is not an e-mail address.'),
)
const text = v.optional(v.string(), '')

/** The form that makes an account. */
export function checkRegistration(fields: Fields): Checked<{ email: string; password: string }> {
  const form = v.object({ email, password: text })
  return checked(form, fields, passwordErrors(fields, fields['email'] ?? ''))
}

/** The form that asks for a link. */
export function checkForgot(fields: Fields): Checked<{ email: string }> {
  return checked(v.object({ email }), fields, {})
}

/** The form behind that link, for the account with this e-mail. */
export function checkReset(fields: Fields, ownEmail: string): Checked<{ password: string }> {
  return checked(v.object({ password: text }), fields, passwordErrors(fields, ownEmail))
}

/** The form that changes the password of the account with this e-mail, once the current one is known. */
export function checkChange(fields: Fields, ownEmail: string): Checked<{ password: string }> {
  const current = v.pipe(text, v.nonEmpty('Please enter your current password.'))
  const form = v.object({ current, password: text })
  const { password = '' } = fields
  const isSame =
    password !== '' && password.normalize('NFC') === fields['current']?.normalize('NFC')
  const same = { password: ['This is your current password. Choose another one.'] }
  return checked(form, fields, isSame ? same : passwordErrors(fields, ownEmail))
}

function passwordErrors(fields: Fields, ownEmail: string): FieldErrors {
  const { password = '', password_confirmation: confirmation = '' } = fields
  const problem = passwordProblem(password, { email: ownEmail, confirmation })
  return problem === null ? {} : { password: [problem] }
}

/** One round tells everything: what is wrong with the fields, and with the password. */
function checked<Form extends v.GenericSchema>(
  form: Form,
  fields: Fields,
  more: FieldErrors,
): Checked<v.InferOutput<Form>> {
  // One complaint a field: that an empty e-mail is no address either helps nobody.
  const { success, output, issues } = v.safeParse(form, fields, { abortPipeEarly: true })
  const errors = { ...flat(issues), ...more }
  if (success && Object.keys(errors).length === 0) return { values: output, errors: null }
  return { values: null, errors }
}

function flat(issues: readonly v.BaseIssue<unknown>[] | undefined): FieldErrors {
  const errors: Record<string, string[]> = {}
  for (const issue of issues ?? []) {
    const field = v.getDotPath(issue) ?? ''
    errors[field] = [...(errors[field] ?? []), issue.message]
  }
  return errors
}
