import { ConfigurationError } from '../../base/errors.ts'
import { jsonSchemaOf } from '../../base/schema/json-schema.ts'
import type { StandardSchema } from '../../base/schema/standard-schema.ts'
import type { FieldKinds } from '../users-rows.ts'
import type { AccountsOptions } from './accounts-options.ts'

/** The columns that a project adds to accounts. */
export interface AccountFields {
  readonly schema: StandardSchema
  readonly kinds: FieldKinds
  /** The fields of the registration form, as `partials/field` takes them. */
  readonly form: readonly FormField[]
}

/** A field of a form. */
export interface FormField {
  readonly name: string
  readonly label: string
  readonly type: 'checkbox' | 'number' | 'text'
  readonly required: boolean
}

/**
 * Reads which columns a schema has.
 * @throws ConfigurationError if its library cannot tell, or a column is neither a text, a number nor a boolean.
 */
export async function readFields({ registration }: AccountsOptions): Promise<AccountFields | null> {
  if (typeof registration !== 'object') return null
  const { fields: schema } = registration
  const { schema: described, note } = await jsonSchemaOf(schema, 'output')
  const properties = Object.entries(Object(described['properties']))
  if (properties.length === 0) throw unreadable(note ?? 'it has no properties')
  const required: unknown = described['required']
  const form = properties.map(([name, property]) => {
    const type = Object(property)['type']
    const title = Object(property)['title']
    return {
      name,
      label: typeof title === 'string' ? title : labelOf(name),
      type: inputType(name, type),
      required: Array.isArray(required) && required.includes(name),
    }
  })
  return {
    schema,
    form,
    kinds: Object.fromEntries(form.map(({ name, type }) => [name, kindOf[type]])),
  }
}

const kindOf = { checkbox: 'boolean', number: 'number', text: 'text' } as const

function inputType(name: string, type: unknown): FormField['type'] {
  if (type === 'boolean') return 'checkbox'
  if (type === 'number' || type === 'integer') return 'number'
  // A choice has no type of its own in some libraries: it is a text too.
  if (type === 'string' || type === undefined) return 'text'
  throw unreadable(`${name} is neither a text, a number nor a boolean`)
}

/** `first_name` and `firstName` are "First name". */
function labelOf(name: string): string {
  const words = name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function unreadable(reason: string): ConfigurationError {
  return new ConfigurationError(
    'E_ACCOUNTS',
    `the columns of registration.fields cannot be told from its schema: ${reason}`,
  )
}
