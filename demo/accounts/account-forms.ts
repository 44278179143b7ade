import { isEmailAddress } from 'framework/auth'
import { normalEmail } from 'framework/auth' // part: email-change
import type { PasswordRules } from 'framework/auth'
import { checkInput } from 'framework/http'
import type { CheckedInput, FieldErrors } from 'framework/http'
import * as v from 'valibot'

/** The submitted fields of a form, by name. */
export type Fields = Readonly<Record<string, string>>

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
): Promise<CheckedInput<{ email: string; password: string }>> {
  const form = v.object({ email, password: text })
  return checkForm(form, fields, await passwordErrors(fields, fields['email'] ?? '', rules))
}

/** Checks a form that requests a mail: to choose a new password, or to sign in. */
export function checkForgot(fields: Fields): Promise<CheckedInput<{ email: string }>> {
  return checkForm(v.object({ email }), fields, {})
}

// part: email-change
/** Checks the form that changes the e-mail of the account with this one. */
export function checkNewEmail(
  fields: Fields,
  ownEmail: string,
): Promise<CheckedInput<{ email: string }>> {
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
): Promise<CheckedInput<{ password: string }>> {
  const form = v.object({ password: text })
  return checkForm(form, fields, await passwordErrors(fields, ownEmail, rules))
}

/** Checks the form that changes the password of the account with this e-mail. */
export async function checkChange(
  fields: Fields,
  ownEmail: string,
  rules: PasswordRules,
): Promise<CheckedInput<{ password: string }>> {
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
async function checkForm<Values>(
  form: v.GenericSchema<unknown, Values>,
  fields: Fields,
  more: FieldErrors,
): Promise<CheckedInput<Values>> {
  // One error per field: an empty e-mail need not be called invalid too.
  const checked = await checkInput(v.config(form, { abortPipeEarly: true }), fields)
  if (Object.keys(more).length === 0) return checked
  return { values: null, errors: { ...checked.errors, ...more } }
}
