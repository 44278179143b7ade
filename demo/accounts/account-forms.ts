import { isEmailAddress } from 'framework/auth'
import { normalEmail } from 'framework/auth' // part: email-change
import type { PasswordRules } from 'framework/auth'
import * as v from 'valibot'

/** The submitted fields of a form, by name. */
export type Fields = Readonly<Record<string, string>>

/** Error messages, by field. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>

/** The valid values of a form, or its errors. */
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

/** Checks the registration form. */
export async function checkRegistration(
  fields: Fields,
  rules: PasswordRules,
): Promise<Checked<{ email: string; password: string }>> {
  const form = v.object({ email, password: text })
  return checkForm(form, fields, await passwordErrors(fields, fields['email'] ?? '', rules))
}

/** Checks a form that requests a mail: to choose a new password, or to sign in. */
export function checkForgot(fields: Fields): Checked<{ email: string }> {
  return checkForm(v.object({ email }), fields, {})
}

// part: email-change
/** Checks the form that changes the e-mail of the account with this one. */
export function checkNewEmail(fields: Fields, ownEmail: string): Checked<{ email: string }> {
  const isSame = normalEmail(fields['email'] ?? '') === ownEmail
  const same = { email: ['This is your e-mail address already.'] }
  return checkForm(v.object({ email }), fields, isSame ? same : {})
}

// end: email-change
/** Checks the form behind a reset link, for the account with this e-mail. */
export async function checkReset(
  fields: Fields,
  ownEmail: string,
  rules: PasswordRules,
): Promise<Checked<{ password: string }>> {
  const form = v.object({ password: text })
  return checkForm(form, fields, await passwordErrors(fields, ownEmail, rules))
}

/** Checks the form that changes the password of the account with this e-mail. */
export async function checkChange(
  fields: Fields,
  ownEmail: string,
  rules: PasswordRules,
): Promise<Checked<{ password: string }>> {
  const current = v.pipe(text, v.nonEmpty('Please enter your current password.'))
  const form = v.object({ current, password: text })
  const { password = '', current: old = '' } = fields
  const isSame = password !== '' && normalPassword(password) === normalPassword(old)
  const same = { password: ['This is your current password. Choose another one.'] }
  return checkForm(form, fields, isSame ? same : await passwordErrors(fields, ownEmail, rules))
}

// A longer text is no password, and the cost of its normalization may grow with the square of its length.
function normalPassword(text: string): string {
  return text.length > 1024 ? text : text.normalize('NFC')
}

async function passwordErrors(
  fields: Fields,
  ownEmail: string,
  rules: PasswordRules,
): Promise<FieldErrors> {
  const { password = '', password_confirmation: confirmation = '' } = fields
  const problem = await rules.problem(password, { email: ownEmail, confirmation })
  return problem === null ? {} : { password: [problem] }
}

/** Reports every error at once, those of the fields and those of the password. */
function checkForm<Form extends v.GenericSchema>(
  form: Form,
  fields: Fields,
  more: FieldErrors,
): Checked<v.InferOutput<Form>> {
  // One error per field: an empty e-mail need not be called invalid too.
  const { success, output, issues } = v.safeParse(form, fields, { abortPipeEarly: true })
  const errors = { ...errorsByField(issues), ...more }
  if (success && Object.keys(errors).length === 0) return { values: output, errors: null }
  return { values: null, errors }
}

function errorsByField(issues: readonly v.BaseIssue<unknown>[] | undefined): FieldErrors {
  const errors: Record<string, string[]> = {}
  for (const issue of issues ?? []) {
    const field = v.getDotPath(issue) ?? ''
    errors[field] = [...(errors[field] ?? []), issue.message]
  }
  return errors
}
