import { FrameworkError } from '../../base/errors.ts'

/** The rows of an operation were asked for while they were on their way. */
export class PendingError extends FrameworkError {}

/** Something that waits was asked of a call that never does; the message names the call that does. */
export class BridgeError extends FrameworkError {}

/** A serial surface, such as a transaction, got a second statement while one was pending. */
export class BusyError extends FrameworkError {}
