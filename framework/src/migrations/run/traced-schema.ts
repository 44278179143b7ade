import type { Schema } from '../schema.ts'
import type { StepTrace } from './step-trace.ts'

/** A schema that notes each call: a migration that is no async function has no line later on. */
export function tracedSchema(schema: Schema, trace: StepTrace): Schema {
  return new Proxy(schema, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property, target)
      if (typeof value !== 'function') return value
      return (...given: readonly unknown[]): unknown => {
        trace.noteCall()
        return Reflect.apply(value, target, given)
      }
    },
  })
}
