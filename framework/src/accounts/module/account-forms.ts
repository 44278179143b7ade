import { checkInput } from '../../http/input/form-responses.ts'
import type { CheckedInput, FieldErrors } from '../../http/input/form-responses.ts'
import { isEmailAddress, normalEmail } from '../email-address.ts'
import type { PasswordRules } from '../passwords/password-rules.ts'
import type { AccountFields } from './account-fields.ts'

/** The submitted fields of a form, by name. */
export type Fields = Readonly<Record<string, string>>

/** Checks the registration form, with the fields of the project. */
export async function checkRegistration(
  fields: Fields,
  rules: PasswordRules,
  own: AccountFields | null,
): Promise<CheckedInput<{ email: string; password: string; fields: object }>> {
  const { email = '', password = '' } = fields
  const more = own === null ? null : await checkInput(own.schema, typedFields(fields, own))
  const errors = {
    ...emailErrors(email),
    ...more?.errors,
    ...(await passwordErrors(fields, email, rules)),
  }
  return checked({ email: email.trim(), password, fields: Object(more?.values) }, errors)
}

/**
 * The texts of a form as the schema takes them: numbers, and true for a box that is checked. What may be left out is
 * left out if it is empty. Only what the form asks for is read: nobody registers with a role of their choice.
 */
function typedFields(fields: Fields, { form, initial }: AccountFields): Record<string, unknown> {
  const typed: Record<string, unknown> = {}
  for (const { name, type, required } of form) {
    const text = fields[name] ?? ''
    if (type === 'checkbox') typed[name] = text !== ''
    else if (text !== '') typed[name] = type === 'number' ? Number(text) : text
    else if (required) typed[name] = text
  }
  return { ...typed, ...initial }
}

/** Checks a form that requests a mail: to choose a new password, or to sign in. */
export function checkForgot({ email = '' }: Fields): CheckedInput<{ email: string }> {
  return checked({ email: email.trim() }, emailErrors(email))
}

/** Checks the form that changes the e-mail of the account with this one. */
export function checkNewEmail(
  { email = '' }: Fields,
  ownEmail: string,
): CheckedInput<{ email: string }> {
  const isSame = normalEmail(email) === ownEmail
  const same = { email: ['This is your e-mail address already.'] }
  return checked({ email: email.trim() }, isSame ? same : emailErrors(email))
}

/** Checks the form behind a reset link, for the account with this e-mail. */
export async function checkReset(
  fields: Fields,
  ownEmail: string,
  rules: PasswordRules,
): Promise<CheckedInput<{ password: string }>> {
  const { password = '' } = fields
  return checked({ password }, await passwordErrors(fields, ownEmail, rules))
}

/** Checks the form that changes the password of the account with this e-mail. */
export async function checkChange(
  fields: Fields,
  ownEmail: string,
  rules: PasswordRules,
): Promise<CheckedInput<{ password: string }>> {
  const { password = '', current = '' } = fields
  const missing = { current: ['Please enter your current password.'] }
  const isSame = password !== '' && normalPassword(password) === normalPassword(current)
  const same = { password: ['This is your current password. Choose another one.'] }
  return checked(
    { password },
    {
      ...(current === '' && missing),
      ...(isSame ? same : await passwordErrors(fields, ownEmail, rules)),
    },
  )
}

/** Every error at once, or the values. */
function checked<Values>(values: Values, errors: FieldErrors): CheckedInput<Values> {
  return Object.keys(errors).length > 0 ? { values: null, errors } : { values, errors: null }
}

function emailErrors(typed: string): FieldErrors {
  const email = typed.trim()
  if (email === '') return { email: ['Please enter your e-mail.'] }
  if (email.length > 254) return { email: ['This e-mail is too long.'] }
  return isEmailAddress(email) ? {} : { email: ['This is not an e-mail address.'] }
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

// A longer text is no password, and the cost of its normalization may grow with the square of its length.
function normalPassword(text: string): string {
  return text.length > 1024 ? text : text.normalize('NFC')
}
