import type { CheckedInput, FieldErrors } from 'framework/http'
import type { Fields } from './account-forms.ts'
import { scopeNames } from './api-scopes.ts'
import type { ApiScope } from './api-scopes.ts'

/** The lifetimes that the form offers, in days. */
export const tokenDays: readonly number[] = [7, 30, 90, 365]

const secondsPerDay = 86_400
const maxNameLength = 100

/** Checks the form that creates an API token. Each scope is a field of its own. */
export function checkApiToken(
  fields: Fields,
): CheckedInput<{ name: string; scopes: readonly ApiScope[]; ttl: number }> {
  const name = (fields['name'] ?? '').trim()
  const scopes = scopeNames.filter((scope) => (fields[scope] ?? '') !== '')
  const days = tokenDays.find((choice) => String(choice) === fields['days'])
  const errors: Record<string, readonly string[]> = {}
  if (name === '') errors['name'] = ['Please enter a name.']
  if (Array.from(name).length > maxNameLength) errors['name'] = ['This name is too long.']
  if (scopes.length === 0) errors['scopes'] = ['Choose at least one thing that it may do.']
  if (days === undefined) errors['days'] = ['Choose when it expires.']
  if (days === undefined || isAny(errors)) return { values: null, errors }
  return { values: { name, scopes, ttl: days * secondsPerDay }, errors: null }
}

function isAny(errors: FieldErrors): boolean {
  return Object.keys(errors).length > 0
}
