import { frameworkCode } from '../base/error-codes.ts'
import { toError } from '../base/to-error.ts'
import { className } from '../errors/reports/class-name.ts'
import type { SpanAttributes } from './span.ts'

/** The attribute `error.type`: the code of an error of the framework, else its class. */
export function errorTypeOf(thrown: unknown): string {
  const error = toError(thrown)
  return frameworkCode(error) ?? className(error)
}

/** The attributes of an exception event. They are masked and cut when they are encoded. */
export function exceptionAttributes(thrown: unknown): SpanAttributes {
  const error = toError(thrown)
  return {
    'exception.type': className(error),
    'exception.message': error.message,
    'exception.stacktrace': typeof error.stack === 'string' ? error.stack : '',
  }
}
