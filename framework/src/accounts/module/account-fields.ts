import { ConfigurationError } from '../../base/errors.ts'
import { jsonSchemaOf } from '../../base/schema/json-schema.ts'
import type { StandardSchema } from '../../base/schema/standard-schema.ts'
import type { BuiltInMigration } from '../../migrations/migration-file.ts'
import type { Schema } from '../../migrations/schema.ts'
import type { TableBuilder } from '../../migrations/table-builder.ts'
import type { AccountsOptions } from './accounts-options.ts'

/** The columns that a project adds to accounts. */
export interface AccountFields {
  readonly schema: StandardSchema
  readonly kinds: Readonly<Record<string, (typeof kindOf)[keyof typeof kindOf]>>
  /** The fields of the registration form, as `partials/field` takes them. */
  readonly form: readonly FormField[]
  /** One for each column. */
  readonly migrations: readonly BuiltInMigration[]
  /** What a new account has in the columns that the form does not ask for. */
  readonly initial: object
}

/** A field of a form. */
export interface FormField {
  readonly name: string
  readonly label: string
  readonly type: 'checkbox' | 'number' | 'select' | 'text'
  readonly required: boolean
  /** Of a select. */
  readonly options?: readonly string[]
  /** More HTML attributes. */
  readonly attributes?: Readonly<Record<string, string>>
}

/** A column as the schema of the project describes its values. */
interface Property {
  readonly name: string
  readonly type: 'boolean' | 'integer' | 'number' | 'string'
  /** Whether the form has to send it. */
  readonly isRequired: boolean
  /** The texts it can be; null for any. */
  readonly choices: readonly string[] | null
  readonly title: string | null
  readonly default: unknown
}

/**
 * Reads which columns a schema has.
 * @throws ConfigurationError if its library cannot tell, or a column is neither a text, a number nor a boolean, or has
 * the name of one that accounts have anyway.
 */
export async function accountFields({
  registration,
}: AccountsOptions): Promise<AccountFields | null> {
  if (typeof registration !== 'object') return null
  const { fields: schema, initial = {} } = registration
  const properties = await readProperties(schema, initial)
  return {
    schema,
    initial,
    form: properties.filter(({ name }) => !Object.hasOwn(initial, name)).map(formField),
    kinds: Object.fromEntries(properties.map(({ name, type }) => [name, kindOf[type]])),
    migrations: properties.map(columnMigration),
  }
}

const kindOf = { boolean: 'boolean', integer: 'number', number: 'number', string: 'text' } as const

async function readProperties(
  schema: StandardSchema,
  initial: object,
): Promise<readonly Property[]> {
  const { schema: described, note } = await jsonSchemaOf(schema, 'output')
  const sent = await jsonSchemaOf(schema, 'input')
  const properties = Object.entries(Object(described['properties']))
  if (properties.length === 0) throw unreadable(note ?? 'it has no properties')
  const taken = properties.find(([name]) => ownColumns.has(name.toLowerCase()))
  if (taken !== undefined) throw unreadable(`accounts have a ${taken[0]} of their own`)
  const required: unknown = sent.schema['required']
  return properties.map(([name, described]) => {
    const forms = formsOf(described)
    const type = typeOf(name, forms)
    const choices = forms.flatMap(({ enum: values }) => (Array.isArray(values) ? values : []))
    const isSent = Array.isArray(required) && required.includes(name)
    const { title } = Object(described)
    return {
      name,
      type,
      // A box need not be checked, unless only true will do.
      isRequired: type === 'boolean' ? forms.some((form) => form['const'] === true) : isSent,
      choices: type === 'string' && choices.length > 0 ? choices.map(String) : null,
      title: typeof title === 'string' ? title : null,
      default:
        Reflect.get(initial, name) ??
        forms.find((form) => form['default'] !== undefined)?.['default'],
    }
  })
}

/** What the table and the form have besides the columns of the project. */
const ownColumns: ReadonlySet<string> = new Set(
  (
    'id email verified password password_confirmation email_verified_at email_unproven_at ' +
    'created_at factors suspended_at'
  ).split(' '),
)

type Described = Readonly<Record<string, unknown>>

/** A description and its alternatives: what can be null too is a choice of two. */
function formsOf(described: unknown): readonly Described[] {
  const form: Described = Object(described)
  const others = [form['anyOf'], form['oneOf']].flatMap((list) => (Array.isArray(list) ? list : []))
  return [form, ...others.flatMap(formsOf)]
}

function typeOf(name: string, forms: readonly Described[]): Property['type'] {
  const types = new Set(forms.flatMap(typesIn))
  types.delete('null')
  // What a transformation returns is not described: it is kept as a text.
  const [type = 'string', ...others] = types
  if (others.length === 0) {
    if (type === 'string' || type === 'boolean' || type === 'number' || type === 'integer') {
      return type
    }
  }
  throw unreadable(`${name} is neither a text, a number nor a boolean`)
}

function typesIn({ type, enum: choices, const: only }: Described): readonly unknown[] {
  if (type !== undefined) return Array.isArray(type) ? type : [type]
  if (Array.isArray(choices)) return choices.map((choice) => typeof choice)
  return only === undefined ? [] : [only === null ? 'null' : typeof only]
}

function formField({ name, type, isRequired, choices, title }: Property): FormField {
  const field = { name, label: title ?? labelOf(name), required: isRequired }
  if (choices !== null) return { ...field, type: 'select', options: choices }
  if (type === 'boolean') return { ...field, type: 'checkbox' }
  if (type === 'string') return { ...field, type: 'text' }
  return { ...field, type: 'number', ...(type === 'number' && { attributes: { step: 'any' } }) }
}

/** `first_name` and `firstName` are "First name". */
function labelOf(name: string): string {
  const words = name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/**
 * Adds a column, unless a migration of the project has. It can be NULL: accounts that were there before, or that were
 * made in another way than by the form, have no value.
 */
function columnMigration(property: Property): BuiltInMigration {
  const { name } = property
  return {
    name: `20260101000100_add_users_${name}`,
    isNeeded: true,
    async up(schema) {
      if (!(await hasColumn(schema, name))) {
        await schema.addColumn('users', (table) => addColumn(table, property))
      }
    },
    // What people have told about themselves is not dropped with it: that takes a migration of the project.
    down: () => {},
  }
}

async function hasColumn({ dialect, surface }: Schema, name: string): Promise<boolean> {
  const users = await dialect.schema.catalog.readTable(surface, 'users')
  return users?.columns.some((column) => column.name === name) ?? false
}

function addColumn(table: TableBuilder, { name, type, default: initial }: Property): unknown {
  if (type === 'boolean') {
    return table
      .boolean(name)
      .nullable()
      .default(initial === true)
  }
  if (type === 'string') {
    const column = table.text(name).nullable()
    return typeof initial === 'string' ? column.default(initial) : column
  }
  const column = type === 'integer' ? table.bigint(name).nullable() : table.float(name).nullable()
  return typeof initial === 'number' ? column.default(initial) : column
}

function unreadable(reason: string): ConfigurationError {
  return new ConfigurationError(
    'E_ACCOUNTS',
    `the columns of registration.fields cannot be told from its schema: ${reason}`,
  )
}
