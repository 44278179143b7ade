import { isRecord } from '../is-record.ts'

/**
 * A schema of any library that implements Standard Schema, https://standardschema.dev, such as valibot,
 * zod or arktype.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': StandardSchemaProps<Input, Output>
}

/** What a library puts under `~standard`. */
export interface StandardSchemaProps<Input = unknown, Output = Input> {
  readonly version: 1
  readonly vendor: string
  readonly validate: (
    value: unknown,
    options?: SchemaOptions,
  ) => SchemaResult<Output> | Promise<SchemaResult<Output>>
  /** Exists in types only. */
  readonly types?: { readonly input: Input; readonly output: Output } | undefined
}

/** What a library takes besides the value. */
export interface SchemaOptions {
  readonly libraryOptions?: Readonly<Record<string, unknown>> | undefined
}

/** The parsed value, or what is wrong. */
export type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] }

/** One thing that is wrong, and where. */
export interface SchemaIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** The type of the values that a schema returns. */
export type SchemaOutput<Schema extends StandardSchema> = NonNullable<
  Schema['~standard']['types']
>['output']

/** Whether a value is a schema; those of arktype are functions. */
export function isStandardSchema(value: unknown): value is StandardSchema {
  if (!isRecord(value) && typeof value !== 'function') return false
  const standard: unknown = Reflect.get(value, '~standard')
  return isRecord(standard) && typeof standard['validate'] === 'function'
}
