import { FrameworkError } from '../base/errors.ts'

/** The rows of an operation were read while it was pending. */
export class PendingError extends FrameworkError {}

/**
 * Something that needs to wait was done in a synchronous call; the message names the right call.
 */
export class BridgeError extends FrameworkError {}

/** A serial surface, such as a transaction, got a second statement while one was pending. */
export class BusyError extends FrameworkError {}
