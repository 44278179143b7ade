import { FrameworkError } from '../../base/errors.ts'

/** Thrown by a handler when another attempt cannot help: the job is dead at once. */
export class PermanentFailure extends FrameworkError {
  constructor(message: string, options?: ErrorOptions) {
    super('E_JOB', message, options)
  }
}
