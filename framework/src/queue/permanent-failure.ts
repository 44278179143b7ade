import { FrameworkError } from '../base/errors.ts'

/** Thrown by a handler when a retry is pointless: the job is dead immediately. */
export class PermanentFailure extends FrameworkError {
  constructor(message: string, options?: ErrorOptions) {
    super('E_JOB', message, options)
  }
}
